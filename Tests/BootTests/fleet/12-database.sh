#!/bin/bash
# Setup as documented: the database, and the collector as a service, with a user of the broker.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

# The lines that add-collector prints are the configuration.
grampad-broker add-collector store --here >collector.out 2>&1
sed -n '/^  mqtt:/,$ s/^  //p' collector.out >/etc/grampad-fleet/collector.yaml
grep -q '^  username: store' /etc/grampad-fleet/collector.yaml || fail "add-collector does not print the configuration"
access=$(stat -c '%a %U:%G' /etc/grampad-fleet/mqtt.password)
[[ $access == '640 root:grampad_collector' ]] || fail "the password's file is $access"

# All commands of the section but that of apt. psql asks for the password on the terminal, and without one on standard input.
documented 'As a service' | grep -v 'apt install' >commands
secret=$(openssl rand -hex 12)
while read -r command <&3; do
  perform "${command//PASSWORD/$secret}" < <(printf '%s\n%s\n' "$secret" "$secret")
done 3<commands >database.out 2>&1
until_true "grampad-collect does not run" runs grampad-collect
until_true "grampad-collect is not connected" logged grampad-collect 'connected'
[[ $(stat -c %a ~/.pgpass) == 600 ]] || fail "the password of the reader is readable for others"
[[ $(reader 'SELECT count(*) FROM device_status') =~ ^[0-9]+$ ]] || fail "the reader cannot log in"
refuse_failed_units
