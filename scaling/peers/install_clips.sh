#!/bin/sh
# CLIPS, a rete engine, for compare_law.py: Debian's package.
set -eu
exec apt-get install --yes --no-install-recommends clips
