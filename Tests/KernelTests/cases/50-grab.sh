#!/bin/bash
# A grabbed pad does not move the pointer: no other process receives its events. It is released when the scale ends.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

broker 18830
subscribe 18830
bench pad
plug pad "$known"
tell pad open "$node"
configure mqtt://127.0.0.1:18830
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online
# Its first reading says that it has opened the pad. (Asking for the grab before would get in its way.)
tell pad frame 0:600,300,50
expect sub.out live '.raw == 50'
tell pad grab "$node"
[[ $answer == "ok grab busy" ]] || fail "the pad is not grabbed"
tell pad seen
tell pad frame 0:600,300,100
expect sub.out live '.raw == 100'
tell pad seen
[[ $answer == "ok seen events=0" ]] || fail "another reader got events of a grabbed pad: $answer"
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
tell pad grab "$node"
[[ $answer == "ok grab free" ]] || fail "the pad is not free after the end"

configure mqtt://127.0.0.1:18830 'pad: {grab: false}'
start run "$GRAMPAD" run --config grampad.yaml
# This load may be on the pad before the scale is: it is weighed all the same.
tell pad frame 0:600,300,120
expect sub.out live '.raw == 120'
tell pad seen
[[ $answer != "ok seen events=0" ]] || fail "with grab: false, no other process received the events"
tell pad grab "$node"
[[ $answer == "ok grab free" ]] || fail "with grab: false, the pad is grabbed"
