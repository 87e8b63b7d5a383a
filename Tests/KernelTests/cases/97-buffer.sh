#!/bin/bash
# A converter whose buffer is filled by a trigger: no sample is read from sysfs.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

plate=1500000
load() { set_parameter converter value $((plate + $1 * 1540)); }
last() { payloads sub.out live | tail -n 1 | jq --exit-status "$1" >/dev/null; }

broker 18844
subscribe 18844
configure mqtt://127.0.0.1:18844 "
pad: {device: {iio: converter}}
calibration: {points: [{raw: $plate, grams: 0}, {raw: $((plate + 385 * 1540)), grams: 385}]}"
driver converter value=$plate noise=40 trigger=1
device=/sys/bus/iio/devices/iio:device0
echo 1 >$device/scan_elements/in_voltage0_en
echo 1 >$device/buffer/enable
start run "$GRAMPAD" run --config grampad.yaml
expect sub.out live '.state == "empty" and .printable == "0 g"'
load 120
until_true "does not weigh from the buffer" last '.stable and .gross_g == 120'
(($(parameter converter reads) == 0)) || fail "samples were read from sysfs, not from the buffer"
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
echo 0 >$device/buffer/enable
driver --remove converter
