#!/bin/bash
# All services came by themselves with the machine, as their own users, confined; no unit has failed.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

for service in mosquitto postgresql@15-main grampad grampad-enroll grampad-collect; do
  until_true "$service is $(property ActiveState "$service")" runs "$service"
done
until_true "grampad-collect is not connected" logged grampad-collect 'connected'
until_true "grampad-enroll is not ready" logged grampad-enroll 'enroll/\+/code.*ready'
refuse_failed_units
note "restarts of the collector since the start of the machine: $(property NRestarts grampad-collect)"

# confined SERVICE USER CAPABILITIES EXPOSURE
confined() {
  local status exposure
  status=/proc/$(property MainPID "$1")/status
  [[ $(stat -c %U "$status") == "$2" ]] || fail "$1 runs as $(stat -c %U "$status")"
  grep -qx 'NoNewPrivs:.1' "$status" || fail "$1 may get new privileges"
  grep -qx "CapEff:.$3" "$status" || fail "$1: $(grep CapEff "$status")"
  exposure=$(systemd-analyze security --no-pager "$1.service" | sed -nE 's/.*exposure level for [^:]*: ([0-9.]+).*/\1/p')
  awk -v exposure="$exposure" -v most="$4" 'BEGIN { exit !(exposure != "" && exposure <= most) }' ||
    fail "the exposure of $1 is '$exposure'"
  note "systemd-analyze security, in the running system: $1 $exposure"
}
confined grampad-collect grampad_collector 0000000000000000 1.5
# CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL
confined grampad-enroll root 000000000000002b 2.2
