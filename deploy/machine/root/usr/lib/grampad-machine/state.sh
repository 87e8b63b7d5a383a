# shellcheck shell=bash disable=SC2154 # answers
# What the page shows about the machine: state.json in the folder that only root and the scale can read. Meant to be sourced.

# json TEXT: a string.
json() {
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  printf '"%s"' "${text//[[:cntrl:]]/}"
}

# json_or_null TEXT
json_or_null() { if [[ -n $1 ]]; then json "$1"; else printf null; fi; }

# json_list TEXT...
json_list() {
  local separator='' each
  printf '['
  for each; do
    printf '%s' "$separator" && json "$each"
    separator=,
  done
  printf ']'
}

# version_of SLOT: prints the version in a slot, nothing without one.
version_of() {
  if [[ $1 == "$(running_slot)" ]]; then cat /usr/lib/grampad-machine/version; else cat "$MACHINE/version-$1" 2>/dev/null || true; fi
}

# ask_scale PATH: asks the page of the scale; the answer can be read from descriptor 3.
ask_scale() { exec 3<>/dev/tcp/127.0.0.1/8385 && printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" >&3; }

# The networks that the machine is connected to. The address of its own network is known.
network_state() {
  local addresses wifi=''
  mapfile -t addresses < <(ip -oneline address show scope global up 2>/dev/null |
    awk -v own="$OWN_ADDRESS" '{ sub("/.*", "", $4); if ($4 != own) print $4 }')
  # shellcheck disable=SC2153 # of wifi.sh
  [[ -e $ACCESS_POINT || $(cat "/sys/class/net/$WIFI/operstate" 2>/dev/null) != up ]] || wifi=${answers[wifi]:-}
  printf '{"wired":%s,"wifi":%s,"access_point":%s,"fault":%s,"addresses":%s}' "$(boolean has_cable)" "$(json_or_null "$wifi")" \
    "$(json_or_null "$(cat "$ACCESS_POINT" 2>/dev/null)")" "$(json_or_null "$(cat "$WIFI_FAULT" 2>/dev/null)")" \
    "$(json_list "${addresses[@]}")"
}

# write_state [ANSWER]: ANSWER is the object of the field `answer`, which stays until the next one. Reads the answers again.
write_state() {
  # Several scripts write it.
  exec {lock}>"$FOLDER/lock"
  flock "$lock"
  load_answers
  [[ -z ${1:-} ]] || printf '%s' "$1" >"$FOLDER/answer.json"
  {
    printf '{"is_set_up":%s,"board":%s' "$(boolean test -e "$MACHINE/owned")" "$(json "$(<"/usr/lib/grampad-machine/board")")"
    printf ',"hostname":%s,"time_zone":%s,"name":%s' "$(json "${answers[hostname]:-grampad}")" \
      "$(json "${answers[time_zone]:-UTC}")" "$(json "${answers[name]:-Grampad}")"
    printf ',"version":%s,"previous":%s' "$(json "$(version_of "$(running_slot)")")" "$(json_or_null "$(version_of "$(other_slot)")")"
    printf ',"update":%s,"updates":%s' "$(cat "$FOLDER/update.json" 2>/dev/null || echo '{"state":"none"}')" \
      "$(boolean test "${answers[updates]:-yes}" = yes)"
    printf ',"backup":%s,"restore":%s' "$(cat "$FOLDER/backup.json" 2>/dev/null || echo '{"state":"none"}')" \
      "$(cat "$FOLDER/restore.json" 2>/dev/null || echo '{"state":"none"}')"
    printf ',"wifi":%s,"network":%s,"wifi_networks":%s,"country":%s' "$(json_or_null "${answers[wifi]:-}")" "$(network_state)" \
      "$(cat "$FOLDER/networks.json" 2>/dev/null || echo '[]')" "$(json_or_null "${answers[country]:-}")"
    # shellcheck disable=SC2046 # words
    printf ',"sensor":%s,"sensors":%s,"pad":%s' "$(json "${answers[sensor]:-none}")" "$(json_list $(sensors))" \
      "$(json "${answers[pad]:-auto}")"
    printf ',"broker":%s,"home_assistant":%s,"ssh":%s' "$(json "${answers[broker]:-embedded}")" \
      "$(boolean test "${answers[home_assistant]:-yes}" = yes)" "$(boolean test -n "${answers[ssh_key]:-}")"
    [[ ! -e $FOLDER/answer.json ]] || printf ',"answer":%s' "$(<"$FOLDER/answer.json")"
    printf '}\n'
  } >"$FOLDER/state.new"
  chown root:grampad "$FOLDER/state.new"
  chmod 640 "$FOLDER/state.new"
  mv "$FOLDER/state.new" "$FOLDER/state.json"
  exec {lock}>&-
}
