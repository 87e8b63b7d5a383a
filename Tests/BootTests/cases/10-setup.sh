#!/bin/bash
# Setup as documented: a broker with TLS and users, and the udev rule that names the pad.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/setup.sh
source "$PAYLOAD/setup.sh"
restart_after

broker=/usr/share/grampad/broker/grampad-broker
{
  "$broker" init scale
  "$broker" add-device scale --here
  "$broker" add-device other
  "$broker" add-dashboard viewer
  "$broker" add-operator operator
} >broker.out 2>&1

# The lines that grampad-broker names, put in the place of those that the package has.
bundle=/etc/mosquitto/grampad/clients/scale/grampad.yaml
note "the broker is $(sed -n 's/^ *broker: //p' "$bundle")"
put id '  id: scale'
for key in broker username password_file ca_file; do put "$key" "$(grep "^  $key:" "$bundle")"; done
as_grampad grampad check --config /etc/grampad/grampad.yaml >check.out 2>&1 || fail "check: $(tail -n 2 check.out)"

make_clients scale other viewer operator
make_pad
