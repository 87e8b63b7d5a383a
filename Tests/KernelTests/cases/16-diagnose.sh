#!/bin/bash
# `grampad diagnose` counts what a real device delivers, and says so if a running appliance uses the pad exclusively; then
# `report` leaves it out.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench pad
plug pad "$known"
start diagnose "$GRAMPAD" diagnose --seconds 8 --json --log-level info
# The search opens the node, too: a descriptor of it does not mean that samples are taken.
await diagnose.err 'pad found'
# A load that rises for two seconds and then rests: silence, which is no gap on an input device.
tell pad ramp 100 50 0:600,300,102 0:600,300,300
finish diagnose
((status == 0)) || fail "diagnose ended with $status: $(cat diagnose.err)"
jq --exit-status '.samples >= 90 and .samples <= 101 and .samples_per_second > 25 and .samples_per_second < 75 and
  .maximum == 300 and .axis_maximum == 1023 and .lost_events == 0 and .gaps == 0 and .calibration == "kernel" and
  .g_per_count == 0.5 and (.advice | length) == (.findings | length)' diagnose.out >/dev/null || fail "$(cat diagnose.out)"

configure embedded
start run "$GRAMPAD" run --config grampad.yaml
await run.err 'pad found'
start busy "$GRAMPAD" diagnose --config grampad.yaml
finish busy
((status == 69)) || fail "a pad that is in use: $status, $(cat busy.err)"
says busy.err 'systemctl stop grampad' || fail "not said what to do: $(cat busy.err)"
"$GRAMPAD" report --config grampad.yaml -o report.tar.gz 2>report.err || fail "report ended with $?: $(cat report.err)"
says report.err 'the diagnosis of the pad' || fail "the report does not say why it has no diagnosis: $(cat report.err)"
signal run TERM
finish run
