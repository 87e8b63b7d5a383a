#!/bin/bash
# A pad whose range is empty weighs as soon as it is corrected, and one whose range changes is opened again: udev touches the node and
# applies its hardware database afterwards.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

broker 18830
subscribe 18830
configure mqtt://127.0.0.1:18830
bench pad
plug pad pressure=0:0:0
start run "$GRAMPAD" run --config grampad.yaml
await run.err 'range of ABS_MT_PRESSURE|waiting for a pad'

# In udev's order: the node first, the range after it.
touch "$node"
tell pad range "$node" ABS_MT_PRESSURE 0 1023 2
expect sub.out event '.type == "pad_found"'
tell pad frame 0:600,300,400
expect_text sub.out display '200 g'

# Half as many counts per gram: the same 400 counts are 400 g, beyond the capacity.
tell pad range "$node" ABS_MT_PRESSURE 0 4095 1
touch "$node"
expect sub.out event '.type == "pad_lost"'
expect sub.out live '.raw == 400 and .state == "overload"'
says run.err 'ranges of its axes have changed' || fail "the log does not say why the pad was opened again"
kill -0 "${processes[run]}" || fail "the scale ended"
