#!/bin/bash
# The service came by itself with the machine, as its own user, confined.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

until_true "the service is $(property ActiveState)" is_ready
systemctl is-active --quiet grampad || fail "is-active says $(systemctl is-active grampad)"
ready=$(property ActiveEnterTimestampMonotonic)
users=$(property ActiveEnterTimestampMonotonic multi-user.target)
((ready <= users)) || fail "it was ready $(milliseconds $((ready - users))) ms after multi-user.target"
begun=$(property ExecMainStartTimestampMonotonic)
note "ready $(seconds "$ready") s after the kernel's start, $(milliseconds $((ready - begun))) ms after its own;" \
  "multi-user.target at $(seconds "$users") s"
[[ $(property NRestarts) == 0 ]] || fail "it was restarted $(property NRestarts) times"

process=$(property MainPID)
who=$(ps -o user:20=,group:20= --pid "$process" | tr -s ' ' | sed 's/ $//')
[[ $who == 'grampad grampad' ]] || fail "it runs as $who"
grep -qx 'NoNewPrivs:.1' "/proc/$process/status" || fail "it may get new privileges"
grep -qx 'CapEff:.0*' "/proc/$process/status" || fail "it has capabilities: $(grep CapEff "/proc/$process/status")"

exposure=$(systemd-analyze security --no-pager grampad.service |
  sed -nE 's/.*exposure level for [^:]*: ([0-9.]+).*/\1/p')
awk -v exposure="$exposure" 'BEGIN { exit !(exposure != "" && exposure <= 1.5) }' || fail "exposure is '$exposure'"
note "systemd-analyze security, in the running system: $exposure"
