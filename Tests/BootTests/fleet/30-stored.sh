#!/bin/bash
# What the scale weighs is stored, and shown to the role of the readers, who see the views and nothing else.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

subscribe operator 'grampad/scale/#'
hear 'availability online'
load 400
hear 'stable .*"net_g":200[,}]'
weigh 5
compare

grampad fleet --database "$reading" --json >fleet.out || fail "grampad fleet: exit status $?"
# Before it was enrolled, the scale was on the same broker with its default id.
jq --exit-status '.[] | select(.device == "scale") | [.weighings, .missing, .lost] == [5, 0, 0]' fleet.out >/dev/null ||
  fail "grampad fleet: $(jq -c . fleet.out)"
[[ $(reader 'SELECT count(*), sum(net_g) FROM effective_weighing') == '5|1000' ]] || fail "effective_weighing"
[[ $(reader "SELECT sum(net_g) FROM daily_total WHERE device = 'scale'") == 1000 ]] || fail "daily_total"
[[ $(reader 'SELECT id FROM device_status WHERE highest_sequence = 5') == scale ]] || fail "device_status"
denied reader 'SELECT * FROM weighing'
collector() { (cd / && runuser --user grampad_collector -- psql -X --dbname grampad --command "$1"); }
denied collector 'DELETE FROM weighing'
denied collector 'UPDATE weighing SET net_g = 0'
