# shellcheck shell=bash
# The words that the cases are written in. A case sources this first; it runs in an empty folder of its own.
#
# Nothing here waits a fixed time: emulated time is slow, and a busy machine is slower. A wait is for something that
# will be said in a file, and it has a deadline (PATIENCE seconds) only so that a failure ends.
set -euo pipefail
PATIENCE=${PATIENCE:-180}
declare -A commands=() answers=() processes=()
# What the words below leave behind: a testpad's last answer, the last pad's event device, how a program ended.
answer='' node='' status=0

# shellcheck source=Tests/KernelTests/guest/case.sh
source "$(dirname "${BASH_SOURCE[0]}")/case.sh"

# start NAME COMMAND...: in the background; its output is in NAME.out and NAME.err.
start() {
  local name=$1
  shift
  "$@" >"$name.out" 2>"$name.err" &
  processes[$name]=$!
}

signal() { kill -s "$2" "${processes[$1]}"; }

# finish NAME: waits for its end; `status` is how it ended.
finish() {
  status=0
  wait "${processes[$1]}" || status=$?
  unset "processes[$1]"
}

says() { grep -qE -- "$2" "$1" 2>/dev/null; }

# await FILE PATTERN
await() { until_true "$1 never said: $2" says "$1" "$2"; }

# bench NAME: starts a testpad of that name, to be told things.
bench() {
  local in out
  mkfifo "$1.commands" "$1.answers"
  "$TESTPAD" <"$1.commands" >"$1.answers" &
  exec {in}>"$1.commands" {out}<"$1.answers"
  commands[$1]=$in answers[$1]=$out
}

# tell NAME COMMAND...: sends one command to a testpad; when it returns, the command is done. `answer` is what it said.
tell() {
  local name=$1
  shift
  printf '%s\n' "$*" >&"${commands[$name]}"
  read -r -t "$PATIENCE" answer <&"${answers[$name]}" || fail "testpad did not answer: $*"
  [[ $answer == ok* ]] || fail "testpad: $answer"
}

# heard_all WORDS: whether the pad was told these words so far, in this order; `heard` is all that it was told.
heard=''
heard_all() {
  tell pad feedback 100
  heard+=${answer#ok feedback}
  [[ $heard == *${1// /*}* ]]
}

# plug NAME [KEY=VALUE...]: has it make its pad; `node` is the event device.
plug() {
  local name=$1
  shift
  tell "$name" create "$@"
  node=${answer#*node=}
  [[ -c $node ]] || fail "there is no $node after $answer"
}

# probe SELECTOR [BINDING...]: starts a padprobe that tells what it sees in probe.out; `ask WORD` asks it for feedback,
# `dismiss` lets it end.
probe() {
  mkfifo probe.words
  # shellcheck disable=SC2016 # for the inner shell
  start probe bash -c 'exec "$0" live "$@" <probe.words' "$PADPROBE" "$@"
  exec {words}>probe.words
}
ask() {
  printf '%s\n' "$1" >&"$words"
  await probe.out "^asked $1"
}
dismiss() {
  exec {words}>&-
  rm probe.words
}

# driver MODULE [PARAMETER=VALUE...]: inserts a module of Tests/KernelTests/modules or a driver of Debian, with those it depends
# on; `driver --remove MODULE` removes it.
driver() { modprobe --dirname "$DRIVERS" "$@"; }

# Removes what an earlier case that failed has left, so that the first device is that of this case.
remove_drivers() {
  local module
  for module in converter ti_ads1015 i2c_stub hx711 hx711_chip nau7802 nau7802_chip; do
    [[ ! -e /sys/module/$module ]] || driver --remove "$module"
  done
}

# set_parameter MODULE PARAMETER VALUE
set_parameter() { printf '%s\n' "$3" >"/sys/module/$1/parameters/$2"; }
parameter() { cat "/sys/module/$1/parameters/$2"; }

# The payloads a subscriber's file has for a topic below the device's prefix.
payloads() { sed -n "s|^grampad/kernel/$2 ||p" "$1"; }

matches() { payloads "$1" "$2" | jq --slurp --exit-status "any(.[]; $3)" >/dev/null 2>&1; }

# expect FILE TOPIC FILTER: waits until a payload of the topic is as the jq filter says.
expect() { until_true "$2 never had: $3" matches "$1" "$2" "$3"; }

# expect_text FILE TOPIC TEXT: the same for a topic whose payload is text.
expect_text() { await "$1" "^grampad/kernel/$2 $3\$"; }

# broker PORT: a real mosquitto.
broker() {
  printf 'listener %s 127.0.0.1\nallow_anonymous true\nuser root\n' "$1" >broker.conf
  start broker mosquitto -c broker.conf
  await broker.err 'mosquitto version .* running'
}

# subscribe PORT: everything below the prefix goes to sub.out, for as long as the case lasts; -d has it say when it began.
subscribe() {
  start sub stdbuf -oL mosquitto_sub -h 127.0.0.1 -p "$1" -d -v -t 'grampad/kernel/#'
  await sub.out '^Subscribed'
}

# configure BROKER [YAML]: writes grampad.yaml, with a further part where one is given.
configure() {
  printf '%s\n' 'device: {id: kernel, name: Kernel}' "mqtt: {broker: $1, embedded_port: 18831}" \
    'dashboard: {enabled: false}' "journal: {path: $PWD/grampad.db}" "${2:-}" >grampad.yaml
}

# A pad that tells two units per gram, so that 400 counts are 200 g and the reading's calibration is `kernel`.
# shellcheck disable=SC2034 # for the cases
known='pressure=0:1023:2'
