#!/bin/bash
# Confirming by force, the whole way: a press on the pad, its light, the journal, the broker, a subscriber; and a key.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# lit PATTERN: waits until the pad was told so, in this order.
lit() { until_true "the pad was not told $1" heard_all "$1"; }

# confirmed COUNT: whether COUNT presses were confirmed so far.
confirmed() {
  [[ $(payloads sub.out gesture | jq --slurp '
    reduce .[].state as $state ([]; if last == $state then . else . + [$state] end)
    | map(select(. == "confirmed")) | length') == "$1" ]]
}
found() { [[ $(payloads sub.out event | jq --slurp 'map(select(.type == "pad_found")) | length') == "$1" ]]; }
# In the commit strip: where the finger comes down, and up in the confirm area.
commit=1150,600
up=1150,300

port=18830
broker "$port"
bench pad
plug pad "$known" led=yes
bench board
plug board kind=keys name=\"gpio-keys\" keys=KEY_ENTER
configure mqtt://127.0.0.1:18830 'buttons: [{device: {name: gpio-keys}, key: KEY_ENTER, action: commit}]
confirm: {hold_ms: 300}'
subscribe "$port"
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

# 400 counts are 200 g. A finger comes down in the commit strip, presses with 190 g and slides up.
tell pad ramp 20 125 0:600,300,10 0:600,300,400
expect sub.out stable '.net_g == 200'
tell pad frame 0:600,300,400 1:"$commit",100
expect sub.out gesture '.action == "commit" and .state == "updating"'
tell pad frame 0:600,300,400 1:"$commit",380
expect sub.out gesture '.state == "selected" and .preview.net_g == 200'
lit 'LED_MISC=1'
tell pad frame 0:600,300,400 1:"$up",380
expect sub.out gesture '.state == "confirmed"'
# The force falls while the finger lifts.
tell pad frame 0:600,300,400 1:"$up",60
tell pad frame 0:600,300,400
expect sub.out weighing '.sequence == 1 and .net_g == 200 and .source == "pad" and .historical == false'
expect sub.out weighing/last '.sequence == 1'
expect sub.out result '.action == "commit" and .ok and .weighing.sequence == 1'
expect sub.out gesture '.state == "idle"'
lit 'LED_MISC=0'

# Unplugged while it is confirmed: the kernel lifts the finger, and nothing fires.
tell pad frame 0:600,300,400 1:"$commit",380
tell pad frame 0:600,300,400 1:"$up",380
until_true "not confirmed again" confirmed 2
tell pad destroy
expect sub.out event '.type == "pad_lost"'

# A key that is held for the time, with a new pad and 100 g.
plug pad "$known" led=yes
until_true "the pad was not found again" found 2
tell pad ramp 20 125 0:600,300,10 0:600,300,200
expect sub.out stable '.net_g == 100'
tell board key KEY_ENTER 1
until_true "the key never filled the ring" confirmed 3
tell board key KEY_ENTER 0
expect sub.out weighing '.sequence == 2 and .net_g == 100 and .source == "button"'

"$GRAMPAD" history --config grampad.yaml --json >history.json
jq --exit-status 'map([.sequence, .net_g]) == [[1, 200], [2, 100]]' history.json >/dev/null ||
  fail "the journal has $(cat history.json)"
"$GRAMPAD" history verify --config grampad.yaml >verify.out || fail "verify: $(cat verify.out)"
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
