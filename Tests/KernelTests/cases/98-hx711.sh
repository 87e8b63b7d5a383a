#!/bin/bash
# Debian's own driver for the HX711, unchanged, with a simulated chip at its two GPIO lines: weighed to a stable reading, a
# broken wire reported, the driver removed and inserted again.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

# The chip counts in two's complement; the driver adds 2^23.
plate=250000
load() { set_parameter hx711_chip value $((plate + $1 * 1540)); }
raw() { printf '%s' $((8388608 + plate + $1 * 1540)); }

broker 18841
subscribe 18841
configure mqtt://127.0.0.1:18841 "
pad: {device: {iio: hx711}}
calibration: {points: [{raw: $(raw 0), grams: 0}, {raw: $(raw 385), grams: 385}]}"
driver hx711_chip value=$plate noise=40
driver hx711
read=$(cat /sys/bus/iio/devices/iio:device0/in_voltage0_raw)
((read >= $(raw 0) - 40 && read <= $(raw 0) + 40)) || fail "the driver reads $read instead of $(raw 0)"

start run "$GRAMPAD" run --config grampad.yaml
expect sub.out event '.type == "pad_found"'
expect sub.out live '.state == "empty" and .printable == "0 g"'
load 200
expect sub.out stable '.stable and .net_g == 200 and .state == "stable"'
load 120
expect sub.out stable '.stable and .net_g == 120'

# A wire breaks: the driver's reads fail after 2 s each. It is repaired.
last() { payloads sub.out live | tail -n 1 | jq --exit-status "$1" >/dev/null; }
note "weighed after $SECONDS s"
set_parameter hx711_chip stuck 1
until_true "stable although the chip is silent" last '.stable | not'
load 200
note "silent after $SECONDS s"
set_parameter hx711_chip stuck 0
until_true "not stable after the repair" last '.stable and .net_g == 200'
note "weighed again after $SECONDS s"

driver --remove hx711
until_true "not offline without the driver" last '.state == "offline"'
note "removed after $SECONDS s"
load 0
driver hx711
until_true "not empty after the driver is back" last '.state == "empty"'
load 300
until_true "does not weigh after the driver is back" last '.stable and .gross_g == 300'
note "weighed again after $SECONDS s"
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
driver --remove hx711
driver --remove hx711_chip
