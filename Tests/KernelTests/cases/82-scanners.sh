#!/bin/bash
# Scanners: 1,000 codes of two readers, in turn and at once, with keys between them that belong to no code, plugs that are
# pulled within a code, and lost events. No code is wrong and none is lost. Before that a key that is down when the device is
# opened; afterwards another program that has grabbed it, and the appliance, which labels a weighing.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench a
bench b
bench typist
scanner() { plug "$1" kind=keyboard name=\"Test Scanner\" vendor=1209 product=4752; }
scanner a
a=$node
plug typist kind=keyboard name=\"Test Keyboard\"
selector='match:Test Scanner::=us'

# The probe says each code on a pipe, so that a scan takes no process. `line` is what it said last.
mkfifo probe.codes
"$PADPROBE" scanners 0 "$selector" >probe.codes 2>probe.err &
processes[probe]=$!
exec {codes}<probe.codes
line=''
next() { read -r -t "$PATIENCE" line <&"$codes" || fail "the probe never said: $*"; }
expect_line() {
  next "$*"
  [[ $line == "$*" ]] || fail "the probe said '$line' instead of '$*'"
}
# expect_both CODE CODE: in any order.
expect_both() {
  next "code $1"
  local first=$line
  next "code $2"
  [[ $first/$line == "code $1/code $2" || $first/$line == "code $2/code $1" ]] || fail "'$first' and '$line' instead of $*"
}
# end_code READER [any]: types Enter and a marker until the marker is read: what was typed before it is over. Other codes are
# wrong, unless `any` is allowed.
markers=0
end_code() {
  while true; do
    markers=$((markers + 1))
    tell "$1" type "\\nm$markers\\n"
    while read -r -t 1 line <&"$codes"; do
      [[ $line != "code m$markers" ]] || return 0
      [[ $line == "code m"* || ${2:-} == any ]] || fail "read '$line', which was cut off"
    done
  done
}

# Another reader, as a desktop, sees the release of a key that was down before: only then the scanner is grabbed.
tell a key KEY_7 1
expect_line "listens $a"
tell a open "$a"
tell a key KEY_7 0
tell a seen
((${answer#*events=} >= 2)) || fail "the scanner was grabbed while a key was down"
grabbed() {
  tell a seen
  tell a key KEY_F1 1
  tell a key KEY_F1 0
  tell a seen
  [[ $answer == 'ok seen events=0' ]]
}
until_true "the scanner was not grabbed" grabbed
scanner b
b=$node
expect_line "listens $a $b"
end_code a
end_code b

# unplug READER: within a code, and plugs it in again.
unplug() {
  local other=$a
  tell "$1" type 1234
  tell "$1" destroy
  [[ $1 != a ]] || other=$b
  expect_line "listens $other"
  scanner "$1"
  if [[ $1 == a ]]; then a=$node; else b=$node; fi
  # In the order of their names.
  if [[ $a < $b ]]; then expect_line "listens $a $b"; else expect_line "listens $b $a"; fi
  end_code "$1"
}
# overrun READER: more keys than the kernel's buffer holds, while no process reads.
overrun() {
  signal probe STOP
  tell "$1" type 111111111111
  tell "$1" type "222222222222\\n"
  signal probe CONT
  end_code "$1"
}
# A pause of the machine of more than 100 ms within a code drops the code, as it should. What took nearly that long does not count.
slow=0
typed=0
begin_typing() { typed=${EPOCHREALTIME/./}; }
is_quick() { (((${EPOCHREALTIME/./} - typed) / 1000 < 90)); }
# leave_out READER...: lets their codes be read or dropped.
leave_out() {
  local reader
  slow=$((slow + 1))
  ((slow < 500)) || fail "the machine is too slow: $slow rounds do not count"
  for reader in "$@"; do end_code "$reader" any; done
}
# expect_codes READER CODE READER CODE: after both were typed.
expect_codes() {
  if is_quick; then
    expect_both "$2" "$4"
    scans=$((scans + 2))
  else
    leave_out "$1" "$3"
  fi
}
# at_once READER CODE READER CODE: two processes type in the same moment.
at_once() {
  local reader
  begin_typing
  printf 'type %s\\n\n' "$2" >&"${commands[$1]}"
  printf 'type %s\\n\n' "$4" >&"${commands[$3]}"
  for reader in "$1" "$3"; do
    read -r -t "$PATIENCE" answer <&"${answers[$reader]}" || fail "testpad did not answer"
    [[ $answer == ok* ]] || fail "testpad: $answer"
  done
  expect_codes "$@"
}
# interleave READER CODE READER CODE: half of one, half of the other, and the rest.
interleave() {
  begin_typing
  tell "$1" type "${2:0:5}"
  tell "$3" type "${4:0:5}"
  tell "$1" type "${2:5}\\n"
  tell "$3" type "${4:5}\\n"
  expect_codes "$@"
}

began=$SECONDS
scans=0
for ((n = 1; scans < 1000; n++)); do
  if ((n % 2)); then reader=a other=b; else reader=b other=a; fi
  # Different for each scan and reader, with Shift: 56 events.
  printf -v code '%s%011d' "${reader^}" "$n"
  printf -v second '%s%011d' "${other^}" "$n"
  case $((n % 10)) in
    1) for value in 1 0; do tell "$reader" key KEY_CAPSLOCK "$value"; done ;;
    2)
      for value in 1 0; do tell "$reader" key KEY_F5 "$value"; done
      # Waits until they are read: with the code they fill the kernel's buffer of 64 events, which then loses some.
      end_code "$reader"
      ;;
    3) tell typist type '777\n' ;;
    4) for value in 1 0; do tell "$reader" key KEY_LEFTSHIFT "$value"; done ;;
    5)
      interleave "$reader" "$code" "$other" "$second"
      continue
      ;;
    6)
      at_once "$reader" "$code" "$other" "$second"
      continue
      ;;
  esac
  case $((n % 300)) in
    47 | 198) unplug "$reader" ;;
    57 | 188) overrun "$reader" ;;
    67 | 168)
      # A key pressed by hand belongs to no code after half a second of silence, which is part of this input.
      tell "$reader" type x
      sleep 0.6
      ;;
  esac
  begin_typing
  tell "$reader" type "$code\\n"
  if is_quick; then
    expect_line "code $code"
    scans=$((scans + 1))
  else
    leave_out "$reader"
  fi
done
note "$scans scans in $((SECONDS - began)) s, each read once; $slow rounds were too slow to count"

# Another program does not get what is grabbed, says so, and takes over when it is free.
start second "$PADPROBE" scanners 0 "$selector"
await second.err 'another program has grabbed it'
tell a type 'other\n'
expect_line 'code other'
[[ ! -s second.out ]] || fail "a device that is grabbed was read: $(<second.out)"
signal probe TERM
finish probe
await second.out "^listens .*$a"
read_by_second() {
  markers=$((markers + 1))
  tell a type "\\nm$markers\\n"
  says second.out '^code m'
}
until_true "the other program never read a code" read_by_second
signal second TERM
finish second

"$GRAMPAD" devices --json >devices.out 2>devices.err || fail "devices failed: $(tail -n 1 devices.err)"
device() { jq --exit-status "any(.[]; .path == \"$1\" and ($2))" devices.out >/dev/null; }
device "$a" '.can_scan and (.can_weigh | not)' || fail "$a should be able to scan"

# The appliance: the code labels the next weighing, and only that.
broker 18830
subscribe 18830
bench pad
plug pad "$known"
"$GRAMPAD" devices --json >devices.out 2>devices.err || fail "devices failed: $(tail -n 1 devices.err)"
device "$node" '(.can_scan | not) and (.scan_reason | length > 0)' || fail "a pad is no scanner, with a reason"
configure mqtt://127.0.0.1:18830 'scanners: [{device: {name: Test Scanner}}]'
start run "$GRAMPAD" run --config grampad.yaml
tell pad frame 0:600,300,200
expect_text sub.out display '100 g'
await run.err "scanner.path=$a .*scanner device found"
tell a type '\n4006381333931\n'
expect sub.out event '.type == "scanned"'
mosquitto_pub -h 127.0.0.1 -p 18830 -q 1 -t grampad/kernel/command/commit -m '{"correlation": "1"}'
expect sub.out weighing/last '.label == "4006381333931"'
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
