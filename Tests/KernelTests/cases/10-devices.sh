#!/bin/bash
# `grampad devices` tells which pads can weigh and why others cannot; no device at all is exit code 66.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

code=0
"$GRAMPAD" devices --json >none.out 2>none.err || code=$?
expected=0
if jq --exit-status '. == []' none.out >/dev/null; then expected=66; fi
[[ $code == "$expected" ]] || fail "devices ended with $code where there is no pad: $(tail -n 1 none.err)"
jq --exit-status '(.devices? // .) | map(select(.can_weigh)) == []' none.out >/dev/null ||
  fail "a device that weighs, before one was made"

bench pad
plug pad name=\"Force Pad\" "$known" vendor=1209 product=4751
weighing=$node
bench plain
plug plain kind=plain name=\"Plain Pad\"
plain=$node
bench single
plug single kind=single name=\"Single Pad\" x=none y=none
single=$node

"$GRAMPAD" devices --json >some.out 2>some.err || fail "devices failed: $(tail -n 1 some.err)"
device() { jq --exit-status "(.devices? // .) | map(select(.path == \"$1\")) | length == 1 and all(.[]; $2)" some.out >/dev/null; }
device "$weighing" '.name == "Force Pad" and .can_weigh' || fail "$weighing should weigh"
device "$single" '.name == "Single Pad" and .can_weigh' || fail "$single should weigh"
device "$plain" '.name == "Plain Pad" and (.can_weigh | not) and (.reason | length > 0)' ||
  fail "$plain should be refused, with a reason"

"$GRAMPAD" devices >table.out 2>table.err || fail "devices without --json failed"
says table.out 'Force Pad' || fail "the table does not name the pad"
