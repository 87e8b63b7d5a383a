#!/bin/bash
# A Wii Balance Board, made by uinput as hid-wiimote describes it: recognised, weighed, recorded, and replayed. Two of its
# axes as a list are added.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench pad
plug pad kind=board
"$GRAMPAD" devices --json >devices.out 2>devices.err || fail "devices failed: $(tail -n 1 devices.err)"
jq --exit-status ".[] | select(.path == \"$node\") | .can_weigh and .chosen and .axis.maximum == 3400 and
  .axis.units_per_gram == 0.1 and (.axis.names | length) == 4 and
  .recommended_scale == {capacity_g: 136000, division_g: 10}" devices.out >/dev/null || fail "the board: $(cat devices.out)"
"$GRAMPAD" devices >table.out 2>table.err || fail "devices without --json failed"
says table.out 'capacity_g: 136000, division_g: 10' || fail "no settings are recommended: $(cat table.out)"

# The board rests with some units on each corner, as one does.
tell pad corners 12 9 14 11
start record "$GRAMPAD" record "$node" -o board.evemu
await board.evemu '^A: 13 '
broker 18833
subscribe 18833
scale='scale: {capacity_g: 136000, division_g: 10}
stability: {motion_g: 50}
publish: {contacts: true}'
configure mqtt://127.0.0.1:18833 "$scale
pad: {grab: false}"
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online
expect sub.out event '.type == "zeroed"'

# 20 kg in the middle, then at the left edge, then nothing; no zone takes the load for a press.
tell pad corners 512 509 514 511
expect_text sub.out display '20000 g'
expect sub.out stable '.net_g == 20000 and .calibration == "kernel" and .raw == 2046'
tell pad corners 12 9 1014 1011
expect sub.out contacts '.contacts[0].x < 0.02 and .contacts[0].y > 0.45 and .contacts[0].y < 0.55'
expect sub.out live '.raw == 2046 and .state == "stable"'
tell pad corners 3400 9 14 11
expect sub.out live '.overload and .net_g == null'
tell pad corners 12 9 14 11
expect sub.out live '.state == "empty" and .gross_g == 0 and .raw == 46'
signal run TERM
finish run

complete() { (($(grep -cE '^E: [0-9.]+ 0000 0000 0' board.evemu) >= 5)); }
until_true "the recording never had all frames" complete
signal record INT
finish record
((status == 0)) || fail "record ended with $status"
"$GRAMPAD" replay board.evemu --config grampad.yaml >replay.out || fail "replay ended with $?"
jq --slurp --exit-status 'any(.[]; .topic == "stable" and .payload.net_g == 20000) and
  any(.[]; .topic == "live" and .payload.overload)' replay.out >/dev/null || fail "$(cut -c 1-300 replay.out)"

# The left side alone: two axes, each in the units of the board.
configure embedded "$scale
pad: {axis: [ABS_HAT1X, ABS_HAT1Y]}"
"$GRAMPAD" replay board.evemu --config grampad.yaml >left.out || fail "replay of two axes ended with $?"
jq --slurp --exit-status '[.[] | select(.topic == "live") | .payload.raw] | unique - [25, 1025, 2025] == []' left.out \
  >/dev/null || fail "$(jq -c 'select(.topic == "live") | .payload.raw' left.out | sort -u | tr '\n' ' ')"
