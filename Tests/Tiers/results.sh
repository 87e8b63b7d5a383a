# shellcheck shell=bash disable=SC2154 # the table
# Counts and reports the results of tiers. Meant to be sourced after table.sh.
#
# Two kinds of lines are results: `ok NAME` or `not ok NAME: REASON`, and those of Swift Testing.

rows=()
faults=()
total_passed=0
total_failed=0

plain_text() { sed 's/\x1b\[[0-9;]*m//g' "$@"; }

# count_results LOG: sets passed, failed and skipped.
#
# Swift Testing ends with `Test run with 12 tests in 3 suites passed after 0.1 seconds.` (or `failed`, `with 2 issues`). Failed tests
# are counted by their result lines.
count_results() {
  local plain tests=0 tests_failed run
  plain=$(plain_text "$1")
  while read -r run; do tests=$((tests + run)); done < <(
    sed -nE 's/^.*Test run with ([0-9]+) tests?( in [0-9]+ suites?)? (passed|failed) after .*$/\1/p' <<<"$plain")
  tests_failed=$(grep -cE '^✘ +Test [A-Za-z0-9_]+\(.* failed after [0-9.]+ s' <<<"$plain" || true)
  skipped=$(grep -cE '^➜ +Test .* skipped' <<<"$plain" || true)
  failed=$((tests_failed + $(grep -c '^not ok ' <<<"$plain" || true)))
  if grep -qE 'Test run with .* failed after ' <<<"$plain" && ((tests_failed == 0)); then failed=$((failed + 1)); fi
  passed=$((tests - tests_failed - skipped + $(grep -c '^ok ' <<<"$plain" || true)))
  ((passed >= 0)) || passed=0
}

# add_row TIER STATUS SECONDS PROCESSOR_SECONDS: counts the results in the log of a tier that has ended, and prints a line.
add_row() {
  local tier=$1 status=$2 log=.build/test-logs/$1.log result passed failed skipped
  count_results "$log"
  if ((skipped > 0)) && [[ -n ${CI:-} ]]; then failed=$((failed + skipped)); fi
  if ((status != 0 && failed == 0)); then failed=1; fi
  if ((passed + failed == 0)); then failed=1 && echo 'No tests were run.' >>"$log"; fi
  result=$( ((failed == 0)) && echo passed || echo FAILED)
  printf -- '-- %s: %s in %s s (%s ok, %s not ok, %s skipped)\n' "$tier" "$result" "$3" "$passed" "$failed" "$skipped"
  rows+=("$(printf '%-13s %-6s %6s %6s %7s %7s %9s  %s' "$tier" "$result" "$passed" "$failed" "$skipped" "$3" "$4" \
    "${title[$tier]}")")
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  ((failed == 0)) || faults+=("$(what_failed "$tier" "$log")")
}

# what_failed TIER LOG: prints the lines that report failures, including the details of Swift Testing, or else the last lines.
what_failed() {
  local lines
  lines=$(plain_text "$2" | awk '
    /^✘|^not ok |(^|: )error: |Fatal error: / { print; below = 8; next }
    /^↳|^ / && below > 0 { print; below -= 1; next }
    { below = 0 }' | cut -c -1000 | head -n 120)
  printf '%s (.build/test-logs/%s.log):\n%s\n' "$1" "$1" "${lines:-$(tail -n 30 "$2")}"
}

# slowest_tests NUMBER: prints the tests of Swift Testing that took longest, in seconds: all cases of a test together, without the
# waits for a place among those that run at a time.
slowest_tests() {
  {
    plain_text .build/test-logs/*.log | sed -nE 's/^([A-Za-z0-9_]+\(.*\)) had its turn for ([0-9.]+) seconds$/turn \2 \1/p'
    cat .build/test-logs/*.events |
      jq --raw-output 'select(.kind == "event").payload | select(.kind == "testCaseStarted" or .kind == "testCaseEnded") |
        "case \(.instant.absolute * if .kind == "testCaseStarted" then -1 else 1 end) \(.testID | split("/")[-2])"'
  } | awk '{ name = substr($0, index($0, $3)) } $1 == "turn" { turn[name] += $2 } $1 == "case" { time[name] += $2 }
      END { for (name in time) printf "%.1f %s\n", name in turn ? turn[name] : time[name], name }' |
    sort --general-numeric-sort --reverse | sed -n "1,$1p"
}

# Prints the failures, the summary and the line that programs parse, and exits.
report() {
  slowest_tests 40 >.build/test-logs/slowest.txt || true
  ((${#faults[@]} == 0)) || printf '\nFailed in %s\n' "${faults[@]}"
  printf '\n%-13s %-6s %6s %6s %7s %7s %9s  %s\n' tier result passed failed skipped seconds processor description
  printf '%s\n' "${rows[@]}"
  printf '%s s in total. The slowest tests are in .build/test-logs/slowest.txt.\n' "$SECONDS"
  printf '\n%s passed, %s failed\n' "$total_passed" "$total_failed"
  exit $((total_failed > 0))
}
