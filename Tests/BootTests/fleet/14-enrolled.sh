#!/bin/bash
# Setup as documented: a scale gets its certificate with a one-time code, and connects with it; the code is used up.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/setup.sh
source "$PAYLOAD/setup.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"
restart_after

code=$(perform "$(documented Enrolment | grep invite)" 2>invite.err | tail -n 1)
[[ $code == scale.* ]] || fail "invite prints '$code'"
command=$(documented Enrolment | grep 'ca-file')
perform "$command" <<<"$code" >enroll.out 2>enroll.err

# What it prints are the settings. The running scale would read the file after each of them.
systemctl stop grampad
put id '  id: scale'
for key in broker ca_file certificate_file key_file renew_certificate; do
  grep -q "^  $key:" enroll.out || fail "no $key in the settings"
  put "$key" "$(grep "^  $key:" enroll.out)"
done
! grep -q '^  password_file:' /etc/grampad/grampad.yaml || fail "there is a password"
as_grampad grampad check --config /etc/grampad/grampad.yaml >check.out 2>&1 || fail "check: $(tail -n 2 check.out)"
systemctl start grampad
subscribe operator 'grampad/scale/#'
hear 'availability online'
until_true "no scale logged in with a certificate" grep -qE "as grampad-scale .*u'scale'" /var/log/mosquitto/mosquitto.log

until_true "the code is still there" test ! -e /etc/mosquitto/grampad/invitations/scale
! grep -q '^enroll-scale:' /etc/mosquitto/grampad/passwords || fail "the user of the code is still there"
install -d -o grampad "$PWD/other"
if eval "$command --folder '$PWD/other'" <<<"$code" >other.out 2>&1; then fail "the code can be used again"; fi
grep -q 'did not accept the code' other.out || fail "used again: $(<other.out)"
