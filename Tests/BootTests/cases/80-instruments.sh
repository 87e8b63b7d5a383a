#!/bin/bash
# MT-SICS on TCP and on a pseudo-terminal, and the keyboard that types weighings, in the sandbox of the service. The link to
# the terminal is in the runtime folder: a link that a killed process left behind is replaced, a file of another user is
# not. /dev/uinput can be opened only with the drop-in.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

configuration=/etc/grampad/grampad.yaml
balance=/run/grampad/balance
keyboard=/usr/share/grampad/keyboard
drop_in=/etc/systemd/system/grampad.service.d
cp -p "$configuration" before.yaml

# ask PATH COMMAND: the answer to a command of MT-SICS, on the terminal or on TCP.
ask() {
  local line
  exec {line}<>"$1"
  printf '%s\r\n' "$2" >&"$line"
  IFS= read -r -t "$PATIENCE" answer <&"$line" || fail "$1 does not answer $2"
  answer=${answer%$'\r'}
  exec {line}>&-
}
# expect_answer PATH COMMAND PATTERN
expect_answer() {
  ask "$1" "$2"
  [[ $answer =~ ^$3$ ]] || fail "$1 answers $2 with '$answer'"
}
# restart: restarts the service, and waits until it weighs.
restart() {
  systemctl restart grampad
  hear 'availability online'
  hear 'health .*"pad":\{"state":"present"'
}
# said PATTERN: whether the service of now has logged it.
said() { journalctl _PID="$(property MainPID)" --output cat --no-pager | grep -qE "$1"; }
# uinput: whether a process in the control group of the service, which is where the sandbox denies devices, can open it.
uinput() { bash -c 'echo $$ >/sys/fs/cgroup/system.slice/grampad.service/cgroup.procs && : <>/dev/uinput' 2>uinput.err; }
refuse_uinput() {
  if uinput; then fail "the sandbox permits /dev/uinput $1"; fi
  grep -q 'Operation not permitted' uinput.err || fail "/dev/uinput $1: $(<uinput.err)"
}
find_keyboard() {
  local name
  for name in /sys/class/input/event*/device/name; do
    if [[ $(<"$name") == 'Grampad Keyboard' ]]; then
      node=/dev/input/$(basename "$(dirname "$(dirname "$name")")")
      return
    fi
  done
  return 1
}

# Off, as delivered.
subscribe operator 'grampad/scale/#'
hear 'availability online'
: <>/dev/uinput || fail "/dev/uinput cannot be opened outside the sandbox either"
refuse_uinput 'with the keyboard off'
[[ $(stat -c '%a %U:%G' /run/grampad) == '750 grampad:grampad' ]] ||
  fail "the runtime folder is $(stat -c '%a %U:%G' /run/grampad)"

# On, and the device permitted by its rule, but not by the sandbox: a warning, and the rest works.
sed -i -e 's/^  # listen: .*/  listen: "127.0.0.1:8386"/' -e 's/^  # pty: .*/  pty: balance/' \
  -e '/^keyboard:/,$ s/^  enabled: .*/  enabled: true/' "$configuration"
as_grampad grampad check --config "$configuration" >check.out 2>&1 || fail "check: $(tail -n 2 check.out)"
install -D -m 644 -t /etc/udev/rules.d "$keyboard/grampad-keyboard.rules"
udevadm control --reload
udevadm trigger --action=change --settle --sysname-match=uinput
[[ $(stat -c '%a %G' /dev/uinput) == '660 grampad' ]] || fail "/dev/uinput is $(stat -c '%a %U:%G' /dev/uinput)"
restart
until_true "no warning about the keyboard" said '/dev/uinput.*cannot type weighings; retrying'
! find_keyboard || fail "there is a keyboard without the drop-in"
until_true "there is no link $balance" test -L "$balance"
[[ $(readlink "$balance") == /dev/pts/* ]] || fail "the link is to $(readlink "$balance")"
[[ $(stat -Lc '%a %U:%G' "$balance") == '660 grampad:grampad' ]] ||
  fail "the terminal is $(stat -Lc '%a %U:%G' "$balance")"

load 400
hear 'stable .*"net_g":200[,}]'
expect_answer "$balance" @ 'I4 A "scale"'
expect_answer "$balance" SI 'S S +200 g'
expect_answer /dev/tcp/127.0.0.1/8386 SI 'S S +200 g'
# A member of the group can open it, another user cannot.
client="exec 5<>$balance || exit 1; printf 'SI\r\n' >&5; IFS= read -r -t $PATIENCE line <&5; printf '%s\n' \"\$line\""
setpriv --reuid 65534 --regid grampad --clear-groups bash -c "$client" >member.out
grep -q '^S S  *200 g' member.out || fail "a member of the group gets: $(<member.out)"
if setpriv --reuid 65534 --regid 65534 --clear-groups bash -c "$client" >other.out 2>&1; then
  fail "another user gets: $(<other.out)"
fi
grep -q 'Permission denied' other.out || fail "another user gets: $(<other.out)"

# Killed: the client that opens the link afterwards is served by the new process.
process=$(property MainPID)
kill -KILL "$process"
hear 'availability online'
is_new() { [[ $(property MainPID) != "$process" ]] && is_ready; }
until_true "not started again" is_new
until_true "no link after the restart" test -L "$balance"
hear 'live .*"state":"stable".*"raw":400[,}]'
expect_answer "$balance" SI 'S S +200 g'

# Stopped: the link is gone. systemd removes the folder with it, so both are made again for what may be in its place.
systemctl stop grampad
[[ ! -e /run/grampad && ! -L $balance ]] || fail "left after stop: $(ls -ld /run/grampad "$balance" 2>&1)"
if (exec 9<>/dev/tcp/127.0.0.1/8386) 2>/dev/null; then fail "port 8386 is still open"; fi
hear 'availability offline'
place() { install -d -m 750 -o grampad -g grampad /run/grampad; }
place
as_grampad ln -s /dev/pts/0 "$balance"
restart
until_true "no terminal" said 'MT-SICS on a pseudo-terminal'
expect_answer "$balance" @ 'I4 A "scale"'
systemctl stop grampad
hear 'availability offline'
place
echo mine >"$balance"
restart
until_true "no warning about the file" said "$balance exists and is not a link of this user"
[[ $(<"$balance") == mine && $(stat -c %U "$balance") == root ]] || fail "the file of root was changed"
rm "$balance"
until_true "no link after the file was removed" test -L "$balance"
expect_answer "$balance" @ 'I4 A "scale"'

# With the drop-in, it types.
install -D -m 644 -t "$drop_in" "$keyboard/grampad-keyboard.conf"
systemctl daemon-reload
restart
until_true "there is no keyboard" find_keyboard
uinput || fail "the sandbox refuses /dev/uinput with the drop-in: $(<uinput.err)"
# Rows of a struct input_event, in 16-bit words: 9 is the type, 10 the code, 11 the value.
stdbuf -oL od -An -v -w24 -t d2 "$node" >keys.out &
keys() { awk '$9 == 1 && $11 == 1 { printf "%d ", $10 }' keys.out; }
until_true "od does not read" eval "ls -l /proc/$!/fd 2>/dev/null | grep -q ' $node\$'"
load 400
hear 'live .*"state":"stable".*"raw":400[,}]'
as operator mosquitto_pub -V 5 -q 1 -t grampad/scale/command/commit -m '{}'
hear 'weighing .*"net_g":200[,}]'
# 2, 0, 0 and Enter; linux/input-event-codes.h
typed() { [[ $(keys) == '3 11 11 28 ' ]]; }
until_true "it did not type 200 and Enter" typed
exposure=$(systemd-analyze security --no-pager grampad.service | sed -nE 's/.*exposure level for [^:]*: ([0-9.]+).*/\1/p')
note "typed by $node; systemd-analyze security with the drop-in: $exposure"
systemctl stop grampad
hear 'availability offline'
! find_keyboard || fail "the keyboard is left after stop"

# Revoked and off again, the sandbox is as before.
rm -r "$drop_in" /etc/udev/rules.d/grampad-keyboard.rules
cp -p before.yaml "$configuration"
systemctl daemon-reload
restart
refuse_uinput 'after the drop-in was removed'
tell frame
hear 'live .*"state":"empty"'
