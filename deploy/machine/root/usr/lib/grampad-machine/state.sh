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
    printf %s "$separator" && json "$each"
    separator=,
  done
  printf ']'
}

# member KEY COMMAND...: a member of an object, with the value that the command prints.
member() {
  printf ',"%s":' "$1" && "${@:2}"
}

# first_line FILE: reads it into `line`; empty without the file.
first_line() {
  line=''
  [[ ! -e $1 ]] || IFS= read -r line <"$1" || true
}

# ask_scale PATH: asks the page of the scale; the answer can be read from descriptor 3.
ask_scale() { exec 3<>/dev/tcp/127.0.0.1/8385 && printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" >&3; }

# Prints the networks that the machine is connected to. The address of its own network is known. With `is_start`, there is no network yet.
network_state() {
  local addresses=() wifi='' line
  [[ -n ${is_start:-} ]] || mapfile -t addresses < <(ip -oneline address show scope global up 2>/dev/null |
    awk -v own="$OWN_ADDRESS" '{ sub("/.*", "", $4); if ($4 != own) print $4 }')
  # shellcheck disable=SC2153 # of wifi.sh
  first_line "/sys/class/net/$WIFI/operstate"
  [[ -e $ACCESS_POINT || $line != up ]] || wifi=${answers[wifi]:-}
  printf '{"wired":' && boolean has_cable
  member wifi json_or_null "$wifi"
  first_line "$ACCESS_POINT"
  member access_point json_or_null "$line"
  first_line "$WIFI_FAULT"
  member fault json_or_null "$line"
  member addresses json_list "${addresses[@]}"
  printf '}'
}

# stored NAME DEFAULT: prints what is in a file of the folder.
stored() {
  local text
  read_text "$FOLDER/$1" 65536
  printf %s "${text:-$2}"
}

# write_state [ANSWER]: ANSWER is the object of the field `answer`, which stays until the next one. Reads the answers again.
write_state() {
  local line lock none='{"state":"none"}'
  # Several scripts write it.
  exec {lock}>"$FOLDER/lock"
  flock "$lock"
  load_answers
  [[ -z ${1:-} ]] || printf %s "$1" >"$FOLDER/answer.json"
  {
    printf '{"is_set_up":' && boolean test -e "$MACHINE/owned"
    first_line /usr/lib/grampad-machine/board
    member board json "$line"
    member hostname json "${answers[hostname]:-grampad}"
    member time_zone json "${answers[time_zone]:-UTC}"
    member name json "${answers[name]:-Grampad}"
    first_line /usr/lib/grampad-machine/version
    member version json "$line"
    first_line "$MACHINE/version-$OTHER"
    member previous json_or_null "$line"
    member update stored update.json "$none"
    member updates boolean test "${answers[updates]:-yes}" = yes
    member backup stored backup.json "$none"
    member restore stored restore.json "$none"
    member wifi json_or_null "${answers[wifi]:-}"
    member network network_state
    member wifi_networks stored networks.json '[]'
    member country json_or_null "${answers[country]:-}"
    member sensor json "${answers[sensor]:-none}"
    first_line /usr/lib/grampad-machine/sensors
    # shellcheck disable=SC2086 # words
    member sensors json_list $line
    member pad json "${answers[pad]:-auto}"
    member broker json "${answers[broker]:-embedded}"
    member home_assistant boolean test "${answers[home_assistant]:-yes}" = yes
    member ssh boolean test -n "${answers[ssh_key]:-}"
    [[ ! -e $FOLDER/answer.json ]] || member answer stored answer.json null
    printf '}\n'
  } >"$FOLDER/state.new"
  mv "$FOLDER/state.new" "$FOLDER/state.json"
  exec {lock}>&-
}
