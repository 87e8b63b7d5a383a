#!/bin/bash
# The pad is found by the udev rule, is the service's alone, no pointer of a desktop, and what lies on it is published.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

[[ -L /dev/input/grampad ]] || fail "there is no link /dev/input/grampad"
node=$(readlink -f /dev/input/grampad)
[[ $(stat -c '%a %U:%G' "$node") == '600 grampad:grampad' ]] || fail "$node is $(stat -c '%a %U:%G' "$node")"
if setpriv --reuid nobody --regid input --clear-groups head -c 24 "$node" >other.out 2>&1; then
  fail "another user, of the group input, reads $node"
fi
grep -q 'Permission denied' other.out || fail "another user got: $(cat other.out)"
udevadm info --query=property "$node" >udev.out
grep -qx 'LIBINPUT_IGNORE_DEVICE=1' udev.out || fail "libinput is not told to ignore it"
! grep -qE '^(CURRENT_)?TAGS=.*:uaccess:' udev.out || fail "who sits at the machine may read it"

subscribe operator 'grampad/scale/#'
hear 'availability online'
hear 'health .*"pad":\{"state":"present"'
[[ $(payload | jq -r .pad.name) == "$pad_name" ]] || fail "the pad is $(payload | jq -c .pad)"
note "the service uses $(payload | jq -r .pad.path)"
load 400
hear 'stable .*"net_g":200[,}]'
tell frame
hear 'live .*"state":"empty"'
