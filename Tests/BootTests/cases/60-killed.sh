#!/bin/bash
# Killed, hung in its weighing loop, or stopped as a whole, the service weighs again in less than ten seconds, and
# nothing that was confirmed to anyone is lost.
#
# Noticing it and starting again is a matter of timers, and the same on every machine. From there to the first reading
# is a matter of the processor: an emulated one takes some three seconds, and more on a busy machine, where a real one takes
# a part of one. Both are told.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

subscribe operator 'grampad/scale/#'
hear 'availability online'
# A session that outlives its connections, for the weighings.
as operator stdbuf -oL mosquitto_sub -c -i boot-tests -q 1 -t grampad/scale/weighing >weighings.out 2>weighings.err &

# One who commits without a pause, over one connection.
mkfifo commits
as operator mosquitto_pub -l -q 1 -t grampad/scale/command/commit <commits 2>commits.err &
exec {commits}>commits
(
  for ((number = 1;; number++)); do
    printf '{"correlation": "%s"}\n' "$number" >&"$commits" || exit 0
    sleep 0.5
  done
) &
committer=$!

# recover NAME COMMAND...: hurts the service by that command, between weighings; tells how long until it weighs again.
counts=300
recover() {
  local name=$1 process begun started ready weighs
  shift
  process=$(property MainPID)
  hear 'weighing \{'
  "$@"
  begun=$(now)
  counts=$((counts + 20))
  load "$counts"
  # The old process may still say something; what is stable with the new load and committed comes from the new one.
  until_true "$name: it was not started again" is_new "$process"
  started=$(moment ExecMainStartTimestamp) ready=$(moment ActiveEnterTimestamp)
  hear "live .*\"state\":\"stable\".*\"raw\":${counts}[,}]"
  weighs=$heard_at
  hear "weighing .*\"net_g\":$((counts / 2))[,}]"
  note "$name ($(last_result)): weighing again after $(seconds $((weighs - begun))) s; started again after" \
    "$(seconds $((started - begun))), from there ready after $(seconds $((ready - started))), a stable reading at a" \
    "subscriber after $(seconds $((weighs - started))), a weighing after $(seconds $((heard_at - started)))"
  ((weighs - begun < 10000000)) || fail "$name: weighs again after $(seconds $((weighs - begun))) s"
}
is_new() { is_ready && [[ $(property MainPID) != "$1" ]]; }
last_result() {
  journalctl --unit grampad --grep "Failed with result" --output cat --lines 1 --no-pager |
    sed "s/.*result '\(.*\)'.*/\1/"
}

load "$counts"
hear "stable .*\"net_g\":150[,}]"
for round in 1 2 3; do
  recover "kill -9, $round" kill -KILL "$(property MainPID)"
done
freeze() {
  "$PAYLOAD/freeze" "$(property MainPID)" weighing >freeze.out &
  until_true "the thread was not stopped" grep -qs frozen freeze.out
}
recover "weighing loop frozen" freeze
[[ $(last_result) == watchdog ]] || fail "it was not the watchdog but $(last_result)"
recover "all of it stopped (SIGSTOP)" kill -STOP "$(property MainPID)"
[[ $(last_result) == watchdog ]] || fail "it was not the watchdog but $(last_result)"

# No more commits; when the last answer is there, all of three must agree: what was confirmed, recorded and received.
exec {commits}>&-
kill "$committer"
tell frame
hear 'live .*"state":"empty"'
history --json >history.json
jq --raw-output '.[].id' history.json | sort >recorded
sed -n 's/^[0-9.]* grampad.scale.result //p' sub.out | jq --raw-output 'select(.ok) | .weighing.id' | sort -u >confirmed
received() {
  jq --raw-output .id weighings.out | sort -u >received
  [[ -z $(comm -23 recorded received) ]]
}
until_true "recorded but never received" received
[[ -z $(comm -23 confirmed recorded) ]] || fail "confirmed but not recorded: $(comm -23 confirmed recorded | head -n 3)"
[[ -z $(comm -13 recorded received) ]] || fail "received but not recorded: $(comm -13 recorded received | head -n 3)"
jq --exit-status 'map(.sequence) | . == [range(1; length + 1)]' history.json >/dev/null || fail "the sequence has gaps"
history verify >verify.out 2>&1 || fail "verify: $(tail -n 1 verify.out)"
note "$(wc -l <confirmed) weighings confirmed, $(wc -l <recorded) recorded, $(wc -l <received) received ($(wc -l \
  <weighings.out) times), no gap; verify: $(tail -n 1 verify.out)"
