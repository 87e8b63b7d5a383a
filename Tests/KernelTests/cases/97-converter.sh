#!/bin/bash
# A converter of the industrial I/O subsystem on the stock kernel: found after the start, weighed to a stable reading, a
# read that blocks delays nothing else, the driver removed and inserted again while the scale runs.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

# 1,540 counts per gram, as with a 1 kg cell on an HX711; the plate rests at 1,500,000 counts.
plate=1500000
load() { set_parameter converter value $((plate + $1 * 1540)); }
# With a trigger the kernel states the range, 24 bits.
insert() { driver converter value=$plate noise=40 trigger=1; }
events() { payloads sub.out event | jq -c "select(.type == \"$1\")" | wc -l; }
told() { (($(events "$1") > $2)); }
live() { payloads sub.out live | wc -l; }
# last FILTER: whether the reading published last is so.
last() { payloads sub.out live | tail -n 1 | jq --exit-status "$1" >/dev/null; }

broker 18840
subscribe 18840
configure mqtt://127.0.0.1:18840 "
pad: {device: {iio: converter}}
publish: {heartbeat_ms: 1000}
calibration: {points: [{raw: $plate, grams: 0}, {raw: $((plate + 385 * 1540)), grams: 385}]}"

# The subsystem itself is a module, which is loaded with the first driver.
[[ -e /sys/bus/iio ]] || note "there is no /sys/bus/iio when the scale starts"
start run "$GRAMPAD" run --config grampad.yaml
expect_text sub.out availability online

insert
"$GRAMPAD" devices --json >devices.out 2>devices.err || fail "devices failed: $(cat devices.err)"
jq --exit-status 'any(.. | objects; .name? == "converter" and .channels? == ["voltage0"] and (.reason | test("pad.device")))' \
  devices.out >/dev/null || fail "devices: $(cat devices.out)"
expect sub.out event '.type == "pad_found"'
expect sub.out live '.state == "empty" and .printable == "0 g"'
load 200
expect sub.out stable '.stable and .net_g == 200 and .gross_g == 200 and .state == "stable" and .calibration == "user"'
expect sub.out live '.uncertainty_g > 0 and .net_g == 200'

# While one read blocks, no sample arrives: everything below happens until it is released.
block() {
  local before
  before=$(parameter converter held)
  set_parameter converter hold 1
  blocks() { (($(parameter converter held) > before)); }
  until_true "no read began to block" blocks
}
block
reads=$(parameter converter reads)
before=$(live)
started=${EPOCHREALTIME/./}
mosquitto_pub -h 127.0.0.1 -p 18840 -q 1 -t grampad/kernel/command/tare -n
# Done while the load counts as stable, refused once the converter counts as silent: emulated time decides. It is answered.
expect sub.out result '.action == "tare"'
note "a command was answered after $(((${EPOCHREALTIME/./} - started) / 1000)) ms while a read blocked"
heartbeats() { (($(live) >= before + 2)); }
until_true "no heartbeat while a read blocks" heartbeats
# Silent for the larger of 2 s and 20 sample periods; health says why.
until_true "a silent converter is still stable" last '.stable | not'
expect sub.out health '.pad | tostring | test("converter|iio:device")'
(($(parameter converter reads) == reads)) || fail "the read ended before the checks"
set_parameter converter hold 0
resumed() { (($(parameter converter reads) > reads + 10)); }
until_true "the samples did not resume" resumed
until_true "does not weigh after the block" last '.stable and .gross_g == 200'

# Removed and inserted while the scale runs.
lost=$(events pad_lost) found=$(events pad_found)
driver --remove converter
until_true "pad_lost was not told" told pad_lost "$lost"
until_true "not offline without the converter" last '.state == "offline"'
insert
until_true "pad_found was not told" told pad_found "$found"
# A load of its own, so that an old message cannot be mistaken for a new one.
load 150
until_true "does not weigh after the converter is back" last '.stable and .gross_g == 150'
kill -0 "${processes[run]}" || fail "the scale ended"

# The end is not delayed by a read that blocks.
block
started=${EPOCHREALTIME/./}
signal run TERM
finish run
took=$(((${EPOCHREALTIME/./} - started) / 1000))
((status == 0)) || fail "run ended with $status"
note "ended $took ms after SIGTERM while a read blocked"
set_parameter converter hold 0

# A free converter is measured for a calibration: the empty platter first, then the mass.
load 0
start verify "$GRAMPAD" calibrate verify 200 --rest 1 --json --config grampad.yaml
await verify.err 'Put 200.0 g'
load 200
finish verify
((status == 0)) || fail "verify ended with $status: $(cat verify.err)"
jq --exit-status '.ok and (.reads_g - 200 | fabs) < 0.1 and .calibration == "user"' verify.out >/dev/null || fail "$(cat verify.out)"
driver --remove converter
