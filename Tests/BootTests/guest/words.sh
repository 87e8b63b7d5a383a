# shellcheck shell=bash
# The words that the cases are written in. A case sources this first; it runs in an empty folder of its own, as root.
#
# Nothing here waits a fixed time: emulated time is slow, and a busy machine is slower. A wait is for something that
# will be said, and it has a deadline (PATIENCE seconds) only so that a failure ends. Times are in microseconds since
# 1970.
set -euo pipefail
PATIENCE=${PATIENCE:-60}
: "${PAYLOAD:?}"
# What the words below leave behind: the pad's last answer; the last line heard, and when it was received.
# shellcheck disable=SC2034 # for the cases
answer='' heard='' heard_at=0
processes=()
pad_name='Test Force Pad'
readonly clients=/var/lib/grampad-tests/clients pad_folder=/run/grampad-pad pad_name
# A pad that tells two units per gram, so that 400 counts are 200 g.
readonly known=pressure=0:1023:2

# shellcheck source=Tests/KernelTests/guest/case.sh
source "$PAYLOAD/case.sh"

now() { printf '%s' "${EPOCHREALTIME/./}"; }
milliseconds() { printf '%s' "$((($1 + 500) / 1000))"; }
# seconds MICROSECONDS: with two digits.
seconds() { printf '%d.%02d' $(($1 / 1000000)) $(($1 % 1000000 / 10000)); }
# spread MICROSECONDS...: in milliseconds.
spread() {
  printf '%s\n' "$@" | sort -n | awk '
    { all[NR] = $1 / 1000 }
    function share(part) { return all[int(NR * part + 0.999)] }
    END { printf "min %d, p50 %d, p95 %d, max %d", all[1], share(0.5), share(0.95), all[NR] }'
}

# --- The pad, which a service of its own keeps from before Grampad's start --------------------------------------------

# tell COMMAND...: sends one command to the testpad; when it returns, the command is done. `answer` is what it said.
tell() {
  printf '%s\n' "$*" >"$pad_folder/commands"
  read -r -t "$PATIENCE" answer <"$pad_folder/answers" || fail "testpad did not answer: $*"
  [[ $answer == ok* ]] || fail "testpad: $answer"
}
plug() { tell create name=\""$pad_name"\" "$known"; }
unplug() { tell destroy; }
# load COUNTS: one contact in the middle of the pad, with so much force.
load() { tell frame "0:600,300,$1"; }

# restart_after: restarts the machine after this case, also if it fails.
restart_after() { touch /var/lib/grampad-tests/restart; }

# --- The service ------------------------------------------------------------------------------------------------------

# property NAME [UNIT]
property() { systemctl show --property="$1" --value "${2:-grampad}"; }
# moment NAME: a time stamp of the service's, in microseconds since 1970.
moment() { date --date="$(systemctl show --timestamp=us+utc --property="$1" --value grampad)" +%s%6N; }
is_ready() { [[ $(property ActiveState) == active && $(property SubState) == running ]]; }
as_grampad() { runuser --user grampad -- "$@"; }
history() { as_grampad grampad history "$@" --config /etc/grampad/grampad.yaml; }

# --- The broker's clients ---------------------------------------------------------------------------------------------

# as USER COMMAND...: mosquitto_pub or _sub with the address, the authority and the password of that user of the broker.
as() {
  local user=$1
  shift
  XDG_CONFIG_HOME=$clients/$user "$@"
}

# subscribe USER TOPIC: what comes goes to sub.out, as `SECONDS TOPIC PAYLOAD`, for as long as the case lasts.
subscribe() {
  : >sub.out
  as "$1" stdbuf -oL mosquitto_sub -q 1 -F '%U %t %p' -t "$2" >>sub.out 2>sub.err &
  processes+=($!)
  exec {subscription}<sub.out
}

# hear PATTERN: reads on in what came until a line matches, the extended regular expression `TOPIC PAYLOAD` below
# grampad/scale/. Every line is seen once, in the order of arrival.
hear() {
  local deadline=$((SECONDS + PATIENCE)) line='' part
  while :; do
    if IFS= read -r part <&"$subscription"; then
      line+=$part
      if [[ $line =~ ^([0-9]+)\.([0-9]{6})[0-9]*\ grampad/scale/$1 ]]; then
        # shellcheck disable=SC2034 # for the cases
        heard=$line heard_at=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
        return
      fi
      line=''
    else
      line+=$part
      ((SECONDS < deadline)) || fail "never heard: $1"
      sleep 0.01
    fi
  done
}

# payload: the JSON of the last line heard.
payload() { printf '%s\n' "${heard#* * }"; }
