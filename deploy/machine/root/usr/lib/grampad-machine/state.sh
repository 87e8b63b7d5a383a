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

# At the start there is no network yet: `is_start` leaves them out.
addresses() { ip -oneline address show scope global up 2>/dev/null | awk '{ sub("/.*", "", $4); print $4 }'; }

# write_state [ANSWER]: ANSWER is the object of the field `answer`.
write_state() {
  local line list=()
  [[ -n ${is_start:-} ]] || mapfile -t list < <(addresses)
  # The group is that of the folder.
  umask 027
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
    first_line "$FOLDER/update.json"
    [[ -n $line ]] || line='{"state":"none"}'
    member update printf %s "$line"
    member updates boolean test "${answers[updates]:-yes}" = yes
    member wifi json_or_null "${answers[wifi]:-}"
    first_line /sys/class/net/wlan0/operstate
    if [[ $line == up ]]; then line=${answers[wifi]:-}; else line=''; fi
    member network printf '{"wifi":' && json_or_null "$line" && member addresses json_list "${list[@]}" && printf '}'
    member country json_or_null "${answers[country]:-}"
    member sensor json "${answers[sensor]:-none}"
    first_line /usr/lib/grampad-machine/sensors
    # shellcheck disable=SC2086 # words
    member sensors json_list $line
    member pad json "${answers[pad]:-auto}"
    member broker json "${answers[broker]:-embedded}"
    member home_assistant boolean test "${answers[home_assistant]:-yes}" = yes
    member ssh boolean test -n "${answers[ssh_key]:-}"
    [[ -z ${1:-} ]] || member answer printf %s "$1"
    printf '}\n'
  } >"$FOLDER/state.new"
  umask 022
  mv "$FOLDER/state.new" "$FOLDER/state.json"
}
