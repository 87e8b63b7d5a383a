#!/bin/bash
# Port 80 by the socket unit, which the administrator enables as documented: other machines reach the page, may not act without a
# token, and find the scale by Avahi. With an invalid configuration the socket is closed, and connections start nothing.
# shellcheck disable=SC2016 # expanded by the inner shell
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

configuration=/etc/grampad/grampad.yaml
socket=grampad-http.socket
cp -p "$configuration" before.yaml
# The guest has no network: an interface for Avahi, with an address that is not loopback.
ip link add wired type veth peer name other
ip link set other up
ip link set wired multicast on up
ip address add 192.0.2.1/24 dev wired

# request METHOD PATH: the first line of the answer on port 80, to another user than that of the service.
request() {
  setpriv --reuid 65534 --regid 65534 --clear-groups bash -c '
    exec 5<>/dev/tcp/192.0.2.1/80 || exit 1
    printf "%s %s HTTP/1.1\r\nHost: 192.0.2.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}" \
      "$1" "$2" >&5
    head -n 1 <&5 | tr -d "\r"' request "$1" "$2" 2>request.err
}
answers() { [[ $(request "$1" "$2") == "HTTP/1.1 $3 "* ]]; }
# found TYPE PORT TEXT: whether Avahi finds the scale.
found() {
  avahi-browse --resolve --parsable --terminate "$1" >browse.out 2>browse.err || true
  grep -qE "^=;wired;IPv4;[^;]+;[^;]+;local;scale\.local;192\.0\.2\.1;$2;.*\"$3\"" browse.out
}
is_closed() { [[ $(property ActiveState "$socket") == inactive ]] && ! request GET / >/dev/null; }

subscribe operator 'grampad/scale/#'
hear 'availability online'
[[ $(systemctl is-enabled "$socket") == disabled ]] || fail "the socket is $(systemctl is-enabled "$socket")"
is_closed || fail "port 80 is open before the socket is enabled"

systemctl --quiet enable "$socket"
systemctl restart grampad
hear 'availability online'
until_true "no page on port 80: $(<request.err)" answers GET / 200
until_true "the scale may be zeroed from elsewhere: $(request POST /api/action/zero)" answers POST /api/action/zero 401
until_true "no web page is found" found _http._tcp 80 path=/
until_true "no scale is found" found _decentscale._tcp 80 path=/snapshot
note "found: $(sed -n 's/^=;//p' browse.out | head -n 1)"

# Killed, it is started again with the socket.
process=$(property MainPID)
kill -KILL "$process"
hear 'availability online'
until_true "no page on port 80 after the restart" answers GET / 200

sed -i 's/^  capacity_g: .*/  capacity_g: heavy/' "$configuration"
! systemctl restart grampad 2>restart.err || fail "an invalid configuration starts"
[[ $(property ExecMainStatus) == 78 ]] || fail "it ended with $(property ExecMainStatus)"
until_true "the socket is $(property ActiveState "$socket")" is_closed
invocation=$(property InvocationID)
for ((attempt = 0; attempt < 5; attempt++)); do is_closed || fail "a connection opened the socket"; done
[[ $(property ActiveState) == failed && $(property InvocationID) == "$invocation" ]] || fail "a connection started the service"

cp -p before.yaml "$configuration"
systemctl start grampad
hear 'availability online'
until_true "no page on port 80 after the configuration was fixed" answers GET / 200

systemctl --quiet disable "$socket"
systemctl stop grampad
is_closed || fail "port 80 is open after stop"
gone() { ! found _decentscale._tcp '[0-9]*' path=/snapshot; }
until_true "found after stop" gone
systemctl start grampad
hear 'availability online'
is_closed || fail "port 80 is open after the socket was disabled"
ip link delete wired
