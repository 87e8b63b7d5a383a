#!/bin/bash
# Debian's own driver for the NAU7802, unchanged, with a simulated chip on an I2C bus, whose result can change between the
# three bytes that the driver reads. The driver names the device after its bus address; `iio: nau7802` finds it. The real udev
# sets rate and gain by the rule that Grampad prints, again each time the driver is inserted.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"
remove_drivers

plate=250000
load() { set_parameter nau7802_chip value $((plate + $1 * 1540)); }
raw() { printf '%s' $((8388608 + plate + $1 * 1540)); }

broker 18842
subscribe 18842
configure mqtt://127.0.0.1:18842 "
pad: {device: {iio: nau7802}, rate_hz: 80, gain: 128}
calibration: {points: [{raw: $(raw 0), grams: 0}, {raw: $(raw 385), grams: 385}]}"
driver nau7802_chip value=$plate noise=40
driver nau7802
device=/sys/bus/iio/devices/iio:device0
note "the device is named $(cat $device/name), its rate is $(cat $device/in_voltage_sampling_frequency)"
"$GRAMPAD" devices --json >devices.out 2>devices.err || fail "devices failed: $(cat devices.err)"
jq --exit-status '(.devices? // .) | any(.[]; .can_weigh and (tostring | test("nau7802")))' devices.out >/dev/null ||
  fail "devices: $(cat devices.out)"

# Without the rule the driver samples at 320 per second with gain 1 and keeps a core busy.
udevd=/lib/systemd/systemd-udevd
[[ -x $udevd ]] || fail "there is no $udevd: install Debian's package udev"
grep -q '^grampad:' /etc/group || printf 'grampad:x:980:\n' >>/etc/group
grep -q '^grampad:' /etc/passwd || printf 'grampad:x:980:980::/nonexistent:/usr/sbin/nologin\n' >>/etc/passwd
cp "$(dirname "$0")/../../../deploy/debian/grampad.udev" /etc/udev/rules.d/72-grampad.rules
# The guest's files are below a chroot, in which udevadm would otherwise do nothing.
export SYSTEMD_IGNORE_CHROOT=1
rm -f /run/udev/control
start udevd "$udevd"
until_true "udev did not start" test -S /run/udev/control
rule=/etc/udev/rules.d/71-grampad-pad.rules
"$GRAMPAD" devices --udev nau7802 --rate 80 --gain 128 >$rule 2>rule.err || fail "no rule: $(cat rule.err)"
note "$(grep -v '^#' $rule)"
# The very words of the comment above the rule.
line=$(sed -n 's/^#   \(udevadm .*\)$/\1/p' $rule)
[[ -n $line ]] || fail "the rule does not say how to put it into force"
bash -c "$line" || fail "this failed: $line"
if grep -E "grampad.*\.rules:[0-9]+" udevd.err; then fail "udev finds fault with a rule"; fi
# 3.0 V, divided by the gain of 128 and by 2^23, in millivolts.
is_set() { [[ $(cat $device/in_voltage_sampling_frequency $device/in_voltage_scale | xargs) == "80 0.000002793" ]]; }
until_true "udev did not set rate and gain" is_set

start run "$GRAMPAD" run --config grampad.yaml
expect sub.out event '.type == "pad_found"'
expect sub.out live '.state == "empty" and .printable == "0 g"'
# Across a boundary at which all three bytes change, so that a torn value would be far off.
load 200
expect sub.out stable '.stable and .net_g == 200 and .state == "stable"'
payloads sub.out live | jq --slurp --exit-status 'all(.[]; .overload | not)' >/dev/null || fail "a torn value was an overload"
driver --remove nau7802
last() { payloads sub.out live | tail -n 1 | jq --exit-status "$1" >/dev/null; }
until_true "not offline without the driver" last '.state == "offline"'
load 0
driver nau7802
until_true "udev did not set rate and gain again" is_set
until_true "not empty after the driver is back" last '.state == "empty"'
load 100
until_true "does not weigh after the driver is back" last '.stable and .gross_g == 100'
signal run TERM
finish run
((status == 0)) || fail "run ended with $status"
driver --remove nau7802
driver --remove nau7802_chip
signal udevd TERM
