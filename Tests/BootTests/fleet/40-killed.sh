#!/bin/bash
# The collector is killed, database and broker are restarted while the scale weighs: the services are back by themselves,
# and each weighing is stored once.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

load 400
(until [[ -e enough ]]; do commit || true; done) >commits.out 2>&1 &
committer=$!
is_new() { runs "$1" && [[ $(property MainPID "$1") != "$2" ]]; }
# disturb NAME COMMAND...: weighings are stored again after it.
disturb() {
  local name=$1 before begun
  shift
  until_true "nothing is stored before: $name" stores "$(number)"
  begun=$(now)
  "$@"
  # The weighings that the restarted service had received before do not count.
  before=$(history --json | jq length)
  until_true "nothing is stored after: $name" stores "$before"
  note "$name: weighings are stored again after $(seconds $(($(now) - begun))) s"
}
kill_service() {
  local process
  process=$(property MainPID "$1")
  systemctl kill --signal KILL "$1"
  until_true "$1 was not started again" is_new "$1" "$process"
}
for round in 1 2 3; do disturb "collector killed, $round" kill_service grampad-collect; done
disturb "PostgreSQL restarted" systemctl restart postgresql
disturb "mosquitto restarted" systemctl restart mosquitto
disturb "enrolment killed" kill_service grampad-enroll
until_true "grampad-enroll is not ready" logged grampad-enroll 'enroll/\+/code.*ready'
(($(property NRestarts grampad-collect) >= 3)) || fail "the collector was restarted $(property NRestarts grampad-collect) times"

touch enough
wait "$committer"
compare
note "$(wc -l <recorded) weighings recorded, $(wc -l <stored) stored, each once"
grampad fleet --database "$reading" --json >fleet.out || fail "grampad fleet: exit status $?"
jq --exit-status '.[] | select(.device == "scale") | [.missing, .lost, .conflicts] == [0, 0, 0]' fleet.out >/dev/null ||
  fail "grampad fleet: $(jq -c . fleet.out)"
refuse_failed_units
