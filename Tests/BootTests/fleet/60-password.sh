#!/bin/bash
# A database that needs a password: it is in the documented file. The metrics are served.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/fleet.sh
source "$PAYLOAD/fleet.sh"

environment=/etc/grampad-fleet/environment
cp -p "$environment" before
secret=$(openssl rand -hex 12)
database "ALTER ROLE grampad_collector PASSWORD '$secret'" >/dev/null
perform "$(sed -nE 's/^# .*: (sudo install .*pgpass)$/\1/p' "$environment")"
printf 'localhost:5432:grampad:grampad_collector:%s\n' "$secret" >>/etc/grampad-fleet/pgpass
sed -i -e 's|^DATABASE=.*|DATABASE=postgresql://grampad_collector@localhost/grampad|' \
  -e 's|^OPTIONS=.*|OPTIONS=--metrics 9385|' "$environment"
systemctl restart grampad-collect
by_password() {
  (($(database "SELECT count(*) FROM pg_stat_activity WHERE usename = 'grampad_collector' AND client_addr IS NOT NULL")))
}
until_true "the collector does not log in with its password" by_password

# get PATH: the answer of the metrics' server.
get() {
  exec {connection}<>/dev/tcp/127.0.0.1/9385
  printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&"$connection"
  cat <&"$connection"
  exec {connection}>&-
}
is_well() { get /healthz 2>/dev/null | grep -q '^HTTP/1.1 200'; }
until_true "/healthz does not answer 200" is_well
get /metrics >metrics.out
grep -q '^grampad_collector_up{part="database"} 1' metrics.out || fail "no metrics"

cp -p before "$environment"
rm /etc/grampad-fleet/pgpass
systemctl restart grampad-collect
until_true "grampad-collect is not connected" logged grampad-collect 'connected'
