#!/bin/bash
# Debian's own driver for the ADS1115, unchanged, with the kernel's i2c-stub for the chip: a voltage written to its register is
# weighed to a stable reading, also by the name of the chip instead of that of the driver.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

driver i2c-stub chip_addr=0x48
driver i2c-dev
for bus in /sys/bus/i2c/devices/i2c-*; do [[ $(cat "$bus/name") != "SMBus stub driver" ]] || break; done
# A count in the register of the last conversion. SMBus has the low byte first, the chip the high one.
count() { busybox i2cset -f -y "${bus##*-}" 0x48 0 $((($1 & 0xff) << 8 | $1 >> 8)) w; }
# The plate rests at 2,400 counts of 0.125 mV; 15 counts per gram. The range is that of 16 bits with a sign.
plate=2400
load() { count $((plate + $1 * 15)); }
raw() { printf '%s' $((32768 + plate + $1 * 15)); }

broker 18843
subscribe 18843
configure mqtt://127.0.0.1:18843 "
pad: {device: {iio: ads1115}}
calibration: {points: [{raw: $(raw 0), grams: 0}, {raw: $(raw 385), grams: 385}]}"
load 0
echo ads1115 0x48 >"$bus/new_device"
driver ti-ads1015
device=(/sys/bus/iio/devices/iio:device*)
read=$(cat "${device[0]}/in_voltage0_raw")
[[ $read == "$plate" ]] || fail "the driver reads $read instead of $plate"
note "the device is named $(cat "${device[0]}/name")"

start run "$GRAMPAD" run --config grampad.yaml
expect sub.out event '.type == "pad_found"'
expect sub.out live '.state == "empty" and .printable == "0 g"'
load 200
expect sub.out stable '.stable and .net_g == 200 and .state == "stable"'
load 120
expect sub.out stable '.stable and .net_g == 120'
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
driver --remove ti-ads1015
driver --remove i2c-stub
