# shellcheck shell=bash
# Installs Debian packages that are missing; does nothing, and calls no apt, when all are there. To be sourced.

# What the Swift toolchain needs to build anything on a bare Debian 12, beside itself.
export TOOLCHAIN_PACKAGES=(ca-certificates git g++ libc6-dev binutils pkg-config libcurl4 libncurses6 libsqlite3-0 libxml2 tzdata zlib1g)
# What Grampad is built with, and what it runs with.
export BUILD_PACKAGES=(libevdev-dev libmosquitto-dev libsqlite3-dev libssl-dev)
export BROKER_PACKAGES=(mosquitto mosquitto-clients)
# What the Debian package is made with.
export PACKAGING_PACKAGES=(dpkg-dev debhelper fakeroot python3)

say() { printf '%s\n' "$*" >&2; }

# die STATUS TEXT...
die() {
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# The words of "$@" that are not installed, one a line.
missing_packages() {
  local package status
  declare -A installed=()
  while read -r package status; do
    [[ $status == installed ]] && installed[$package]=yes
  done < <(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ -n ${installed[$package]:-} ]] || printf '%s\n' "$package"
  done
}

# Runs a command as root: as it is, or through sudo. Status 77 where neither can be.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die 77 "This needs root and there is no sudo. As root: $*"
  fi
}

# Where this fails (no network, say), what is installed next says what it could not find.
update_package_lists() {
  say "Reading the package lists ..."
  as_root apt-get update --quiet=2 </dev/null >&2 || true
  package_lists_read=yes
}

# install_packages PACKAGE...: installs those that are missing, and nothing beside what they depend on.
#
# Debian starts a service when its package comes and at every boot from then on. Grampad starts its own broker,
# on loopback; so a mosquitto that comes by our hand is neither started nor left to start by itself.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  command -v apt-get >/dev/null ||
    die 69 "Missing: ${missing[*]}. This script installs them on Debian 12; elsewhere, install their like by hand."
  say "Installing ${missing[*]} ..."
  [[ ${package_lists_read:-} == yes ]] || update_package_lists
  without_services apt-get install --yes --quiet=2 --no-install-recommends "${missing[@]}" </dev/null >&2 ||
    die 69 "apt-get could not install: ${missing[*]}"
  if [[ " ${missing[*]} " == *" mosquitto "* ]] && command -v systemctl >/dev/null; then
    as_root systemctl disable --quiet mosquitto.service 2>/dev/null || true
  fi
}

# Runs a command as root while no package may start a service: invoke-rc.d and deb-systemd-invoke ask policy-rc.d.
without_services() {
  local policy=/usr/sbin/policy-rc.d status=0
  if [[ -e $policy ]]; then
    as_root env DEBIAN_FRONTEND=noninteractive "$@"
    return
  fi
  # shellcheck disable=SC2016 # $1 and "$@" are for the inner shell
  as_root env DEBIAN_FRONTEND=noninteractive bash -c '
    policy=$1
    shift
    trap "rm -f \"$policy\"" EXIT
    trap "exit 130" INT TERM HUP
    printf "#!/bin/sh\nexit 101\n" >"$policy" && chmod 755 "$policy" && "$@"' policy "$policy" "$@" || status=$?
  return "$status"
}

# Says so when a mosquitto service of the system's own is running: it is left alone.
mention_running_mosquitto() {
  local name
  for name in /proc/[0-9]*/comm; do
    if [[ $(cat "$name" 2>/dev/null) == mosquitto ]]; then
      say "Note: a mosquitto is running already (process $(basename "$(dirname "$name")"), usually on port 1883);" \
        "it is left alone."
      return
    fi
  done
}

# Ends with 69 where there is no Swift, and says how to get one.
require_swift() {
  command -v swift >/dev/null || die 69 "There is no \`swift\` on the PATH. Grampad needs Swift 6.2 or later.

  How to install it:  https://www.swift.org/install/linux/
  With swiftly:       swiftly install latest   (https://www.swift.org/swiftly/)

Then run this again."
}
