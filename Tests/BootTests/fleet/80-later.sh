#!/bin/bash
# PostgreSQL comes later than the collector, which keeps trying, and then stores what was weighed before.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

[[ $(property ActiveState postgresql@15-main) == inactive ]] || fail "PostgreSQL runs"
tries() { (($(property NRestarts grampad-collect) >= 2)); }
until_true "the collector does not keep trying" tries
refuse_failed_units

subscribe operator 'grampad/scale/#'
hear 'availability online'
load 400
hear 'stable .*"net_g":200[,}]'
weigh 3
begun=$(now)
systemctl --quiet enable --now postgresql
until_true "the collector is not connected" logged grampad-collect 'connected'
compare
note "stored $(seconds $(($(now) - begun))) s after the start of PostgreSQL, $(property NRestarts grampad-collect) restarts"
refuse_failed_units
