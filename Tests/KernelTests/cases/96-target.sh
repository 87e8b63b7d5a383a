#!/bin/bash
# A target: the pad sounds and shakes once when the net has reached it, and again only after it was empty.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

hears() { until_true "the pad was not told $1, but $heard" heard_all "$1"; }

# reached COUNT: whether the target was reached COUNT times so far.
reached() { [[ $(payloads sub.out event | jq --slurp 'map(select(.type == "target_reached")) | length') == "$1" ]]; }

port=18830
broker "$port"
bench pad
plug pad "$known" led=yes sound=tone rumble=yes
configure "mqtt://127.0.0.1:$port"
subscribe "$port"
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online
"$GRAMPAD" target 200 --tolerance 5 --config grampad.yaml >target.json || fail "target: $(cat target.json)"

# 400 counts are 200 g. Half of it is not enough.
tell pad ramp 20 125 0:600,300,10 0:600,300,200
expect sub.out stable '.net_g == 100 and .target.check == "under" and .target.remaining_g == 100'
tell pad feedback 100
[[ ${answer#ok feedback} != *SND_TONE* ]] || fail "the pad sounds below the target: $answer"
tell pad ramp 20 125 0:600,300,200 0:600,300,400
expect sub.out event '.type == "target_reached" and .target_g == 200 and .check == "ok"'
hears 'SND_TONE=1500 learned=0:49152/49152/120 shake=0:1 SND_TONE=0'
[[ $heard != *LED_MISC=1* ]] || fail "the light stays on: $heard"

# More load says nothing, another load after a release does.
heard=''
tell pad ramp 20 125 0:600,300,400 0:600,300,500
expect sub.out stable '.net_g == 250 and .target.check == "over"'
tell pad feedback 100
[[ ${answer#ok feedback} != *SND_TONE* ]] || fail "the pad sounds again: $answer"
reached 1 || fail "the target was reached more than once"
tell pad frame
tell pad ramp 20 125 0:600,300,10 0:600,300,400
until_true "the target was not reached again" reached 2
hears 'SND_TONE=1500 shake=0:1 SND_TONE=0'

signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
