# shellcheck shell=bash
# Installs missing Debian packages. Does not call apt if all are installed. Meant to be sourced.

# Packages that the Swift toolchain requires on a minimal Debian 12.
export TOOLCHAIN_PACKAGES=(ca-certificates git g++ libc6-dev binutils pkg-config libcurl4 libncurses6 libsqlite3-0 libxml2 tzdata zlib1g)
# Build dependencies, and the broker.
export BUILD_PACKAGES=(libavahi-client-dev libevdev-dev libmosquitto-dev libpq-dev libsqlite3-dev libssl-dev libxkbcommon-dev)
export BROKER_PACKAGES=(mosquitto mosquitto-clients)
# Tools to build the Debian package.
export PACKAGING_PACKAGES=(dpkg-dev debhelper fakeroot python3)
# Tools for deploy/repository.
export REPOSITORY_PACKAGES=(apt-utils dpkg gnupg gpgv xz-utils)

say() { printf '%s\n' "$*" >&2; }

# die STATUS TEXT...
die() {
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# Prints the packages in "$@" that are not installed, one per line.
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

# packages_needed_by FILE: prints the names of the packages that a package depends on or recommends, one per line. Of `a (>= 1) | b, c:any`,
# these are a and c.
packages_needed_by() {
  dpkg-deb --field "$1" Depends Pre-Depends Recommends | sed 's/^[A-Za-z-]*: //' | tr ',' '\n' | sed 's/[|(:].*//; s/ //g; /^$/d' |
    sort --unique
}

# Runs a command as root, through sudo if necessary. Exits with 77 if that is not possible. sudo asks for a password only in the
# foreground: the terminal would stop a job in the background that asks.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    if is_in_background; then sudo --non-interactive "$@"; else sudo "$@"; fi
  else
    die 77 "This command requires root and sudo is not installed. Run as root: $*"
  fi
}

# Whether there is a terminal that belongs to another process group.
is_in_background() {
  local group foreground
  read -r _ _ _ _ group _ _ foreground _ </proc/self/stat
  ((foreground > 0 && foreground != group))
}

# Failures, for example without a network, are ignored: the installation reports the packages that it cannot find.
update_package_lists() {
  say "Reading the package lists ..."
  as_root apt-get update --quiet=2 </dev/null >&2 || true
  package_lists_read=yes
}

# install_packages PACKAGE...: installs missing packages with their dependencies, without recommended packages.
#
# Debian starts a service when its package is installed and at every boot. Grampad starts its own broker on loopback, so a
# mosquitto installed by this function is neither started nor enabled.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  command -v apt-get >/dev/null ||
    die 69 "Missing packages: ${missing[*]}. Automatic installation requires Debian; install equivalents."
  say "Installing ${missing[*]} ..."
  [[ ${package_lists_read:-} == yes ]] || update_package_lists
  without_services apt-get install --option DPkg::Lock::Timeout=600 --yes --quiet=2 --no-install-recommends "${missing[@]}" </dev/null >&2 ||
    die 69 "apt-get failed to install: ${missing[*]}"
  if [[ " ${missing[*]} " == *" mosquitto "* ]] && command -v systemctl >/dev/null; then
    as_root systemctl disable --quiet mosquitto.service 2>/dev/null || true
  fi
}

# Runs a command as root and prevents packages from starting services, through policy-rc.d (invoke-rc.d, deb-systemd-invoke).
without_services() {
  local policy=/usr/sbin/policy-rc.d status=0
  if [[ -e $policy ]]; then
    as_root env DEBIAN_FRONTEND=noninteractive "$@"
    return
  fi
  # shellcheck disable=SC2016 # expanded by the inner shell
  as_root env DEBIAN_FRONTEND=noninteractive bash -c '
    policy=$1
    shift
    trap "rm -f \"$policy\"" EXIT
    trap "exit 130" INT TERM HUP
    printf "#!/bin/sh\nexit 101\n" >"$policy" && chmod 755 "$policy" && "$@"' policy "$policy" "$@" || status=$?
  return "$status"
}

# Prints a note if mosquitto is already running. It is not touched.
mention_running_mosquitto() {
  local name
  for name in /proc/[0-9]*/comm; do
    if [[ $(cat "$name" 2>/dev/null) == mosquitto ]]; then
      say "Note: mosquitto is already running (process $(basename "$(dirname "$name")"), usually on port 1883)." \
        "It is not changed."
      return
    fi
  done
}

# Exits with 69 and installation instructions if Swift is not installed.
require_swift() {
  command -v swift >/dev/null || die 69 "\`swift\` not found in PATH. Grampad requires Swift 6.2 or later.

  Installation:       https://www.swift.org/install/linux/
  With swiftly:       swiftly install latest   (https://www.swift.org/swiftly/)

Then run this again."
}
