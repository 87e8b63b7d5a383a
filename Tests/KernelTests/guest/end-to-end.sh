# shellcheck shell=bash disable=SC2154 # words.sh is sourced before
# The whole way: a pad, the scale, the broker at $port (named $through in the configuration), a subscriber.
: "${port:?}" "${through:?}"
listens() { (exec 9<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

bench pad
plug pad "$known"
configure "$through"
start run "$GRAMPAD" run --config grampad.yaml
until_true "no broker listens on port $port" listens
subscribe "$port"
expect_text sub.out availability online
expect sub.out health '.version != null'

# 400 counts are 200 g by the kernel's resolution. The load comes over 20 frames and then says nothing more.
tell pad ramp 20 125 0:600,300,10 0:600,300,400
expect sub.out live '.raw == 400 and .calibration == "kernel" and .printable == "200 g"'
expect_text sub.out display '200 g'
expect sub.out stable '.stable and .net_g == 200 and .gross_g == 200 and .tare_g == 0 and .state == "stable"'
kill -0 "${processes[run]}" || fail "the scale ended"

# Overload at the capacity of 385 g, though the axis goes on.
tell pad ramp 10 125 0:600,300,400 0:600,300,770
expect_text sub.out display '385\+ g'
expect sub.out live '.overload and .net_g == null and .printable == "385+ g"'
tell pad frame
expect_text sub.out display '0 g'
expect sub.out live '.state == "empty" and .gross_g == 0'

# What is retained comes to someone who subscribes only now.
mosquitto_sub -h 127.0.0.1 -p "$port" -v -W 20 -C 3 -t grampad/kernel/availability -t grampad/kernel/health \
  -t grampad/kernel/stable >late.out || fail "a late subscriber got: $(cat late.out)"

# The end, within 2 s, and said.
before=${EPOCHREALTIME/./}
signal run TERM
finish run
took=$(((${EPOCHREALTIME/./} - before) / 1000))
((status == 0)) || fail "run ended with $status"
note "ended $took ms after SIGTERM"
expect_text sub.out availability offline
((took <= 2000)) || fail "the end took $took ms"
