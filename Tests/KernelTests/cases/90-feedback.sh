#!/bin/bash
# The pad shows, sounds and shakes what a press has come to, and a pad that hangs delays no frame.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# hears NAME WORDS: what that pad was told so far has them, in this order.
heard=''
heard_all() {
  tell "$1" feedback 100
  heard+=${answer#ok feedback}
  [[ $heard == *${2// /*}* ]]
}
hears() {
  heard=''
  until_true "the pad was not told $2" heard_all "$1" "$2"
}

bench pad
plug pad "$known" led=yes sound=tone rumble=yes
probe "$node"
await probe.out '^frame after gap 0'
ask selected
hears pad 'LED_MISC=1 SND_TONE=1000 learned=0:0/24576/50 shake=0:1 SND_TONE=0'
ask confirmed
hears pad 'SND_TONE=2000 learned=1:49152/49152/120 shake=1:1 SND_TONE=0'
ask selected
hears pad 'SND_TONE=1000 shake=0:1 SND_TONE=0'
ask ended
hears pad 'LED_MISC=0'

# What the pad is told comes back to its reader, but is no frame: after the first there is one for each of these.
tell pad frame 0:600,300,100
await probe.out '^frame 100'
ask selected
hears pad 'LED_MISC=1'
tell pad frame 0:600,300,200
await probe.out '^frame 200'
[[ $(grep -c '^frame' probe.out) == 3 ]] || fail "the pad's own echo made frames: $(grep '^frame' probe.out | tr '\n' ' ')"

# It is still lit: the end switches it off. The kernel forgets what its owner has taught the pad.
dismiss
hears pad 'LED_MISC=0 forgot=0 forgot=1'
finish probe
((status == 0)) || fail "the probe ended with $status"
tell pad destroy

# A bell, and no light.
plug pad "$known" sound=bell
probe "$node"
await probe.out '^frame after gap 0'
ask confirmed
hears pad 'SND_BELL=1 SND_BELL=0'
dismiss
finish probe
tell pad destroy

# This pad never answers: a process that uploads an effect waits for 30 s.
bench stuck
plug stuck "$known" led=yes rumble=yes
probe "$node"
await probe.out '^frame after gap 0'
ask selected
ask confirmed
before=${EPOCHREALTIME/./}
for load in 100 200 300; do
  tell stuck frame 0:600,300,$load
  await probe.out "^frame $load"
done
took=$(((${EPOCHREALTIME/./} - before) / 1000))
note "three frames of a pad that hangs took $took ms"
((took < 10000)) || fail "frames of a pad that hangs took $took ms"
tell stuck destroy
await probe.out '^lost'
dismiss
finish probe
((status == 0)) || fail "the probe of a pad that hangs ended with $status"

# A pad without feedback works.
plug stuck "$known"
probe "$node"
await probe.out '^frame after gap 0'
ask confirmed
tell stuck frame 0:600,300,100
await probe.out '^frame 100'
dismiss
finish probe
! says probe.err warning || fail "a pad without lights is warned of: $(tail -n 1 probe.err)"
