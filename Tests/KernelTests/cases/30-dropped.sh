#!/bin/bash
# A reader that is too slow loses events (SYN_DROPPED): it notices, asks the kernel, and goes on with the truth.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench pad
plug pad "$known"
start record "$GRAMPAD" record "$node" -o pad.evemu
await pad.evemu '^A: 35 '
broker 18830
subscribe 18830
configure mqtt://127.0.0.1:18830 'pad: {grab: false}'
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

tell pad frame 0:600,300,100
expect sub.out live '.raw == 100'
signal run STOP
signal record STOP
# Contact 0 leaves and two others appear while no process reads. The flood is many times larger than the kernel's buffer.
tell pad flood 3000 1:500,300,120 2:700,300,80
note "${answer#ok flood } while no process read"
signal run CONT
signal record CONT
expect sub.out live '.raw == 200'
expect_text sub.out display '100 g'
expect sub.out stable '.raw == 200 and .net_g == 100'

await pad.evemu '^E: [0-9.]+ 0000 0003'
# The state after the gap is told too: a frame from then on weighs right.
tell pad frame 1:500,300,130 2:700,300,80
expect sub.out live '.raw == 210'
tell pad frame
expect_text sub.out display '0 g'
signal record INT
finish record
((status == 0)) || fail "record ended with $status"
"$GRAMPAD" replay pad.evemu --config grampad.yaml >replay.out || fail "the recording with a gap cannot be replayed"
jq --slurp --exit-status '[.[] | select(.topic == "live") | .payload.raw] | (index([210]) != null) and last == 0' replay.out \
  >/dev/null || fail "the replay of the recording with a gap ends elsewhere"
