# shellcheck shell=bash
# How a case fails, waits and ends, on whatever guest it runs. Sourced by the words of each, which set PATIENCE.

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# Something worth telling even when all is well.
note() { printf 'NOTE: %s\n' "$*"; }

end_all() {
  local status=$?
  trap - EXIT ERR
  # shellcheck disable=SC2046 # a list of numbers
  kill -KILL $(jobs -p) 2>/dev/null || true
  exit "$status"
}
trap end_all EXIT
trap 'fail "line $LINENO of the case: $BASH_COMMAND"' ERR

# until_true TEXT COMMAND...: runs the command until it is true; TEXT says what did not come.
until_true() {
  local what=$1 deadline=$((SECONDS + PATIENCE))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || fail "$what"
    sleep 0.05
  done
}
