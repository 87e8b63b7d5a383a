#!/bin/bash
# Weighings typed through uinput, read back from the kernel by public clients: xkbcli decodes the keys with the layouts of
# xkeyboard-config, python3-evdev reads the events. The service runs as its own user, which the udev rule of deploy/keyboard
# permits to open /dev/uinput. The typed Enter triggers no button. A void, a relabel and a restart type nothing.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
root=$(dirname "$0")/../../..

printf 'grampad:x:980:980::/nonexistent:/usr/sbin/nologin\n' >>/etc/passwd
printf 'grampad:x:980:\n' >>/etc/group
chown grampad .
start udevd /lib/systemd/systemd-udevd
until_true "udev did not start" test -S /run/udev/control
# The guest's files are below a chroot, in which udevadm would otherwise do nothing.
export SYSTEMD_IGNORE_CHROOT=1

broker 18830
subscribe 18830
bench pad
plug pad "$known"
pad=$node
bench board
plug board kind=keys name=\"gpio-keys\" keys=KEY_ENTER,KEY_SPACE
board=$node
readable() { [[ $(stat --format=%G "$1") == input ]]; }
until_true "udev did not treat the pad" readable "$pad"
until_true "udev did not treat the keys" readable "$board"

# write LAYOUT FORMAT: the configuration. A key fires after 3 ms, and a typed key is held for at least 8 ms.
write() {
  configure mqtt://127.0.0.1:18830 "pad: {zones: {}}
confirm: {hold_ms: 3}
buttons: [{device: auto, key: KEY_ENTER, action: tare}]
keyboard: {enabled: true, layout: $1, format: $2}"
}
run() {
  start run setpriv --reuid=980 --regid=980 --groups="$(getent group input | cut -d : -f 3)" "$GRAMPAD" run \
    --config grampad.yaml
}
# act ACTION [PAYLOAD]: performs an action and waits until it is done.
acted=0
act() {
  acted=$((acted + 1))
  local payload=${2:-}
  payload="{\"correlation\": \"$acted\"${payload:+, $payload}}"
  mosquitto_pub -h 127.0.0.1 -p 18830 -q 1 -t "grampad/kernel/command/$1" -m "$payload"
  expect sub.out result ".correlation == \"$acted\" and .ok"
}
find_typist() {
  local name
  for name in /sys/class/input/event*/device/name; do
    if [[ $(<"$name") == 'Grampad Keyboard' ]]; then
      typist=/dev/input/$(basename "$(dirname "$(dirname "$name")")")
      return
    fi
  done
  return 1
}
# listen LAYOUT: a client with this layout that reads every keyboard from now on.
listen() {
  start xkb stdbuf -oL xkbcli interactive-evdev --layout "$1"
  # It opens all keyboards before it reads.
  until_true "xkbcli does not read $typist" eval "ls -l /proc/${processes[xkb]}/fd 2>/dev/null | grep -q ' $typist\$'"
}
# typed: what the client has read so far.
typed() {
  python3 - <<'PYTHON'
import re, sys
for line in open("xkb.out", encoding="utf-8", newline="\n"):
    keys = re.match(r"keysyms \[ (\S+) *\] unicode \[ (.*?)\s*\] layout", line)
    if keys and not re.match("Shift_|ISO_Level3", keys[1]):
        sys.stdout.write({"Return": "\n", "Tab": "\t", "space": " "}.get(keys[1], keys[2]))
PYTHON
}
read_back() { [[ $(typed; printf .) == "$1." ]]; }
# expect_typed TEXT
expect_typed() {
  local end=$((SECONDS + PATIENCE))
  until read_back "$1"; do
    ((SECONDS < end)) || fail "typed $(typed | jq -Rs .) instead of $(printf %s "$1" | jq -Rs .)"
    sleep 0.1
  done
}

# Without the rule: a warning that says why, and the scale weighs. With it, the next attempt succeeds.
write us '"{net_g}\n"'
run
await run.err 'no permission for /dev/uinput.*cannot type weighings; retrying'
cp "$root/deploy/keyboard/grampad-keyboard.rules" /etc/udev/rules.d/grampad-keyboard.rules
line=$(sed -n 's/^#   \(udevadm .*\)$/\1/p' /etc/udev/rules.d/grampad-keyboard.rules)
[[ -n $line ]] || fail "the rule does not say how to put it into force"
bash -c "$line" || fail "this failed: $line"
await run.err 'typing weighings as a keyboard'
if grep -E "keyboard.*\.rules:[0-9]+" udevd.err; then fail "udev finds fault with the rule"; fi
until_true "there is no keyboard" find_typist
property() { udevadm info --query=property --name="$typist" | grep -qx "$1"; }
until_true "udev does not call it a keyboard" property ID_INPUT_KEYBOARD=1
listen us
python3 -u -c '
import sys, evdev
device = evdev.InputDevice(sys.argv[1])
print("ready", evdev.ecodes.EV_REP in device.capabilities(), flush=True)
for event in device.read_loop():
    print(event.sec * 1000000 + event.usec, event.type, event.code, event.value, flush=True)
' "$typist" >raw.out 2>raw.err &
await raw.out '^ready False'

# 100 g, -50 g after a tare.
tell pad frame 0:600,300,200
expect_text sub.out display '100 g'
act commit
expect_typed $'100\n'
act commit '"label": "beans"'
act relabel '"label": "more"'
act void
act tare
tell pad frame 0:600,300,100
expect_text sub.out display '-50 g'
act commit
expect_typed $'100\n100\n-50\n'

# Every layout, by a reload; a label that the layout cannot type entirely.
reloads=0
reload() {
  reloads=$((reloads + 1))
  write "$1" "$2"
  until_true "the configuration was not reloaded" reloaded
  kill "${processes[xkb]}"
  listen "$1"
}
reloaded() { (($(grep -c 'configuration reloaded' run.err) >= reloads)); }
# Without YAML's special characters, which are not of interest here.
ascii=$(printf '%b' "$(printf '\\%03o' {33..126})" | tr -d '"\\^`~{}')
for layout in us de fr; do
  extra=
  [[ $layout != de ]] || extra='äöüÄÖÜß€°§²³µ'
  [[ $layout != fr ]] || extra='éèçàù€°§²µ£¤'
  reload "$layout" "\"$ascii$extra\\t{net_g:,} {label}\\n\""
  act commit '"label": "Zürich A日"'
  case $layout in
    us) label='Z?rich A?' ;;
    de) label='Zürich A?' ;;
    fr) label='Z?rich A?' ;;
  esac
  expect_typed "$ascii$extra"$'\t'"-50 $label"$'\n'
done

# The events: every key was released, none was repeated, none was lost, and a reader's buffer of 64 events holds 250 ms.
kill "$!"
python3 - <<'PYTHON' || fail "the events are not as they should be: $(tail -n 3 raw.out)"
events = [tuple(map(int, line.split())) for line in open("raw.out", encoding="ascii") if line[0].isdigit()]
down = set()
reports = []
for time, kind, code, value in events:
    if kind == 1:
        assert value in (0, 1) and (code in down) == (value == 0), (time, code, value)
        (down.add if value else down.discard)(code)
    else:
        assert (kind, code, value) == (0, 0, 0), (kind, code, value)
        reports.append(time)
assert not down and len(events) == 2 * len(reports) > 600, (down, len(events), len(reports))
gaps = [after - before for before, after in zip(reports, reports[1:])]
assert min(gaps) >= 7900, min(gaps)
window = max(sum(1 for later in events if 0 <= later[0] - first < 250000) for first in reports)
assert window <= 64, window
print(f"NOTE: {len(reports)} changes of keys, at least {min(gaps)} us apart; at most {window} events in 250 ms")
PYTHON

# The Enter of the typist was no button; that of the real keyboard is one.
tares() { payloads sub.out event | jq -c 'select(.type == "tared")' | wc -l; }
(($(tares) == 1)) || fail "there were $(tares) tares instead of that of the command"
tell board key KEY_ENTER 1
expect sub.out gesture '.action == "tare" and .state == "confirmed"'
tell board key KEY_ENTER 0
tared() { (($(tares) == 2)); }
until_true "the Enter of the real keyboard did not tare" tared
says run.err "button.path=$board .*button device found" || fail "the real keyboard is no button"
if grep "button.path=$typist .*button device found" run.err; then fail "the typing keyboard is a button"; fi

# After a restart nothing is typed again.
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
until_true "the keyboard stays" eval "[[ ! -e $typist ]]"
kill "${processes[xkb]}" 2>/dev/null || true
write us '"{sequence} {net_g}\n"'
run
until_true "there is no keyboard after the restart" find_typist
listen us
tell pad frame
tell pad frame 0:600,300,300
expect sub.out live '.raw == 300 and .stable'
act clear_tare
act commit
last=$(payloads sub.out weighing/last | tail -n 1 | jq .sequence)
expect_typed "$last 150"$'\n'
