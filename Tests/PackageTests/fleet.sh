# shellcheck shell=bash
# The points about the package grampad-fleet, which end with its purge. To be sourced by `inside` after points.sh; Grampad is
# installed.

# shellcheck disable=SC2016 # fields of dpkg-query are written like variables

# Set by `inside`: the clean Debian, the folder it is in, and the version of the packages.
: "${root:?}" "${work:?}" "${version:?}"

collector=/etc/grampad-fleet

# as_collector COMMAND...: as the user that the collector runs as.
as_collector() { in_root setpriv --reuid grampad_collector --regid grampad_collector --init-groups -- "$@"; }

fleet_installs() {
  local file
  [[ $(dpkg-deb --field "$work/fleet.deb" Depends) == *libpq5* ]] || fail "it does not depend on libpq5"
  is "what it depends on" "grampad (= $version)" "$(dpkg-deb --field "$work/fleet.deb" Depends | grep -o 'grampad ([^)]*)')"
  apt install /packages/fleet.deb
  is "its state" "install ok installed" "$(in_root dpkg-query --show --showformat='${Status}' grampad-fleet)"
  in_root dpkg --audit | { ! grep .; }
  # They need a database or a certificate authority first.
  [[ -z $(find "$root/etc/systemd/system" -name 'grampad-collect*' -o -name 'grampad-enroll*') ]] || fail "a service is enabled"
  while read -r file; do
    case $(stat --format='%F %a %U:%G' "$root$file") in
      "directory 755 root:root" | "regular file 644 root:root" | "symbolic link 777 root:root") ;;
      "regular file 755 root:root") [[ $file == */promote || $file == /usr/bin/grampad-fleet ]] || fail "$file is executable" ;;
      *) fail "$(stat --format='%n: %F %a %U:%G' "$root$file")" ;;
    esac
  done < <(in_root dpkg --listfiles grampad-fleet)
  for file in environment collector.yaml; do
    in_root dpkg-query --show --showformat='${Conffiles}' grampad-fleet | grep -q "^ $collector/$file " ||
      fail "$file is no conffile"
  done
  for file in roles.sql grafana-dashboard.json postgresql/promote postgresql/replication.conf; do
    [[ -s $root/usr/share/grampad/fleet/$file ]] || fail "there is no $file"
  done
  is "its user's groups" "grampad_collector" "$(as_collector id --name --groups)"
  in_root passwd --status grampad_collector | grep -q '^grampad_collector L' || fail "somebody could log in as its user"
}

fleet_confined() {
  confined grampad-collect 15
  # Runs as root.
  confined grampad-enroll 22
}
# confined SERVICE THRESHOLD: the unit is valid, and its exposure in tenths is at most the threshold.
confined() {
  local said table level
  said=$(in_root systemd-analyze verify --man=no "/lib/systemd/system/$1.service" 2>&1) || fail "$said"
  [[ -z $said ]] || fail "$said"
  table=$(in_root systemd-analyze security --no-pager --offline=yes --threshold="$2" "$1.service") ||
    fail "$(grep Overall <<<"$table")"
  level=$(sed -nE "s/^.*Overall exposure level for $1.service: ([0-9.]+) .*$/\\1/p" <<<"$table")
  [[ -n $level ]] || fail "no level was told: $table"
  note "systemd-analyze security: $1: $level"
}

# As far as it comes without a database: the configuration is valid, and the program says what is not there.
fleet_runs() {
  local said status=0 DATABASE
  as_collector grampad check "$collector/collector.yaml" | grep -F 'mqtt://127.0.0.1:1883'
  is "the page of its command" "1" "$(find "$root/usr/share/man/man1" -name 'grampad-fleet-collect.1.gz' | wc -l)"
  DATABASE=$(sed -n 's/^DATABASE=//p' "$root$collector/environment")
  said=$(as_collector grampad collect --config "$collector/collector.yaml" --database "$DATABASE" 2>&1) || status=$?
  is "the exit code without a database" 69 "$status"
  [[ $said == *"/run/postgresql/.s.PGSQL.5432"* ]] || fail "it does not name the database: $said"
}

# With what an administrator would have added: the password of the database.
fleet_purge() {
  install -m 600 /dev/null "$root$collector/pgpass"
  apt purge grampad-fleet
  [[ ! -e $root$collector && ! -e $root/usr/share/grampad/fleet ]] || fail "it left something behind"
  local said status=0
  said=$(as_service grampad collect --help 2>&1) || status=$?
  is "the exit code of a command of it" 69 "$status"
  [[ $said == *"sudo apt install grampad-fleet"* ]] || fail "grampad does not name the package: $said"
  # dpkg still knows the name, because grampad suggests it.
  is "its state" "unknown ok not-installed" "$(in_root dpkg-query --show --showformat='${Status}' grampad-fleet)"
  is "the version of grampad" "$version" "$(as_service grampad --version)"
}
