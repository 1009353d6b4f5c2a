#!/bin/sh
# install_pytorch.sh FOLDER: prints a Python that has PyTorch, for the comparisons in this folder. Makes a virtual environment in
# FOLDER with the pinned version (about 7 GB, for the package carries its CUDA libraries along); where that cannot be had, tells
# so and takes Debian's python3-torch (as root it is installed), with OpenBLAS: on the reference BLAS it is slower by a factor of 40,
# and no peer.
set -eu
torch=2.9.1
case ${1:-} in
  "" | -*) echo "usage: install_pytorch.sh FOLDER" >&2; exit 2 ;;
esac
folder=$1

has_torch() { "$1" -c 'import torch' >/dev/null 2>&1; }

if has_torch "$folder/bin/python"; then
  echo "$folder/bin/python"
  exit
fi
echo "installing PyTorch $torch into $folder (some minutes)" >&2
if python3 -m venv "$folder" >&2 && "$folder/bin/pip" install --quiet "torch==$torch" numpy >&2 && has_torch "$folder/bin/python"; then
  echo "$folder/bin/python"
  exit
fi
echo "PyTorch $torch cannot be installed by pip here: Debian's python3-torch instead, an older version" >&2
if ! has_torch /usr/bin/python3 || ! ls /usr/lib/*/libopenblas.so.0 >/dev/null 2>&1; then
  apt-get install -y --no-install-recommends python3-torch libopenblas0-pthread >&2
fi
has_torch /usr/bin/python3 || { echo "python3-torch is there but cannot be imported" >&2; exit 1; }
echo /usr/bin/python3
