#!/bin/bash
# Everybody comes in by TLS with a password, and does at the broker what the role allows, and nothing else.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

subscribe operator 'grampad/#'
hear 'availability online'
hear 'health .*"broker":\{"state":"connected"'

# The broker refuses clients without a password, with a wrong password, or without TLS.
plain=(mosquitto_pub -h scale -p 8883 -q 1 -t grampad/scale/command/tare -n)
secured=("${plain[@]}" --cafile /etc/mosquitto/grampad/ca.pem)
! "${secured[@]}" >anonymous.out 2>&1 || fail "the broker lets in without a password"
grep -qi 'not authori' anonymous.out || fail "without a password: $(cat anonymous.out)"
! "${secured[@]}" -u scale -P wrong >wrong.out 2>&1 || fail "a wrong password is right"
! timeout 20 "${plain[@]}" -u scale >bare.out 2>&1 || fail "the broker lets in without TLS"
! (exec 9<>/dev/tcp/127.0.0.1/1883) 2>/dev/null || fail "there still is a listener without TLS on port 1883"

# refused USER TOPIC: a message that the user may not send is refused, and never delivered; that of one who may, sent
# later, is.
refused() {
  as "$1" mosquitto_pub -V 5 -q 1 -t "$2" -m "forged by $1" >"refused.$1.out" 2>&1 || true
  grep -qi 'not authorized' "refused.$1.out" || fail "$1 may write $2: $(cat "refused.$1.out")"
}
refused scale grampad/other/live
as other mosquitto_pub -V 5 -q 1 -t grampad/other/live -m genuine
refused scale grampad/other/command/tare
refused viewer grampad/scale/live
refused viewer grampad/scale/command/tare
refused operator grampad/scale/live
refused other grampad/scale/command/tare
# Nor may it listen in: it gets its own and not the other's, though it asks for all.
as scale stdbuf -oL mosquitto_sub -q 1 -F '%t %p' -t 'grampad/#' >own.out 2>own.err &
until_true "the device does not see its own topics" grep -q '^grampad/scale/availability' own.out
as other mosquitto_pub -V 5 -q 1 -t grampad/other/live -m secret
as operator mosquitto_pub -V 5 -q 1 -t grampad/scale/command/tare -m '{"correlation": "by the operator"}'
hear 'result .*"by the operator"'
until_true "the answer to the operator did not reach the device" grep -q 'by the operator' own.out
! grep -q '^grampad/other' own.out || fail "the device sees another's: $(grep '^grampad/other' own.out)"
for own in genuine secret; do
  grep -q " grampad/other/live $own" sub.out || fail "the other device's own message did not come: $own"
done
! grep -q 'forged' sub.out || fail "delivered: $(grep -m 1 forged sub.out)"

# A dashboard sees what is there.
as viewer mosquitto_sub -C 1 -W 60 -t grampad/scale/availability >viewer.out || fail "a dashboard sees nothing"
[[ $(<viewer.out) == online ]] || fail "a dashboard sees $(<viewer.out)"
