#!/bin/bash
# A pad behind a link that udev creates after the node. The service reads the pad when it is permitted to, and follows the
# link to another node after the pad has been plugged in again. It runs as an unprivileged user.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

broker 18830
subscribe 18830
link=/dev/input/grampad
configure mqtt://127.0.0.1:18830 "pad: {device: $link}"
chown nobody .
start run setpriv --reuid=nobody --regid=nogroup --clear-groups "$GRAMPAD" run --config grampad.yaml
expect sub.out health '.pad.reason | test("grampad: no such device")'

# As udev makes a link: under another name first, so that it never leads to two places.
lead() {
  ln -s "$1" "$link.tmp"
  mv -T "$link.tmp" "$link"
}
told() { (($(payloads sub.out event | jq -c "select(.type == \"$1\")" | wc -l) == $2)); }

bench pad
plug pad "$known"
chmod 600 "$node"
lead "${node##*/}"
expect sub.out health '.pad.reason | test("no permission")'
told pad_found 0 || fail "a pad was found that cannot be read"
chown nobody "$node"
until_true "the pad was not found when it could be read" told pad_found 1
tell pad frame 0:600,300,100
expect_text sub.out display '50 g'

# Another device takes the pad's number before it is back.
tell pad destroy
until_true "pad_lost was not told" told pad_lost 1
rm "$link"
old=$node
bench other
plug other kind=plain
plug pad "$known"
[[ $node != "$old" ]] || fail "the pad is back under its old number"
chown nobody "$node"
told pad_found 1 || fail "a pad was found without its link"
lead "${node##*/}"
until_true "the pad was not found behind its new link" told pad_found 2
tell pad frame 0:600,300,200
expect_text sub.out display '100 g'

# The same with `auto`, which takes what it can until the link says which is the pad.
bench named
plug named name=\"Named Pad\" pressure=0:255
chown nobody "$node"
configure mqtt://127.0.0.1:18830
expect sub.out health '.pad.name != "Named Pad" and .pad.path != null'
lead "${node##*/}"
expect sub.out health '.pad.name == "Named Pad"'
"$GRAMPAD" devices >table.out 2>table.err || fail "devices failed"
says table.err "auto selects $node: selected by a udev rule" || fail "devices does not prefer the link"
