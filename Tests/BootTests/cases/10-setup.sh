#!/bin/bash
# Setup as documented: a broker with TLS and users, and the udev rule that names the pad.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

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
configuration=/etc/grampad/grampad.yaml
sed -i -e 's/^  id: .*/  id: scale/' \
  -e "s|^  broker: .*|$(grep '^  broker:' "$bundle")|" \
  -e "s|^  # username: .*|$(grep '^  username:' "$bundle")|" \
  -e "s|^  # password_file: .*|$(grep '^  password_file:' "$bundle")|" \
  -e "s|^  # ca_file: .*|$(grep '^  ca_file:' "$bundle")|" "$configuration"
as_grampad grampad check --config "$configuration" >check.out 2>&1 || fail "check: $(tail -n 2 check.out)"

# Clients that keep their passwords off their command lines.
for user in scale other viewer operator; do
  for program in mosquitto_pub mosquitto_sub; do
    mkdir -p "$clients/$user"
    printf '%s\n' '-h scale' '-p 8883' '--cafile /etc/mosquitto/grampad/ca.pem' "-u $user" \
      "-P $(<"/etc/mosquitto/grampad/clients/$user/mqtt.password")" >"$clients/$user/$program"
  done
done

# A pad that is there before Grampad is, at every start.
cp "$PAYLOAD/testpad" /usr/local/bin/
cat >/etc/systemd/system/grampad-pad.service <<UNIT
[Unit]
Description=A force pad of the kernel's
Before=grampad.service

[Service]
Environment=PAYLOAD=$PAYLOAD
RuntimeDirectory=grampad-pad
WorkingDirectory=$pad_folder
ExecStartPre=/usr/sbin/modprobe uinput
ExecStartPre=/usr/bin/mkfifo commands answers
ExecStart=/bin/bash -c 'exec testpad <>commands 1<>answers'
ExecStartPost=/bin/bash -c 'source $PAYLOAD/words.sh; plug'

[Install]
WantedBy=multi-user.target
UNIT
systemctl --quiet enable --now grampad-pad.service

# The rule, made with the pad in place.
grampad devices --udev "$pad_name" >/etc/udev/rules.d/71-grampad-pad.rules
note "the pad's rule: $(grep -v '^#' /etc/udev/rules.d/71-grampad-pad.rules)"
