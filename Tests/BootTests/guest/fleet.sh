# shellcheck shell=bash
# Words for the cases of grampad-fleet. Sourced after words.sh.

# documented SECTION: the commands of that section of the documentation that the package has installed, one per line, with the
# names of this machine.
documented() {
  sed -n "/^## $1\$/,/^## /{ /^\`\`\`sh/,/^\`\`\`/p }" /usr/share/doc/grampad/documentation/Fleet.md |
    grep -E '^(sudo|grampad|echo|chmod) ' |
    sed 's/  *# .*//; s/kitchen/scale/; s/scale\.example\.org/scale/; s|ca\.pem|/etc/mosquitto/grampad/&|'
}
# sudo [-u USER] COMMAND...: the guest has none.
sudo() {
  if [[ $1 == -u ]]; then runuser --user "$2" -- "${@:3}"; else "$@"; fi
}
# perform COMMAND: one documented command.
perform() {
  printf '+ %s\n' "$1"
  eval "$1" || fail "the documented command fails: $1"
}

# database SQL: as the superuser. reader SQL: as the role that users have, with a password; to check it takes an emulated
# processor longer than the usual limit for a connection.
database() { (cd / && runuser --user postgres -- psql -X -A -t --dbname grampad --command "$1"); }
readonly reading='postgresql://grampad_reader@localhost/grampad?connect_timeout=30'
reader() { psql -X -A -t --dbname "$reading" --command "$1"; }
# denied COMMAND...: PostgreSQL refuses it.
denied() {
  ! "$@" >denied.out 2>&1 || fail "not refused: $*"
  grep -q 'permission denied' denied.out || fail "$*: $(<denied.out)"
}

# number: of the weighings in the database.
number() { database 'SELECT count(*) FROM weighing'; }
# stores N: whether there are more than N.
stores() { (($(number) > $1)); }
runs() { [[ $(property ActiveState "$1") == active && $(property SubState "$1") == running ]]; }
# logged UNIT PATTERN: whether the service of now has logged it.
logged() {
  journalctl _SYSTEMD_INVOCATION_ID="$(property InvocationID "$1")" --output cat --no-pager | grep -qE "$2"
}
refuse_failed_units() {
  local failed
  failed=$(systemctl list-units --failed --plain --no-legend)
  [[ -z $failed ]] || fail "failed: $failed"
}

commit() { as operator mosquitto_pub -q 1 -t grampad/scale/command/commit -m '{}'; }
# weigh N: by the appliance, one after the other.
weigh() {
  local round
  for ((round = 0; round < $1; round++)); do
    commit
    hear 'weighing \{'
  done
}
all_stored() {
  database "SELECT sequence || ' ' || id FROM weighing WHERE device = 'scale'" | sort >stored
  [[ -z $(comm -23 recorded stored) ]]
}
# compare: the database has what the scale has recorded, each weighing once.
compare() {
  history --json | jq --raw-output '.[] | "\(.sequence) \(.id)"' | sort >recorded
  until_true "missing in the database: $(wc -l <recorded) recorded" all_stored
  cmp recorded stored || fail "stored, but not recorded: $(comm -13 recorded stored | head -n 3)"
  [[ $(cut -d ' ' -f 1 stored | sort | uniq --repeated) == '' ]] || fail "stored twice"
}
