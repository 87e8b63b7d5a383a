#!/bin/bash
# Keys and buttons: pressed, repeating, held when their device is opened, unplugged while held, lost in a flood; and the
# pad's own, which only the pad tells, since it is grabbed.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

# times COUNT PATTERN: whether the probe has said that so often.
times() { (($(grep -c -- "$2" probe.out) == $1)); }

bench board
plug board kind=keys name=\"gpio-keys\" keys=KEY_ENTER,KEY_SPACE
board=$node
bench other
plug other kind=keys name=\"Keyboard\" keys=KEY_ENTER,KEY_SPACE
other=$node
bench pad
plug pad kind=single "$known"
pad=$node
# The pad's key is bound by another name of the pad: its device is the same.
mkdir -p /dev/input/by-id
ln -s "../${pad##*/}" /dev/input/by-id/pad
tell other key KEY_ENTER 1
probe auto auto=KEY_ENTER=commit match:gpio-keys::=KEY_SPACE=tare /dev/input/by-id/pad=BTN_LEFT=zero
await probe.out "^found $pad"
await probe.out "^listens $board $other\$"

# Held while it repeats: one press, one release.
repeats() {
  tell board seen
  seen=$((seen + ${answer#*events=}))
  ((seen > 8))
}
seen=0
tell board open "$board"
tell board key KEY_ENTER 1
await probe.out '^button 0 commit pressed'
until_true "the key never repeated" repeats
tell board key KEY_ENTER 0
await probe.out '^button 0 commit released'
times 2 '^button' || fail "a repeating key told: $(grep '^button' probe.out | tr '\n' ' ')"

# Held by the times of the events, though both are read at once.
signal probe STOP
tell board key KEY_SPACE 1
tell pad ramp 31 100 0:600,300,10 0:600,300,100
tell board key KEY_SPACE 0
signal probe CONT
await probe.out '^button 1 tare released'
held=$(sed -n '/^button 1 tare released/{n;s/^held \([0-9]*\) ms/\1/p}' probe.out)
((held >= 300)) || fail "a key held for 300 ms was held $held ms"
note "a key held for 300 ms or more was held $held ms by its events"

# The other keyboard's key was down from the start: no press until it was let go. Its space key is not bound.
tell other key KEY_SPACE 1
tell other key KEY_ENTER 0
tell other key KEY_ENTER 1
await probe.out '^button 2 commit pressed'
tell other key KEY_ENTER 0
await probe.out '^button 2 commit released'

# Events are lost while the key is held. Its state afterwards does not count as a press.
tell board key KEY_ENTER 1
until_true "the key was not pressed again" times 2 '^button 0 commit pressed'
signal probe STOP
for _ in {1..60}; do
  tell board key KEY_ENTER 0
  tell board key KEY_ENTER 1
done
signal probe CONT
await probe.out '^button 0 commit lost'
tell board key KEY_SPACE 1
until_true "nothing more was told" times 2 '^button 1 tare pressed'
times 4 '^button 0 commit' || fail "after a gap: $(grep '^button 0' probe.out | tr '\n' ' ')"

# Unplugged while it is held, and back.
tell board destroy
await probe.out '^button 1 tare lost'
await probe.out "^listens $other\$"
plug board kind=keys name=\"gpio-keys\" keys=KEY_SPACE
until_true "the board was not found again" times 2 "^listens $node $other\$"
tell board key KEY_SPACE 1
await probe.out '^button 3 tare pressed'

# The pad's own key, under a grab: told once, and lost with the pad.
tell pad grab "$pad"
[[ $answer == "ok grab busy" ]] || fail "the pad is not grabbed"
tell pad frame 0:600,300,100
tell pad key BTN_LEFT 1
await probe.out '^button -1 zero pressed'
tell pad destroy
await probe.out '^button -1 zero lost'
await probe.out '^lost'
# Nor did anybody lift the finger: the frame in which it is gone follows a gap.
[[ $(grep '^frame' probe.out | tail -n 1) == "frame after gap 0" ]] || fail "unplugging was a lift"
times 2 zero || fail "the pad's key told: $(grep zero probe.out | tr '\n' ' ')"
rm -r /dev/input/by-id
dismiss
finish probe
((status == 0)) || fail "the probe ended with $status"
