#!/bin/bash
# The machine is started again without PostgreSQL.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
restart_after

systemctl --quiet disable --now postgresql
