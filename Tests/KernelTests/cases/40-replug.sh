#!/bin/bash
# The scale starts without a pad, even where /dev/input does not exist yet, outlives its unplugging, and weighs again
# when it is back.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# Where no driver of the kernel makes a device at its start there is no such folder; the kernel makes it when needed.
rm -rf /dev/input
broker 18830
subscribe 18830
configure mqtt://127.0.0.1:18830
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

bench pad
plug pad "$known"
expect sub.out event '.type == "pad_found"'
tell pad frame 0:600,300,100
expect sub.out live '.raw == 100 and .state != "offline"'

told() { (($(payloads sub.out event | jq -c "select(.type == \"$1\")" | wc -l) == $2)); }
for round in 1 2 3; do
  tell pad destroy
  until_true "pad_lost was not told $round times" told pad_lost "$round"
  plug pad "$known"
  until_true "pad_found was not told $((round + 1)) times" told pad_found "$((round + 1))"
  # A load of its own in each round, so that an old message cannot be taken for a new one.
  tell pad frame 0:600,300,$((100 + 100 * round))
  expect sub.out live ".raw == $((100 + 100 * round))"
  expect_text sub.out display "$((50 + 50 * round)) g"
done
expect sub.out live '.state == "offline"'
kill -0 "${processes[run]}" || fail "the scale ended"
