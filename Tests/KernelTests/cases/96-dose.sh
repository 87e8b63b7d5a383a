#!/bin/bash
# Doses: a plug that follows the output pours onto the pad while it is on, and a little longer. The scale switches it off
# ahead of the target, the second time by what it has learned; a lifted cup switches it off at once.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# switched: how often the output was switched, and to what at last.
switched() { sed -n 's|^cmnd/grinder/POWER ||p' plug.out | uniq | tr '\n' ' '; }
is_on() { [[ $(sed -n 's|^cmnd/grinder/POWER ||p' plug.out | tail -n 1) == ON ]]; }
is_off() { ! is_on; }

# steps COUNT: pours half a gram COUNT times, every 80 ms.
steps() {
  local step
  for ((step = 0; step < $1; step++)); do
    tell pad ramp 10 125 "0:600,300,$counts" "0:600,300,$((counts + 1))"
    counts=$((counts + 1))
  done
}

# pour: pours while the plug is on, and for 400 ms after that.
pour() {
  while is_on; do steps 1; done
  steps 5
}

# dosed NUMBER FILTER: waits until this number of doses has ended; the last one has to be as the filter says.
dosed() {
  local last
  until_true "dose $1 did not end" has_ended "$1"
  last=$(doses | tail -n 1)
  jq --exit-status "$2" <<<"$last" >/dev/null || fail "dose $1 is not $2: $last"
}
doses() { payloads sub.out event | jq --compact-output 'select(.type == "dosed")'; }
has_ended() { (($(doses | wc -l) == $1)); }

port=18832
broker "$port"
bench pad
plug pad "$known"
configure "mqtt://127.0.0.1:$port" 'outputs: [{name: grinder, topic: cmnd/grinder/POWER}]'
subscribe "$port"
start plug stdbuf -oL mosquitto_sub -h 127.0.0.1 -p "$port" -d -v -t 'cmnd/#'
await plug.out '^Subscribed'
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

# A cup of 100 g.
counts=200
tell pad ramp 20 125 0:600,300,10 "0:600,300,$counts"
expect sub.out stable '.net_g == 100'
"$GRAMPAD" tare --config grampad.yaml >tare.json || fail "tare: $(cat tare.json)"
is_off || fail "the plug was switched on without a dose"

"$GRAMPAD" dose grinder 20 --label beans --config grampad.yaml >dose.json || fail "dose: $(cat dose.json)"
until_true "the plug was never switched on" is_on
pour
dosed 1 '.output == "grinder" and .label == "beans" and .target_g == 20 and .reason == "reached" and .learned'

# The pour after the stop takes longer than the scale has assumed: now it knows. Under emulation the flow is uneven.
"$GRAMPAD" tare --config grampad.yaml >tare.json || fail "tare: $(cat tare.json)"
"$GRAMPAD" dose grinder 20 --label beans --config grampad.yaml >dose.json || fail "dose: $(cat dose.json)"
until_true "the plug was never switched on again" is_on
pour
dosed 2 '.reason == "reached" and (.error_g | fabs) <= 3'
expect sub.out learned 'any(.label == "beans" and .doses == 2)'

# The cup is lifted while the plug is on.
"$GRAMPAD" tare --config grampad.yaml >tare.json || fail "tare: $(cat tare.json)"
"$GRAMPAD" dose grinder 20 --config grampad.yaml >dose.json || fail "dose: $(cat dose.json)"
until_true "the plug was never switched on for the third dose" is_on
steps 10
tell pad frame
until_true "the plug stays on without a cup" is_off
dosed 3 '.reason == "lifted" and .result_g == null and (.learned | not)'

signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
[[ $(switched) == 'OFF ON OFF ON OFF ON OFF ' ]] || fail "the plug was switched: $(switched)"
