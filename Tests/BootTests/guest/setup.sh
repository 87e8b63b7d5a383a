# shellcheck shell=bash
# What the setup of each machine has in common. Sourced after words.sh.
# shellcheck source=Tests/BootTests/guest/words.sh
: "${pad_folder:?}" "${pad_name:?}" "${clients:?}"

# put KEY LINE: replaces the first line of that key, also if it is commented out, in the section mqtt or device of grampad.yaml.
put() { sed -i "0,/^  \\(# \\)\\{0,1\\}$1: /s|^  \\(# \\)\\{0,1\\}$1: .*|$2|" /etc/grampad/grampad.yaml; }

# make_clients USER...: clients that keep the passwords of these users of the broker off their command lines.
make_clients() {
  local user program
  for user in "$@"; do
    for program in mosquitto_pub mosquitto_sub; do
      mkdir -p "$clients/$user"
      printf '%s\n' '-h scale' '-p 8883' '--cafile /etc/mosquitto/grampad/ca.pem' "-u $user" \
        "-P $(<"/etc/mosquitto/grampad/clients/$user/mqtt.password")" >"$clients/$user/$program"
    done
  done
}

# make_pad: a pad that is there before Grampad is, at every start, and the rule that names it.
make_pad() {
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
  grampad devices --udev "$pad_name" >/etc/udev/rules.d/71-grampad-pad.rules
  note "the pad's rule: $(grep -v '^#' /etc/udev/rules.d/71-grampad-pad.rules)"
}
