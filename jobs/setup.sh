#!/usr/bin/env bash
# Installs the Debian packages that are missing, configures and builds. May be run again at any time: what is done is not done
# again. Usage: jobs/setup.sh [--tests] [--optional] [PRESET]     (release, debug, asan or tsan; release by default)
#   --tests      also the packages that the tests alone need (a local Slurm cluster, a peer of the law), where this runs as root
#   --optional   also those without which something optional is left out (SimGrid)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lists=("$root/jobs/packages.txt")
while :; do
  case ${1:-} in
    --tests) if [ "$(id -u)" -eq 0 ]; then lists+=("$root/jobs/packages-tests.txt"); fi ;;
    --optional) lists+=("$root/jobs/packages-optional.txt") ;;
    *) break ;;
  esac
  shift
done
preset=${1:-release}

say() { printf '== %s\n' "$*"; }

missing_packages() {
  local package
  grep -hv '^#' "${lists[@]}" | while read -r package; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
  done
}

install_packages() {
  local -a missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "these packages are missing and only root can install them; ask for:"
    echo "   apt-get install --no-install-recommends ${missing[*]}"
    exit 2
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local log
  log=$(mktemp)
  if ! { apt-get -q update && apt-get -q install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 30 "$log"
    say "the packages could not be installed; apt-get's last lines are above, all of them in $log"
    exit 1
  fi
  rm -f "$log"
}

if command -v dpkg-query >/dev/null; then
  install_packages
else
  say "this is no Debian: ${lists[*]} list what must be there; going on with what is"
fi

cd "$root"
say "configuring build/$preset"
if ! cmake --preset "$preset" >"$root/.setup.log" 2>&1; then
  tail -n 30 "$root/.setup.log"
  rm -f "$root/.setup.log"
  exit 1
fi
rm -f "$root/.setup.log"
say "building build/$preset (the first time takes minutes)"
cmake --build --preset "$preset" -- --quiet
