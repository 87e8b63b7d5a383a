# shellcheck shell=bash
# Runs tests for deploy/test and repeats the few that fail. Meant to be sourced by tiers.sh.
#
# Many tests run programs in real time: when a machine with two cores stalls, one of them fails now and then. What is wrong
# fails again. A test that passes the second time counts as passed, and deploy/test names it at the end: it needs a look.

# More failures than this have one cause, which a second run does not remove.
MOST_REPEATED=3

# What a line begins with that names a test which passed the second time.
RECOVERED='passed when repeated: '

# swift_tests TARGET...: runs the tests of these targets and builds them if needed.
swift_tests() {
  local IFS='|'
  swift_test "^($*)[./]"
}

# swift_test FILTER ARGUMENT...: runs `swift test` with this filter and these arguments.
swift_test() {
  local filter=$1 output status=0 names
  shift
  output=$(mktemp)
  once "$filter" "$@" 2>&1 | tee "$output" || status=$?
  mapfile -t names < <(failed_swift_tests "$output")
  rm "$output"
  may_repeat "$status" "${#names[@]}" || return "$status"
  repeat "${names[@]}" -- once "$filter(.*[./])?($(IFS='|' && echo "${names[*]}"))[(]" "$@"
}
# shellcheck disable=SC2154 # of tiers.sh
once() { swift test "${built[@]}" --disable-xctest --filter "$@" </dev/null; }

# repeat_cases COMMAND: runs a command that prints `ok CASE` or `not ok CASE: REASON` and that accepts names of cases.
repeat_cases() {
  local output status=0 names
  output=$(mktemp)
  "$1" | tee "$output" || status=$?
  mapfile -t names < <(sed -nE 's/^not ok ([a-z0-9-]+).*$/\1/p' "$output")
  rm "$output"
  may_repeat "$status" "${#names[@]}" || return "$status"
  repeat "${names[@]}" -- "$1" "${names[@]}"
}

may_repeat() { (($1 != 0 && $2 > 0 && $2 <= MOST_REPEATED)); }

# repeat TEST... -- COMMAND...: runs the command, and reports these tests as recovered if it succeeds and has run a test. Its
# lines are marked, so that they are not counted.
repeat() {
  local names=() output status=0
  while [[ $1 != -- ]]; do names+=("$1") && shift; done
  shift
  printf -- '-- repeating %s\n' "${names[*]}"
  output=$(mktemp)
  "$@" 2>&1 | tee "$output" | sed 's/^/again: /' || status=$?
  # A filter that matches nothing succeeds.
  if grep -q 'Test run with 0 tests' "$output"; then status=1; fi
  rm "$output"
  ((status != 0)) || printf "$RECOVERED%s\n" "${names[@]}"
  return "$status"
}

count_recovered() { grep -c "^$RECOVERED" "$1" || true; }

# failed_swift_tests LOG: prints the name of the function of each failed test.
failed_swift_tests() {
  swift_test_lines "$1" | sed -nE 's/^✘ +Test ([A-Za-z0-9_]+)\(.* failed after [0-9.]+ s.*$/\1/p'
}
swift_test_lines() { sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -v '^again: ' || true; }

# Swift Testing ends with `Test run with 12 tests in 3 suites passed after 0.1 seconds.` (or `failed`, `with 2 issues`).
# Failed tests are counted by their result lines. A run that was aborted has no final line and counts as one failure.
count_swift_tests() {
  local plain run
  plain=$(swift_test_lines "$1")
  while read -r run; do passed=$((passed + run)); done < <(
    sed -nE 's/^.*Test run with ([0-9]+) tests?( in [0-9]+ suites?)? (passed|failed) after .*$/\1/p' <<<"$plain")
  failed=$(failed_swift_tests "$1" | wc -l)
  skipped=$(grep -cE '^➜ +Test .* skipped' <<<"$plain" || true)
  if grep -qE 'Test run with .* failed after ' <<<"$plain" && ((failed == 0)); then failed=1; fi
  if ! grep -qE 'Test run with ' <<<"$plain"; then failed=$((failed + 1)); fi
  failed=$((failed - $(count_recovered "$1")))
  passed=$((passed - failed - skipped))
  ((passed >= 0)) || passed=0
}
