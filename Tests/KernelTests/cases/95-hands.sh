#!/bin/bash
# Force as a control: a finger scrubs through the weighings and recalls one, a void from the pad means that one and no other void does, and
# a control fades and always ends: lifted, unplugged, with the service.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# lit WORDS: waits until the pad was told so, in this order.
lit() { until_true "the pad was not told $1" heard_all "$1"; }

# id NUMBER: the id of the weighing with that number.
id() { payloads sub.out weighing | jq --raw-output "select(.sequence == $1) | .id"; }
# ended STATE COUNT: whether COUNT touches of the control have ended with STATE so far.
ended() { [[ $(payloads sub.out control/lamp | jq --slurp "map(select(.state == \"$1\")) | length") == "$2" ]]; }
found() { [[ $(payloads sub.out event | jq --slurp 'map(select(.type == "pad_found")) | length') == "$1" ]]; }

# Where the fingers come down: in the history, on the control and in the strip of the void; and up from there.
history=60,600 lamp=612,60 strip=1150,600
history_up=60,300 strip_up=1150,300

port=18832
broker "$port"
bench pad
plug pad "$known" led=yes
configure mqtt://127.0.0.1:18832 'pad:
  zones: {history: {x: [0, 0.15]}, void: {x: [0.85, 1]}}
  controls: {lamp: {x: [0.3, 0.7], y: [0, 0.2]}}'
subscribe "$port"
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

# 100 g and 200 g are recorded.
load=0:600,500,200
tell pad ramp 20 125 0:600,500,10 "$load"
expect sub.out stable '.net_g == 100'
"$GRAMPAD" commit --config grampad.yaml >commit.out || fail "commit: $(cat commit.out)"
load=0:600,500,400
tell pad frame "$load"
expect sub.out stable '.net_g == 200'
"$GRAMPAD" commit --config grampad.yaml >commit.out || fail "commit: $(cat commit.out)"
expect sub.out weighing '.sequence == 2'

# 50 g of a full press of 173 g preview the newer one, 55 g the older one. The slide recalls it.
tell pad frame "$load" 1:"$history",100
expect sub.out gesture '.action == "history" and .state == "selected" and .preview.sequence == 2'
lit 'LED_MISC=1'
tell pad frame "$load" 1:"$history",110
expect sub.out gesture '.preview.sequence == 1 and .preview.net_g == 100'
tell pad frame "$load" 1:"$history_up",110
expect sub.out event '.type == "recalled" and .weighing.sequence == 1 and .weighing.net_g == 100'
tell pad frame "$load"
expect sub.out gesture '.action == "history" and .state == "idle"'

# A press on the pad voids the recalled one. A command voids the last one.
tell pad frame "$load" 1:"$strip",380
expect sub.out gesture '.action == "void" and .state == "selected"'
tell pad frame "$load" 1:"$strip_up",380
expect sub.out gesture '.action == "void" and .state == "confirmed"'
lit 'LED_MISC=0'
tell pad frame "$load" 1:"$strip_up",60
tell pad frame "$load"
expect sub.out weighing ".kind == \"void\" and .source == \"pad\" and .voids == \"$(id 1)\""
"$GRAMPAD" void --config grampad.yaml >void.out || fail "void: $(cat void.out)"
expect sub.out weighing ".kind == \"void\" and .source == \"command_line\" and .voids == \"$(id 2)\""

# The control: lifted, unplugged, and pressed while the service ends.
tell pad frame "$load" 1:"$lamp",35
expect sub.out control/lamp '.state == "began" and .value > 0.1 and .value < 0.11 and .x > 0.49 and .x < 0.51'
tell pad frame "$load" 1:"$lamp",346
expect sub.out control/lamp '.state == "changed" and .value == 1'
tell pad frame "$load"
until_true "the control never ended" ended ended 1
tell pad frame "$load" 1:"$lamp",100
until_true "the control never began again" ended began 2
tell pad destroy
until_true "an unplugged control was not cancelled" ended cancelled 1
plug pad "$known" led=yes
until_true "the pad was not found again" found 2
tell pad frame 1:"$lamp",100
until_true "the control of the new pad never began" ended began 3
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
until_true "the end of the service did not cancel the control" ended cancelled 2

# None of the fingers was a load.
payloads sub.out live | jq --slurp --exit-status 'map(.gross_g) | max == 200' >/dev/null || fail "a finger was weighed"
