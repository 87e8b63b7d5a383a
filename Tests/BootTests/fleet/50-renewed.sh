#!/bin/bash
# A running scale gets another certificate from the service, and connects with it.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

subscribe operator 'grampad/scale/#'
hear 'availability online'
serial() { openssl x509 -in /var/lib/grampad/mqtt.pem -noout -serial; }
before=$(serial)
perform 'sudo -u grampad grampad enroll --renew' >renew.out 2>&1
[[ $(serial) != "$before" ]] || fail "the certificate is still the same"
[[ $(stat -c '%a %U' /var/lib/grampad/mqtt.pem) == '600 grampad' ]] || fail "$(stat -c '%a %U' /var/lib/grampad/mqtt.pem)"
until_true "the service does not name it in its log" logged grampad-enroll 'issued a certificate'
systemctl restart grampad
hear 'availability online'
weigh 1
compare
