#!/bin/bash
# Installed by apt, next to PostgreSQL, no service of grampad-fleet runs yet, and none has failed.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

systemctl --quiet enable --now postgresql
before=$(now)
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$PAYLOAD"/grampad{,-fleet}.deb \
  >apt.out 2>&1 || fail "apt-get: $(tail -n 1 apt.out)"
note "installed in $(seconds $(($(now) - before))) s"
for service in grampad-collect grampad-enroll; do
  [[ $(property UnitFileState "$service") == disabled ]] || fail "$service is $(property UnitFileState "$service")"
  [[ $(property ActiveState "$service") == inactive ]] || fail "$service is $(property ActiveState "$service")"
done
until_true "PostgreSQL does not run" runs postgresql@15-main
refuse_failed_units
