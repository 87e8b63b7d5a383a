#!/bin/bash
# Installed by apt in the running machine, the service runs at once, and will at every start.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

before=$(now)
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$PAYLOAD/grampad.deb" >apt.out 2>&1 ||
  fail "apt-get: $(tail -n 1 apt.out)"
note "installed $(grampad --version) in $(seconds $(($(now) - before))) s, $(dpkg-query --show \
  --showformat='${Installed-Size}' grampad) KiB"
until_true "the service is not ready after installation: $(property Result)" is_ready
# The test that the package has for autopkgtest.
"$PAYLOAD/service" >service.out 2>&1 || fail "deploy/debian/tests/service: $(head -n 1 service.out)"
