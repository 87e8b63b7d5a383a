#!/bin/bash
# Stopped in time; purge ends the services, leaves nothing of the package, and touches neither scale nor database.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

for service in grampad-collect grampad-enroll; do
  begun=$(now)
  systemctl stop "$service"
  took=$(($(now) - begun))
  [[ $(property Result "$service") == success ]] || fail "$service stopped with $(property Result "$service")"
  ((took < 8000000)) || fail "$service stopped after $(seconds "$took") s"
  note "$service stopped in $(milliseconds "$took") ms"
  systemctl start "$service"
  until_true "$service does not run" runs "$service"
done
weighings=$(number)
DEBIAN_FRONTEND=noninteractive apt-get purge --yes grampad-fleet >purge.out 2>&1 || fail "apt-get: $(tail -n 1 purge.out)"
! pgrep -a -u grampad_collector || fail "a process of the collector is left"
! pgrep -a -f 'grampad enroll' || fail "a process of the enrolment is left"
for service in grampad-collect grampad-enroll; do
  [[ $(property LoadState "$service") == not-found ]] || fail "the unit $service is $(property LoadState "$service")"
done
# The manual pages are those of the package grampad.
left=$(find /etc /usr /var/lib/systemd /run/systemd -xdev \( -path '*grampad-fleet*' -o -path '/usr/share/grampad/fleet*' -o \
  -name 'grampad-collect.service*' -o -name 'grampad-enroll.service*' \) -not -path '/usr/share/man/*' -print)
[[ -z $left ]] || fail "left after purge: $(tr '\n' ' ' <<<"$left")"
refuse_failed_units
runs grampad || fail "the scale does not run"
[[ $(number) == "$weighings" ]] || fail "the database has changed"
