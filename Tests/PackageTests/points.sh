# shellcheck shell=bash
# What is shown of the package, in this order; each function is a point, and stands on what those before it have done.
# To be sourced by `inside`.
#
# shellcheck disable=SC2016 # fields of dpkg-query are written like variables

# Set by `inside`: the clean Debian, the folder it is in, the version that the package should have, and the folder of the tests.
: "${root:?}" "${work:?}" "${version:?}" "${tests:?}"

# shellcheck disable=SC2034 # for `inside`
points=(
  contents parts asks-nothing installs permissions user service-file exposure udev-rule says-version manual completions materials
  fleet-installs fleet-confined fleet-runs fleet-purge
  configuration weighs calibrates upgrade-keeps upgrade-takes-new-configuration removal-keeps comes-back purge
  debian-tests
)
state=/var/lib/grampad
journal=$state/grampad.db
settings=/etc/grampad/grampad.yaml
# How long to wait for what takes a moment, in seconds.
patience=60

fail() {
  printf '%s\n' "$*"
  exit 1
}

# Something worth telling even when all is well.
note() { printf 'NOTE: %s\n' "$*"; }

# in_root COMMAND...: runs a command as root in the clean Debian, non-interactively.
in_root=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8)
in_root() { "${in_root[@]}" HOME=/root "$@"; }

# as_service COMMAND...: the same as the user that the service runs as.
as_service=("${in_root[@]}" setpriv --reuid grampad --regid grampad --init-groups --)
as_service() { "${as_service[@]}" "$@"; }

apt() { in_root apt-get --yes --quiet --no-install-recommends -o Dpkg::Use-Pty=0 -o APT::Keep-Downloaded-Packages=true "$@"; }

control() { dpkg-deb --field "$work/scale.deb" "$1"; }

# is WHAT EXPECTED FOUND
is() { [[ $2 == "$3" ]] || fail "$1: expected '$2', found '$3'"; }

contents() {
  local size=$(($(stat --format=%s "$work/scale.deb") / 1024))
  dpkg-deb --contents "$work/scale.deb"
  is "the version" "$version" "$(control Version)"
  is "the homepage" "$(release_homepage)" "$(control Homepage)"
  is "its recommendations" "avahi-daemon, ca-certificates, mosquitto" "$(control Recommends)"
  for library in libavahi-client3 libc6 libevdev2 libmosquitto1 libsqlite3-0 libssl3 libxkbcommon0; do
    [[ $(control Depends) == *"$library"* ]] || fail "it does not depend on $library: $(control Depends)"
  done
  [[ $(control Depends) != *libpq* ]] || fail "it depends on PostgreSQL: $(control Depends)"
  note "package $size KiB, installed $(control Installed-Size) KiB; depends on $(control Depends)"
}

# The list of all parts with their licences is a valid SPDX document and names every Swift package of the build.
parts() {
  local list=$work/grampad.spdx.json named
  dpkg-deb --fsys-tarfile "$work/scale.deb" | tar --extract --to-stdout ./usr/share/doc/grampad/grampad.spdx.json >"$list"
  "$work/../spdx-tools/bin/pyspdxtools" --infile "$list" || fail "it is not a valid SPDX document"
  named=$(sed -nE 's/^ *"referenceLocator": "pkg:swift\/github.com\/[^/]+\/([^"@]+)@([^"]+)"$/\1 \2/p' "$list" | sort)
  is "the Swift packages" "$(sed -nE 's/^ *"location" : ".*\/([^/"]+)",$/\1/p; s/^ *"version" : "([^"]+)"$/\1/p' Package.resolved |
    sed 's/\.git$//' | paste - - --delimiters=' ' | sort)" "$named"
  [[ $(grep -c '"licenseConcluded": "[A-Z]' "$list") == $(grep -c '"SPDXID": "SPDXRef-[^D]' "$list") ]] ||
    fail "a part has no licence"
  dpkg-deb --fsys-tarfile "$work/scale.deb" | tar --extract --to-stdout ./usr/share/doc/grampad/copyright |
    grep -A 2 -x 'Files: \*' | grep -qx 'License: Apache-2.0' || fail "the copyright file does not say Apache-2.0"
  note "$(grep -c '"SPDXID": "SPDXRef-[^D]' "$list") parts"
}

# No question can be asked where there is no template for one.
asks_nothing() {
  local member
  for member in templates config; do
    ! dpkg-deb --ctrl-tarfile "$work/scale.deb" | tar --list | grep -x "./$member" || fail "it has debconf's $member"
  done
}

installs() {
  apt install /packages/scale.deb || { apt update && apt install /packages/scale.deb; }
  is "its state" "install ok installed" "$(in_root dpkg-query --show --showformat='${Status}' grampad)"
  in_root dpkg --audit | { ! grep .; }
  # Enabled, but not started: there is no systemd running here.
  [[ -L $root/etc/systemd/system/multi-user.target.wants/grampad.service ]] || fail "the service is not enabled"
}

permissions() {
  local file wrong=0
  while read -r file; do
    case $(stat --format='%F %a %U:%G' "$root$file") in
      "directory 755 root:root" | "regular file 644 root:root" | "symbolic link 777 root:root") ;;
      "regular file 755 root:root")
        case $file in
          /usr/bin/grampad | /usr/share/grampad/broker/* | /usr/share/grampad/sensor/*) ;;
          *) printf '%s can be executed\n' "$file" && wrong=1 ;;
        esac
        ;;
      *) stat --format='%n: %F %a %U:%G' "$root$file" && wrong=1 ;;
    esac
  done < <(in_root dpkg --listfiles grampad)
  is "the state folder" "750 grampad:grampad" "$(in_root stat --format='%a %U:%G' "$state")"
  ((wrong == 0))
}

user() {
  is "its groups" "grampad input" "$(as_service id --name --groups | tr ' ' '\n' | sort | paste --serial --delimiters=' ')"
  is "its entry" "$state:/usr/sbin/nologin" "$(in_root getent passwd grampad | cut -d : -f 6-7)"
  in_root passwd --status grampad | grep -q '^grampad L' || fail "somebody could log in as grampad"
}

service_file() {
  local said
  said=$(in_root systemd-analyze verify --man=no /lib/systemd/system/grampad{.service,-http.socket} 2>&1) || fail "$said"
  [[ -z $said ]] || fail "$said"
  [[ ! -e $root/etc/systemd/system/grampad.service.wants ]] || fail "the socket is enabled"
}

exposure() {
  local table level
  table=$(in_root systemd-analyze security --no-pager --offline=yes --threshold=15 grampad.service) ||
    fail "$(grep Overall <<<"$table")"
  level=$(sed -nE 's/^.*Overall exposure level for grampad.service: ([0-9.]+) .*$/\1/p' <<<"$table")
  [[ -n $level ]] || fail "no level was told: $table"
  note "systemd-analyze security: $level"
}

# udevadm of Debian 12 cannot verify; but it reads all rules before it tries one, and says what it does not understand.
udev_rule() {
  local said
  mount --bind --read-only /sys "$root/sys"
  said=$(in_root udevadm test /sys/class/net/lo 2>&1) || true
  umount "$root/sys"
  grep -E 'Reading rules file: .*/72-grampad\.rules' <<<"$said" || fail "udev does not read the rule: $said"
  ! grep -E '72-grampad\.rules:[0-9]+' <<<"$said" || fail "udev does not understand the rule"
}

says_version() {
  is "its version" "$version" "$(as_service grampad --version)"
}

manual() {
  local command page pages=$root/usr/share/man/man1
  for command in '' $(in_root grampad --help | sed -n '/SUBCOMMANDS:$/,/^$/{ s/^  \([a-z-]\+\) .*/-\1/p }'); do
    page=$pages/grampad$command.1.gz
    [[ -e $page ]] || fail "there is no page grampad$command(1)"
    gzip --decompress --stdout "$page" | grep '^\.Dt GRAMPAD' || fail "$page is no manual page"
  done
  note "$(find "$pages" -name 'grampad*' | wc -l) manual pages"
}

completions() {
  in_root bash -c 'source /usr/share/bash-completion/bash_completion && _completion_loader grampad
    complete -p grampad && COMP_WORDS=(grampad cali) COMP_CWORD=1 COMP_LINE="grampad cali" COMP_POINT=12 &&
    _grampad grampad cali grampad && [[ " ${COMPREPLY[*]} " == *" calibrate "* ]]' || fail "bash completes nothing"
  grep -q '^#compdef grampad$' "$root/usr/share/zsh/vendor-completions/_grampad"
  grep -q "^complete -c 'grampad'" "$root/usr/share/fish/vendor_completions.d/grampad.fish"
}

# What comes with the program: its tools start here, and every link leads somewhere.
materials() {
  in_root grampad-broker --help | grep add-device
  in_root /usr/share/grampad/sensor/build-driver --help | grep build-driver
  ! in_root find /usr/share/doc/grampad /usr/share/grampad -xtype l | grep . || fail "that link leads nowhere"
  [[ -n $(in_root find /usr/share/doc/grampad/examples -name '*.yaml') ]] || fail "there are no examples"
}

# The file in /etc differs from the defaults in what an appliance needs, and in nothing else.
configuration() {
  local differing
  as_service grampad check "$settings" >"$work/resolved"
  as_service grampad check /usr/share/doc/grampad/examples/grampad.yaml >"$work/defaults"
  differing=$({ diff "$work/defaults" "$work/resolved" || true; } | sed -n 's/^> *//p' | sort | paste --serial --delimiters='|')
  is "what differs" "broker: [\"mqtt://127.0.0.1:1883\"]|file: $state/calibration.yaml|path: $journal" "$differing"
  in_root dpkg-query --show --showformat='${Conffiles}' grampad | grep -q "^ $settings " || fail "$settings is no conffile"
  [[ -e $root$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$root$settings") ]] || fail "its schema is not there"
}

# weighings: how many are in the journal.
weighings() { { as_service grampad history --json --config "$settings" | grep -o '"sequence"' || true; } | wc -l; }

# weigh COUNT: runs the appliance with a simulated pad, as the service does, until there are COUNT weighings.
weigh() {
  local wanted=$1 deadline=$((SECONDS + patience)) process
  # Not by the function, which would be a process of its own.
  "${as_service[@]}" env STATE_DIRECTORY=$state grampad run --config "$settings" 2>"$work/log" &
  process=$!
  trap 'kill -KILL "$process" 2>/dev/null' EXIT
  until [[ -e $root$journal ]] && (($(weighings) >= wanted)); do
    ((SECONDS < deadline)) || fail "$(weighings) weighings; the log ends: $(tail -n 3 "$work/log")"
    kill -0 "$process" || fail "it ended: $(tail -n 3 "$work/log")"
    sleep 0.2
  done
  kill -TERM "$process"
  wait "$process"
  trap - EXIT
}

weighs() {
  sed --in-place 's/^  device: auto /  device: simulated /' "$root$settings"
  weigh 1
  is "the journal" "grampad:grampad" "$(in_root stat --format=%U:%G "$journal")"
  [[ $(stat --format=%A "$root$journal") == *--- ]] || fail "everybody reads the journal"
}

calibrates() {
  printf '%s,%s\n' raw grams 0 0 150 50 266 100 470 200 800 385 >"$root$state/points.csv"
  as_service grampad calibrate --from "$state/points.csv" --config "$settings"
  rm "$root$state/points.csv"
  [[ -e $root$state/calibration.yaml ]] || fail "there is no calibration"
}

# newer VERSION [CONFIGURATION]: the package with a later version, and this added to its configuration.
newer() {
  local tree=$work/newer
  rm -rf "$tree"
  dpkg-deb --raw-extract "$work/scale.deb" "$tree"
  sed --in-place "s/^Version: .*/Version: $1/" "$tree/DEBIAN/control"
  printf '%s' "${2:-}" >>"$tree$settings"
  dpkg-deb --root-owner-group -Znone --build "$tree" "$root/packages/newer.deb"
}

# kept: what must never be lost.
kept() { sha256sum "$root$state/calibration.yaml" && as_service grampad history --json --config "$settings"; }

upgrade_keeps() {
  local before edited
  before=$(kept)
  edited=$(<"$root$settings")
  newer "$version+1"
  apt install /packages/newer.deb
  is "the version" "$version+1" "$(in_root dpkg-query --show --showformat='${Version}' grampad)"
  is "the edited configuration" "$edited" "$(<"$root$settings")"
  is "journal and calibration" "$before" "$(kept)"
  as_service grampad history verify --config "$settings"
  weigh 2
}

# An unmodified configuration is replaced.
upgrade_takes_new_configuration() {
  sed --in-place 's/^  device: simulated /  device: auto /' "$root$settings"
  newer "$version+2" $'# new\n'
  apt install /packages/newer.deb
  is "the end of the configuration" "# new" "$(tail -n 1 "$root$settings")"
  is "what lies next to it" "grampad.yaml" "$(ls "$root/etc/grampad")"
}

removal_keeps() {
  local before number
  before=$(kept)
  number=$(in_root id --user grampad)
  sed --in-place 's/^  device: auto /  device: simulated /' "$root$settings"
  apt remove grampad
  [[ ! -e $root/usr/bin/grampad ]] || fail "the program is still there"
  [[ -s $root$journal && -s $root$state/calibration.yaml && -s $root$settings ]] || fail "removal took what it should keep"
  printf '%s\n' "$before" >"$work/kept"
  printf '%s\n' "$number" >"$work/number"
}

comes_back() {
  apt install /packages/newer.deb
  is "journal and calibration" "$(<"$work/kept")" "$(kept)"
  is "the user's number" "$(<"$work/number")" "$(in_root id --user grampad)"
  is "the edited device" "  device: simulated" "$(grep -o '^  device: [a-z]*' "$root$settings")"
}

# With what a user would have added: a password, and the rule that names the pad.
purge() {
  local left
  install -m 640 /dev/null "$root/etc/grampad/password.txt"
  mkdir --parents "$root/etc/udev/rules.d"
  touch "$root/etc/udev/rules.d/71-grampad-pad.rules"
  apt purge grampad
  left=$(find "$root" -xdev -path "$root/proc" -prune -o -name '*grampad*' -print)
  [[ -z $left ]] || fail "left behind: $left"
  [[ -z $(in_root dpkg-query --show --showformat='${Status}' grampad 2>/dev/null) ]] || fail "dpkg still knows it"
  # As in other Debian packages, the user remains, so that its UID is not reused.
  in_root id grampad
}

# The package's own tests (deploy/debian/tests), by autopkgtest. The last of them purges the package again. That of the service
# needs systemd; Tests/BootTests runs it.
debian_tests() {
  local status=0
  mkdir "$work/source"
  cp -r "$tests/../../deploy/debian" "$work/source/debian"
  autopkgtest --no-built-binaries --ignore-restrictions=breaks-testbed --output-dir "$work/autopkgtest" \
    "$work/scale.deb" "$work/source/" -- chroot "$root" || status=$?
  # It names a skipped test twice.
  is "the results" "purges PASS|service SKIP|weighs PASS" \
    "$(awk '{ print $1, $2 }' "$work/autopkgtest/summary" | sort --unique | paste --serial --delimiters='|')"
  # Some tests were skipped.
  is "the exit status of autopkgtest" 2 "$status"
}
