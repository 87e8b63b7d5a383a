#!/bin/bash
# Reloaded by systemctl, a good configuration is taken over and a bad one is not; stopped, it says so; no secret shows.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

configuration=/etc/grampad/grampad.yaml
subscribe operator 'grampad/scale/#'
hear 'availability online'
process=$(property MainPID)

# A file is read when it is saved; so what systemctl does is shown once that has happened.
sed -i 's/^  capacity_g: .*/  capacity_g: 300/' "$configuration"
hear 'event \{"type":"reloaded"'
systemctl reload grampad
hear 'event \{"type":"reloaded"'
load 700
hear 'live .*"printable":"300\+ g"'
tell frame

cp "$configuration" good.yaml
sed -i 's/^  capacity_g: .*/  capacity_g: heavy/' "$configuration"
hear 'health .*"configuration":\{"state":"refused"'
note "a bad file: $(payload | jq -c .configuration)"
systemctl reload grampad || fail "systemctl reload failed with a bad file"
load 700
hear 'live .*"printable":"300\+ g"'
tell frame
cp good.yaml "$configuration"
hear 'health .*"configuration":\{"state":"in_force"'
[[ $(property MainPID) == "$process" ]] || fail "the service was restarted"

begun=$(now)
systemctl stop grampad
note "stopped in $(milliseconds $(($(now) - begun))) ms"
hear 'availability offline'
[[ $(property Result) == success ]] || fail "stopped with $(property Result)"

# From start to the first reading, with the pad in place.
systemctl start grampad
hear 'availability online'
hear 'live '
started=$(moment ExecMainStartTimestamp)
note "from ExecStart: ready after $(milliseconds $(($(moment ActiveEnterTimestamp) - started))) ms, first reading at" \
  "a subscriber through TLS after $(milliseconds $((heard_at - started))) ms"
process=$(property MainPID)
resident() { sed -nE "s/^$1:[^0-9]*([0-9]+) kB/\1/p" "/proc/$process/status"; }
note "memory after start: $(resident VmRSS) kB resident, of which $(resident RssAnon) kB are its own and" \
  "$(resident RssFile) kB are of files"
note "lines in the journal so far: $(journalctl --boot --unit grampad --output cat --no-pager | wc -l), of which" \
  "$(journalctl --boot --unit grampad --output cat --no-pager | grep -c 'thread priority') on thread priorities"

# Secrets: not in the log, the process list with environments, what systemd shows, or anything published.
journalctl --unit grampad --output cat --no-pager >log.out
[[ $(wc -l <log.out) -ge 5 ]] || fail "the journal of the machine has only $(wc -l <log.out) lines of the service"
journalctl --no-pager --output cat >everything.out
ps auxeww >processes.out
systemctl show grampad >unit.out
for user in scale other viewer operator; do
  secret=$(<"/etc/mosquitto/grampad/clients/$user/mqtt.password")
  ((${#secret} >= 16)) || fail "the password of $user is short"
  ! grep -lF -e "$secret" everything.out processes.out unit.out sub.out || fail "the password of $user is seen"
done
access=$(stat -c '%a %U:%G' /etc/grampad/mqtt.password)
[[ $access == '640 root:grampad' ]] || fail "the password's file is $access"
