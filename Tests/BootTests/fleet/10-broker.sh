#!/bin/bash
# Setup as documented: a broker with certificates, and the service that issues them.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/setup.sh
source "$PAYLOAD/setup.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

# The last command, invite, is that of another case.
documented Enrolment | grep -E 'init|add-authority|enable' >commands
[[ $(wc -l <commands) == 3 ]] || fail "documented: $(<commands)"
while read -r command <&3; do perform "$command"; done 3<commands >broker.out 2>&1
until_true "grampad-enroll does not run" runs grampad-enroll
until_true "grampad-enroll is not ready" logged grampad-enroll 'enroll/\+/code.*ready'

grampad-broker add-operator operator 2>>broker.out
make_clients operator
make_pad
