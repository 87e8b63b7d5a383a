#!/bin/bash
# The ground for the cases with converters: Debian's own drivers read what the simulated chips have, and the tests' own converter
# delivers its value, from sysfs and from its buffer. Grampad is not involved.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

# reads COUNT: the first converter has this count.
device=/sys/bus/iio/devices/iio:device0
reads() {
  local count
  count=$(cat $device/in_voltage0_raw)
  [[ $count == "$1" ]] || fail "$(cat $device/name) reads $count instead of $1"
}

driver hx711_chip value=250000
driver hx711
reads $((8388608 + 250000))
set_parameter hx711_chip value -1000
# The conversion that was complete before is still there.
cat $device/in_voltage0_raw >/dev/null
reads $((8388608 - 1000))
set_parameter hx711_chip stuck 1
if cat $device/in_voltage0_raw >silent.out 2>&1; then fail "the driver reads a silent chip: $(cat silent.out)"; fi
set_parameter hx711_chip stuck 0
reads $((8388608 - 1000))
driver --remove hx711
[[ ! -e $device ]] || fail "the converter is there without its driver"
driver --remove hx711_chip

driver nau7802_chip value=-250000
driver nau7802
[[ $(cat $device/in_voltage_sampling_frequency) == 320 ]] || fail "the rate is $(cat $device/in_voltage_sampling_frequency)"
reads -250000
driver --remove nau7802
driver --remove nau7802_chip

driver converter value=1500000 trigger=1
reads 1500000
echo 1 >$device/scan_elements/in_voltage0_en
echo 1 >$device/buffer/enable
[[ $(timeout 10 head -c 4 /dev/iio:device0 | od -A n -t u4 | xargs) == 1500000 ]] || fail "the buffer has another value"
echo 0 >$device/buffer/enable
set_parameter converter hold 1
start reader cat $device/in_voltage0_raw
blocks() { (($(parameter converter held) == 1)); }
until_true "no read began to block" blocks
[[ ! -s reader.out ]] || fail "a read that is to block did not"
set_parameter converter hold 0
finish reader
[[ $(cat reader.out) == 1500000 ]] || fail "the read that had blocked: $(cat reader.out)"
driver --remove converter
[[ ! -e $device ]] || fail "the converter is there without its module"
