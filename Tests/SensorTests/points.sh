# shellcheck shell=bash
# What the tests of the device trees share: results, properties of trees, and Debian's trees for the Raspberry Pi. Meant to
# be sourced after deploy/lib/packages.sh, with `root` set to the project.

: "${root:?}"
cache=$root/.build/sensor-tier
# shellcheck disable=SC2034 # for the tests
bus=/soc/i2c@7e804000
failures=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ok() { printf 'ok %s\n' "$1"; }
not_ok() {
  printf 'not ok %s: %s\n' "$1" "$2"
  failures=$((failures + 1))
}
# is NAME EXPECTED FOUND
is() { if [[ $2 == "$3" ]]; then ok "$1"; else not_ok "$1" "expected '$2', found '$3'"; fi; }

# get TREE NODE PROPERTY: prints cells in hexadecimal and texts unchanged.
get() { fdtget -t "${4:-x}" "$1" "$2" "$3" 2>&1 || true; }

# compile NAME: the overlay deploy/sensor/NAME-overlay.dts to NAME.dtbo in the work folder.
compile() {
  local complaints
  complaints=$(dtc -@ -I dts -O dtb -o "$work/$1.dtbo" "$root/deploy/sensor/$1-overlay.dts" 2>&1) || true
  if [[ -e $work/$1.dtbo && -z $complaints ]]; then
    ok "dtc compiles $1 without a warning"
  else
    not_ok "dtc compiles $1 without a warning" "$complaints"
    return 1
  fi
}

# parameters NAME PARAMETERS TEXT...: the parameters of an overlay, and that the properties they change exist, as NAME:OFFSET. A
# label that does not exist would cause an error only in the firmware, when the board boots.
parameters() {
  local overlay=$1 expected=$2 text name
  shift 2
  is "the parameters of $overlay" "$expected" "$(fdtget -p "$work/$overlay.dtbo" /__overrides__ | sort | xargs)"
  for text; do
    name=${text%:*}
    if fdtdump "$work/$overlay.dtbo" 2>/dev/null | grep -qE "^ +$name = <"; then
      ok "$overlay: the parameter of $name finds it"
    else
      not_ok "$overlay: the parameter of $name finds it" "no such property"
    fi
  done
}

# trees [RELEASE]: prints the directory with Debian's device trees for the Raspberry Pi, from the package that linux-image-arm64
# depends on; without a release those of this machine's.
trees() {
  local apt=$work/apt folder=$cache${1:+/$1} options package
  if [[ ! -e $folder/complete ]]; then
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/tree" "$folder"
    : >"$apt/status"
    options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$apt/lists"
      -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root)
    if [[ -n ${1:-} ]]; then
      printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian %s main\n' "$1" \
        >"$apt/sources.list"
      options+=(-o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null)
    fi
    apt-get "${options[@]}" --quiet=2 update >&2 </dev/null || return
    package=$(apt-cache "${options[@]}" depends linux-image-arm64 |
      sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n 1)
    (cd "$apt" && apt-get "${options[@]}" --quiet=2 download "$package" >&2 </dev/null) || return
    dpkg-deb --fsys-tarfile "$apt/$package"_*.deb |
      tar --extract --directory "$apt/tree" --wildcards './usr/lib/linux-image-*/broadcom/*.dtb' './boot/config-*' || return
    cp "$apt/tree"/usr/lib/linux-image-*/broadcom/*.dtb "$apt/tree"/boot/config-* "$folder/"
    : >"$folder/complete"
  fi
  printf '%s\n' "$folder"
}
