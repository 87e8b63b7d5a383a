#!/bin/bash
# What the kernel delivered is what is recorded, and what is recorded is what is weighed: raw at every frame.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench pad
plug pad "$known"
start record "$GRAMPAD" record "$node" -o pad.evemu
# The recording begins with the description, so it is there when the device is open.
await pad.evemu '^A: 35 '

loads=(20 180 400 401 399 400 250)
tell pad frame 0:600,300,10
for load in "${loads[@]}"; do tell pad frame 0:600,300,"$load" 1:700,400,50; done
tell pad frame
# The last frame lifts both contacts; it is in the file before the recorder is asked to end. The first frame of the file is
# the state in which the recorder found the pad.
complete() { (($(grep -cE '^E: [0-9.]+ 0000 0000 0' pad.evemu) == ${#loads[@]} + 3)); }
until_true "the recording never had all frames" complete
signal record INT
finish record
((status == 0)) || fail "record ended with $status"

# Every frame sent is in the file, with the sum it had: read by other means than the product's own.
sums=$(awk '
  BEGIN { slot = 0 }
  $1 != "E:" { next }
  $3 $4 == "0003002f" { slot = $5 + 0 }
  $3 $4 == "00030039" { touching[slot] = $5 + 0 >= 0 }
  $3 $4 == "0003003a" { pressure[slot] = $5 + 0 }
  $3 $4 == "00000000" {
    sum = 0
    for (each in touching) if (touching[each]) sum += pressure[each]
    printf "%d ", sum
  }' pad.evemu)
[[ $sums == "0 10 70 230 450 451 449 450 300 0 " ]] || fail "the recorded frames weigh $sums"

configure embedded
"$GRAMPAD" replay pad.evemu --config grampad.yaml >replay.out || fail "replay ended with $?"
"$GRAMPAD" replay pad.evemu --config grampad.yaml >again.out
cmp -s replay.out again.out || fail "two replays of one recording differ"
jq --slurp --exit-status '[.[] | select(.topic == "display") | .payload] | last == "0 g"' replay.out >/dev/null ||
  fail "the scale is not empty at the end"
jq --slurp --exit-status 'any(.[]; .topic == "live" and .payload.state == "empty" and .payload.raw == 0)' replay.out \
  >/dev/null || fail "no empty reading after the lift"

# Every raw published is the sum of some frame.
jq --slurp --exit-status '
  [.[] | select(.topic == "live") | .payload.raw] - [0, 10, 70, 230, 450, 451, 449, 300] == []' replay.out >/dev/null ||
  fail "a raw that no frame had: $(jq -c 'select(.topic == "live") | .payload.raw' replay.out | sort -u | tr '\n' ' ')"
