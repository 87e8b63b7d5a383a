#!/bin/bash
# Calibrating on a real pad: one that a running appliance keeps to itself is told apart, or is calibrated through the appliance's
# dashboard without being given up; a free one is measured.
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

# With its dashboard the appliance measures: without --appliance, and with the token from the configuration.
printf '0123456789abcdef\n' >token
chmod 600 token
sed -i 's/^dashboard:.*/dashboard: {port: 18834, token_file: token}/' grampad.yaml
start run "$GRAMPAD" run --config grampad.yaml
tell pad frame 0:600,300,402
expect sub.out live '.raw == 402'
# Without input it ends at the first step. Meanwhile and afterwards the appliance keeps the pad.
start shared "$GRAMPAD" calibrate --masses 100,200 --rest 1 --config grampad.yaml
finish shared
((status == 1)) || fail "through the dashboard: $status, $(cat shared.err)"
for words in 'a running appliance uses the pad; calibrating through http://127.0.0.1:18834' 'Calibrating Test Force Pad' \
  '1 of 5: Take everything off the pad' 'nothing written'; do
  says shared.err "$words" || fail "not said: $words: $(cat shared.err)"
done
tell pad grab "$node"
[[ $answer == "ok grab busy" ]] || fail "the appliance has given up the pad"
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
[[ ! -e grampad.settings.yaml ]] || fail "a calibration was stored"

# It lies there without a word from the pad, two units a gram: 200 g.
tell pad frame 0:600,300,400
start free "$GRAMPAD" calibrate verify 200 --rest 1 --json --config grampad.yaml
finish free
((status == 0)) || fail "a free pad: $status, $(cat free.err)"
jq --exit-status '.ok and .reads_g == 200 and .calibration == "kernel"' free.out >/dev/null || fail "$(cat free.out)"
