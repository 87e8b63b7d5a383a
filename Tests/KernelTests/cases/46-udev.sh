#!/bin/bash
# The real udev by our rules: the pad that one line names, and no other device, is for Grampad alone, has the lasting
# name and is kept from the desktop, whatever the pad calls itself and whatever number it gets.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
root=$(dirname "$0")/../../..
udevd=/lib/systemd/systemd-udevd
[[ -x $udevd ]] || fail "there is no $udevd: install Debian's package udev"

# What the package brings: the user, and its rules.
printf 'grampad:x:980:980::/nonexistent:/usr/sbin/nologin\n' >>/etc/passwd
printf 'grampad:x:980:\n' >>/etc/group
cp "$root/deploy/debian/grampad.udev" /etc/udev/rules.d/72-grampad.rules
start udevd "$udevd"
until_true "udev did not start" test -S /run/udev/control

link=/dev/input/grampad
state() { stat --format='%U:%G %a' "$1"; }
is() { [[ $(state "$1") == "$2" ]]; }
property() { udevadm info --query=property --name="$1" | grep -qx "$2"; }

# The guest's files are below a chroot, in which udevadm would otherwise do nothing.
export SYSTEMD_IGNORE_CHROOT=1

# A name with all that a rule would take for something of its own, and a device that differs in nothing but the name.
# shellcheck disable=SC2016 # the dollar is the name's own
name='Wäge | * [a-z] ?x\ $k Pad'
bench pad
plug pad name="\"$name\"" "$known" vendor=1209 product=4751
pad=$node
bench other
plug other name=\"Other Pad\" "$known" vendor=1209 product=4751
other=$node
until_true "udev did not treat the pad" is "$pad" 'root:input 660'
[[ ! -e $link ]] || fail "there is a link before there is a rule"

"$GRAMPAD" devices --udev "$name" >/etc/udev/rules.d/71-grampad-pad.rules || fail "no rule was printed"
note "$(tail -n 1 /etc/udev/rules.d/71-grampad-pad.rules)"
# The very words of the comment above the rule.
line=$(sed -n 's/^#   \(udevadm .*\)$/\1/p' /etc/udev/rules.d/71-grampad-pad.rules)
[[ -n $line ]] || fail "the rule does not say how to put it into force"
bash -c "$line" || fail "this failed: $line"
if grep -E "grampad.*\.rules:[0-9]+" udevd.err; then fail "udev finds fault with a rule"; fi

guarded() {
  until_true "the link does not lead to $1" eval "[[ \$(readlink -f $link) == $1 ]]"
  until_true "$1 is $(state "$1")" is "$1" 'grampad:grampad 600'
  property "$1" LIBINPUT_IGNORE_DEVICE=1 || fail "the desktop is not told to ignore the pad"
  for sibling in "/sys/class/input/${1##*/}/device"/{mouse,js}[0-9]*; do
    [[ ! -e $sibling ]] || is "/dev/input/${sibling##*/}" 'grampad:grampad 600' || fail "${sibling##*/} can be read"
  done
}
guarded "$pad"
is "$other" 'root:input 660' || fail "$other, not the pad, is $(state "$other")"
if property "$other" LIBINPUT_IGNORE_DEVICE=1; then fail "the desktop is told to ignore another device"; fi
setpriv --reuid=980 --regid=980 --clear-groups cat "$link" >/dev/null 2>cat.err &
setpriv --reuid=nobody --regid=input --clear-groups timeout 2 cat "$link" >/dev/null 2>denied.err || true
says denied.err 'Permission denied' || fail "somebody else can read the pad"
[[ ! -s cat.err ]] || fail "grampad cannot read the pad: $(cat cat.err)"

# Under another number: another device takes its place meanwhile.
tell pad destroy
until_true "the link stays without the pad" eval "[[ ! -L $link ]]"
bench third
plug third kind=plain
plug pad name="\"$name\"" "$known" vendor=1209 product=4751
[[ $node != "$pad" ]] || fail "the pad is back under its old number"
guarded "$node"
kill -TERM "${processes[udevd]}"
