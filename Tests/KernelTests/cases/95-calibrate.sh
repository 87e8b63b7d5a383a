#!/bin/bash
# Calibrating on a real pad: one that a running appliance keeps to itself is told apart, a free one is measured.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

broker 18832
subscribe 18832
bench pad
plug pad "$known"
configure mqtt://127.0.0.1:18832
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online
tell pad frame 0:600,300,400
expect sub.out live '.raw == 400'

start kept "$GRAMPAD" calibrate verify 200 --config grampad.yaml
finish kept
((status == 69)) || fail "a pad that is kept: $status, $(cat kept.err)"
says kept.err 'systemctl stop grampad' || fail "not said what to do: $(cat kept.err)"
signal run TERM
finish run

# It lies there without a word from the pad, two units a gram: 200 g.
start free "$GRAMPAD" calibrate verify 200 --rest 1 --json --config grampad.yaml
finish free
((status == 0)) || fail "a free pad: $status, $(cat free.err)"
jq --exit-status '.ok and .reads_g == 200 and .calibration == "kernel"' free.out >/dev/null || fail "$(cat free.out)"
