# shellcheck shell=bash disable=SC2154 # folder, here, ask and the like are grampad-broker's
# Users: passwords, the list of who may do what, and what a user needs to come in. To be sourced by grampad-broker.

# The password on standard input, else 144 random bits.
new_password() {
  local password
  if [[ $ask == yes ]]; then
    [[ ! -t 0 ]] || printf 'Password: ' >&2
    IFS= read -rs password || [[ -n $password ]] || die 65 "no password on standard input"
    [[ ! -t 0 ]] || printf '\n' >&2
    # mosquitto_passwd -U takes what is after a second colon for no part of it.
    [[ ${#password} -ge 8 && ! $password =~ [[:cntrl:]:] ]] ||
      die 65 "a password is 8 characters or more, on one line and without a :"
    printf '%s\n' "$password"
  else
    openssl rand -base64 18
  fi
}

# The line of the password file for NAME, with the password on standard input. A file of its own is converted in place:
# mosquitto_passwd would take the password as a word of the command line otherwise.
hashed() {
  local work
  work=$(mktemp "$folder/.work.XXXXXX")
  { printf '%s:' "$1"; cat; } >"$work"
  mosquitto_passwd -U "$work" >&2 || { rm -f "$work"; die 70 "mosquitto_passwd -U has failed"; }
  cat "$work"
  rm -f "$work" "$work".backup.*
}

role_of() { awk -v name="$1" '$2 == name { print $1 }' "$folder/users"; }

# Makes the list of who may do what anew: for each user the lines of the role.
write_access() {
  local role name
  {
    printf '# Made by grampad-broker from %s: changes are lost. Who is not in it may do nothing.\n' "$here/roles"
    while read -r role name; do
      printf '\n# %s\n' "$role"
      fill "$here/roles/$role" "$name" | sed '/^#/d'
    done <"$folder/users"
  } | place_for_broker "$folder/access"
}

# What NAME needs to come in: password, authority and a configuration, which also `grampad watch --config` takes.
write_bundle() {
  local name=$1 bundle=$folder/clients/$1
  mkdir -p "$bundle"
  place "$bundle/mqtt.password" 0600 root:root
  place "$bundle/broker-ca.pem" 0644 root:root <"$folder/ca.pem"
  place "$bundle/grampad.yaml" 0644 root:root < <(
    [[ $(role_of "$name") != device ]] || printf 'device: {id: %s}\n' "$name"
    printf 'mqtt:\n  broker: mqtts://%s:%s\n  prefix: %s\n  username: %s\n' "$(head -n 1 "$folder/names")" \
      "$(setting port)" "$(setting prefix)" "$name"
    printf '  password_file: mqtt.password\n  ca_file: broker-ca.pem\n'
    [[ $(role_of "$name") != device || $(setting discovery) == homeassistant ]] ||
      printf 'home_assistant: {prefix: %s}\n' "$(setting discovery)"
  )
}

# The lines of the password file of all others.
other_passwords() { awk -F : -v name="$1" '$1 != name' "$folder/passwords"; }

# set_password NAME ROLE: a password, and a user of that role if there is none; each step can be done again.
set_password() {
  local name=$1 role=$2 password line
  password=$(new_password)
  line=$(hashed "$name" <<<"$password")
  { other_passwords "$name" && printf '%s\n' "$line"; } | place_for_broker "$folder/passwords"
  [[ -n $(role_of "$name") ]] ||
    printf '%s %s\n' "$role" "$name" | cat "$folder/users" - | place "$folder/users" 0600 root:root
  write_bundle "$name" <<<"$password"
}

install_here() {
  local bundle=$folder/clients/$1 group=root
  is_root || die 77 "--here needs root"
  install -d -m 0755 "$appliance_folder"
  if getent group grampad >/dev/null; then group=grampad; fi
  place "$appliance_folder/mqtt.password" 0640 "root:$group" <"$bundle/mqtt.password"
  place "$appliance_folder/broker-ca.pem" 0644 root:root <"$bundle/broker-ca.pem"
  say "Password and authority are in $appliance_folder. Give $appliance_folder/grampad.yaml these lines, then:" \
    "sudo systemctl reload grampad"
  # The name of this machine is known to others, and not always to itself.
  sed -e 's|mqtts://[^:]*:|mqtts://localhost:|' -e 's/^/  /' "$bundle/grampad.yaml" >&2
}

# What to do now with the bundle of a user.
explain() {
  local name=$1 bundle=$folder/clients/$1 host port what
  host=$(head -n 1 "$folder/names")
  port=$(setting port)
  what="All that $name needs is in $bundle; the broker is $host, port $port, with TLS."
  case $(role_of "$name") in
    device)
      if [[ $with_here == yes ]]; then
        install_here "$name"
      else
        say "Copy broker-ca.pem and mqtt.password from $bundle to $appliance_folder of the appliance (or use --here" \
          "if this is it), there: sudo chown root:grampad $appliance_folder/mqtt.password; sudo chmod 640" \
          "$appliance_folder/mqtt.password. Give its grampad.yaml these lines:"
        sed 's/^/  /' "$bundle/grampad.yaml" >&2
      fi
      ;;
    dashboard)
      say "$what For example: grampad watch --config $bundle/grampad.yaml --device ID"
      ;;
    operator)
      say "$what For example: grampad tare --config $bundle/grampad.yaml --device ID"
      ;;
    home-assistant)
      say "In Home Assistant: Settings, Devices & services, Add integration, MQTT." \
        "Broker $host, port $port, user name $name, password from $bundle/mqtt.password. Advanced options: broker" \
        "certificate validation Custom, and upload $bundle/broker-ca.pem."
      ;;
  esac
}

# The broker reads passwords, list and certificates again at SIGHUP; a listener only at its start.
tell_broker() {
  local verb=$1
  if [[ $folder == "$standard_folder" ]] && is_root && systemctl is-active --quiet mosquitto 2>/dev/null; then
    systemctl "$verb" mosquitto
    say "mosquitto was told (systemctl $verb mosquitto)."
  else
    say "Then: sudo systemctl $verb mosquitto"
  fi
}
