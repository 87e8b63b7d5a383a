# shellcheck shell=bash
# The answers to the questions of the set-up, from the page or from grampad.txt on the boot partition. Meant to be sourced.
#
# They are the only settings of the system that are stored: /etc is written again from them at each start. A process costs a tenth of a
# second on a slow board, so that what runs at each start uses what bash has.

# shellcheck disable=SC2034 # used by the scripts
readonly FOLDER=/run/grampad-machine
readonly MACHINE=/state/machine
# Lengths are in bytes.
export LC_ALL=C
declare -A answers=()
# Those of a newer version, from which the machine has gone back: they have no effect, and stay in the file.
declare -A others=()

# The keys, in the order of the set-up.
readonly KEYS=(name hostname time_zone country wifi wifi_password sensor pad broker broker_user broker_password home_assistant updates
  ssh_key)

# Why a key is not accepted.
readonly UNKNOWN='is not known'

# read_text FILE [BYTES]: its content in `text`, without zero bytes; not more than BYTES, 16 KiB without. Empty without the file.
read_text() {
  text=''
  [[ ! -e $1 ]] || IFS= read -r -N "${2:-16384}" text <"$1" || true
}

# read_answers FILE FUNCTION [exact]: calls FUNCTION KEY VALUE for each line `KEY = VALUE`; # begins a comment line. Spaces around a value do
# not count, but with `exact` they do: a network or a password can end with one.
read_answers() {
  local line key text exact=${3:-}
  read_text "$1"
  while IFS= read -r line; do
    line=${line%$'\r'}
    [[ $line == *=* && ! $line =~ ^[[:space:]]*# ]] || continue
    key=${line%%=*}
    line=${line#*=}
    key=${key//[[:space:]]/}
    [[ $key =~ ^[a-z0-9_]+$ ]] || continue
    if [[ -n $exact ]]; then
      line=${line# }
    else
      line=${line#"${line%%[![:space:]]*}"}
      line=${line%"${line##*[![:space:]]}"}
    fi
    "$2" "$key" "$line"
  done <<<"${text#$'\xEF\xBB\xBF'}"
}

# fault KEY VALUE: prints why a value is not accepted, nothing if it is. An empty value removes the answer.
fault() {
  local problem
  check_answer "$@"
  printf %s "$problem"
}

# check_answer KEY VALUE: sets `problem` like that, without a process.
check_answer() {
  local value=$2 text
  problem=''
  [[ -n $value || $1 == hostname ]] || return 0
  if [[ $value == *[[:cntrl:]]* ]]; then
    problem="contains control characters"
    return
  fi
  case $1 in
    name) ((${#value} <= 128)) || problem="has more than 128 bytes" ;;
    hostname) [[ $value =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || problem="is not a host name: small letters, digits and hyphens, at most 63" ;;
    time_zone)
      [[ $value =~ ^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$ && -f /usr/share/zoneinfo/$value ]] ||
        problem="is not a time zone such as Europe/Berlin"
      ;;
    country) [[ $value =~ ^[A-Z]{2}$ ]] || problem="is not a country code such as DE" ;;
    wifi) ((${#value} <= 32)) || problem="has more than 32 bytes" ;;
    wifi_password)
      [[ $value =~ ^[[:print:]]{8,63}$ || $value =~ ^[0-9a-fA-F]{64}$ ]] || problem="has to have 8 to 63 characters, or 64 hexadecimal digits"
      ;;
    sensor)
      read_text /usr/lib/grampad-machine/sensors
      text="none ${text//$'\n'/}"
      [[ " $text " == *" $value "* ]] || problem="is not one of: $text"
      ;;
    pad) [[ $value =~ ^[^/] || $value == /dev/* ]] || problem="is not auto, simulated, the name of a device, its path in /dev, or iio: and the name of a converter" ;;
    broker) [[ $value == embedded || $value =~ ^mqtts?://[^[:space:]\"]+$ ]] || problem="is not embedded, mqtt://HOST:PORT or mqtts://HOST:PORT" ;;
    broker_user | broker_password) ((${#value} <= 1024)) || problem="has more than 1024 bytes" ;;
    home_assistant | updates) [[ $value == yes || $value == no ]] || problem="is not yes or no" ;;
    ssh_key)
      [[ $value =~ ^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)\ [A-Za-z0-9+/]+=*(\ [^\"]*)?$ ]] ||
        problem="is not a public key of OpenSSH, such as ssh-ed25519 AAAA... NAME"
      ;;
    *) problem=$UNKNOWN ;;
  esac
}

# load_answers: those that this version accepts are in `answers`, the rest in `others`.
load_answers() {
  answers=() others=()
  [[ ! -e $MACHINE/answers ]] || read_answers "$MACHINE/answers" load_answer exact
}

# load_answer KEY VALUE
load_answer() {
  local problem
  check_answer "$1" "$2"
  if [[ -z $problem ]]; then answers["$1"]=$2; else others["$1"]=$2; fi
}

# print_answers: the lines of the file, in the order of KEYS and then those that only a newer version knows.
print_answers() {
  local key
  for key in "${KEYS[@]}"; do [[ -z ${answers[$key]:-} ]] || printf '%s = %s\n' "$key" "${answers[$key]}"; done
  # Another answer replaces one that this version does not accept.
  for key in "${!others[@]}"; do [[ -v answers["$key"] ]] || printf '%s = %s\n' "$key" "${others[$key]}"; done
}

# store_answers: writes them to a new file that replaces the old one.
store_answers() { print_answers | replace "$MACHINE/answers"; }

# boolean COMMAND...: prints true if the command succeeds, else false.
boolean() { if "$@"; then printf true; else printf false; fi; }

# replace FILE: replaces a file in /state with standard input. It is on the card when this ends.
replace() {
  (umask 077 && cat >"$1.new") && sync "$1.new" && mv "$1.new" "$1" && sync "${1%/*}"
}
