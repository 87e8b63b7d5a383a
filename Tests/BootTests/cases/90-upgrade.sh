#!/bin/bash
# A later package, installed over the running service, starts it again and keeps what there is; removal ends it, purge
# leaves nothing.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

subscribe operator 'grampad/scale/#'
hear 'availability online'
process=$(property MainPID)
before=$(history --json | jq length)
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$PAYLOAD/later.deb" >apt.out 2>&1 ||
  fail "apt-get: $(tail -n 1 apt.out)"
[[ $(dpkg-query --show --showformat='${Version}' grampad) == *+later ]] || fail "the later version is not installed"
hear 'availability offline'
hear 'availability online'
until_true "not ready after the upgrade" is_ready
[[ $(property MainPID) != "$process" ]] || fail "the old process still runs after the upgrade"
[[ $(history --json | jq length) == "$before" ]] || fail "the upgrade lost weighings"
grep -q 'id: scale' /etc/grampad/grampad.yaml || fail "the upgrade replaced the configuration"

DEBIAN_FRONTEND=noninteractive apt-get remove --yes grampad >remove.out 2>&1
hear 'availability offline'
[[ -e /var/lib/grampad/grampad.db ]] || fail "removal took the journal"
DEBIAN_FRONTEND=noninteractive apt-get purge --yes grampad >purge.out 2>&1
left=$(find / -xdev -name '*grampad*' -not -path '/var/lib/grampad-tests*' -not -path '/etc/mosquitto/*' \
  -not -path '/opt/*' -not -path '/etc/systemd/system/*grampad-*' -not -path '/etc/udev/rules.d/71-*' \
  -not -name grampad-tests -print)
[[ -z $left ]] || fail "left after purge: $(tr '\n' ' ' <<<"$left")"
[[ $(property LoadState) == not-found ]] || fail "the unit is still $(property LoadState)"
