# shellcheck shell=bash
# What the scripts of a machine share, all of it, because each of them may write the state. Meant to be sourced.
set -euo pipefail
here=/usr/lib/grampad-machine
for each in slots answers system state wifi archive; do
  # shellcheck source=/dev/null
  source "$here/$each.sh"
done
