# shellcheck shell=bash
# The points about the apt repository of deploy/repository: what a client installs, upgrades and refuses. To be sourced by
# `inside` after points.sh, whose last point leaves Debian without Grampad, but with the packages it depends on.

# shellcheck disable=SC2016 # fields of dpkg-query are written like variables

# Set by `inside`: the clean Debian, the folder it is in, the version of the package, and the folder of the tests; and by
# points.sh the configuration.
: "${root:?}" "${work:?}" "${version:?}" "${tests:?}" "${settings:?}"

points+=(
  repository-key repository-repeatable repository-installs repository-upgrades repository-unattended-upgrades
  repository-tampered-package repository-tampered-index repository-tampered-release repository-wrong-key repository-expired
  repository-changed-folder repository-not-a-package repository-new-key
)
# The folder that the web server serves, with one repository in each folder.
served=$work/served
export GNUPGHOME=$work/keys
key="Scales <scales@example.org>"
foreign_key="Somebody else <else@example.org>"

repository() { "$tests/../../deploy/repository" "$@"; }

# publish FOLDER [PACKAGE...]: as the owner of the key.
publish() { repository publish --key "=$key" --url "$(<"$work/url")/$1" "$served/$1" "${@:2}"; }

# candidate NUMBER [CONFIGURATION]: a newer package, VERSION+NUMBER, and prints its path.
candidate() {
  newer "$version+$1" "${2:-}" >&2
  mv "$root/packages/newer.deb" "$work/candidate-$1.deb"
  printf '%s\n' "$work/candidate-$1.deb"
}

# Reads the package lists of the repository only. Every problem is an error; otherwise apt continues with the previous lists.
# Tests/PackageTests/root disables the check of expiry dates.
update() {
  apt -o Acquire::Check-Valid-Until=true -o Dir::Etc::sourcelist=/etc/apt/sources.list.d/grampad.sources -o Dir::Etc::sourceparts=- \
    -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any update
}

# client FOLDER: makes this repository the only source of Grampad, with nothing known of it.
client() {
  cp "$served/$1/grampad.sources" "$root/etc/apt/sources.list.d/grampad.sources"
  rm -f "$root"/var/lib/apt/lists/{,partial/}127.0.0.1*
  rm -f "$root"/var/cache/apt/archives/{,partial/}grampad_*
}

# refused REASON COMMAND...: the command has to fail and to print this.
refused() {
  local reason=$1 said
  shift
  if said=$("$@" 2>&1); then fail "accepted: $said"; fi
  grep -qE "$reason" <<<"$said" || fail "refused for another reason: $said"
}

# copy_of FOLDER: a copy of the repository with the same signatures, to be tampered with.
copy_of() {
  rm -rf "${served:?}/$1"
  cp -a "$served/scales" "$served/$1"
  sed -i "s|^URIs: .*|URIs: $(<"$work/url")/$1|" "$served/$1/grampad.sources"
}

# change FILE: changes one byte, so that the size stays the same.
change() {
  local last
  last=$(tail -c 1 "$1" | od -An -tu1)
  truncate --size=-1 "$1"
  # shellcheck disable=SC2059 # the format is the byte
  printf "\\x$(printf %x $((last ^ 1)))" >>"$1"
}

installed_version() { in_root dpkg-query --show --showformat='${Version}' grampad; }

repository_key() {
  local made before
  mkdir -m 700 "$GNUPGHOME"
  made=$(repository make-key "$key")
  [[ $made =~ ^[0-9A-F]{40}$ ]] || fail "no fingerprint: $made"
  before=$(sha256sum "$GNUPGHOME"/private-keys-v1.d/*)
  refused "already has a secret key" repository make-key "$key"
  is "the key" "$before" "$(sha256sum "$GNUPGHOME"/private-keys-v1.d/*)"
  refused "would publish it" repository publish --key "$made" "$work"
  refused "no secret key" repository publish --key nothing@example.org "$served/scales"
  repository make-key "$foreign_key"
}

repository_repeatable() {
  local folder other=$work/other.deb index
  newer "$version+1"
  sed --in-place 's/^Architecture: .*/Architecture: arm64/' "$work/newer/DEBIAN/control"
  rm -rf "$work/newer/usr"
  dpkg-deb --root-owner-group -Znone --build "$work/newer" "$other"
  for folder in one two; do
    SOURCE_DATE_EPOCH=1767225600 repository publish --key "=$key" "$work/$folder" "$other" "$work/scale.deb"
    # The link and the folder it leads to, which has a random name.
    rm -rf "$work/$folder.dists"
    cp -rL "$work/$folder/dists/stable" "$work/$folder.dists"
    rm "$work/$folder.dists"/{InRelease,Release.gpg}
  done
  diff -r "$work/one.dists" "$work/two.dists"
  diff -r "$work/one/pool" "$work/two/pool"
  grep -qx 'Date: Thu, 01 Jan 2026 00:00:00 UTC' "$work/one.dists/Release" || fail "another date"
  for index in amd64 arm64; do
    is "the architectures of $index" "$index" "$(sed -n 's/^Architecture: //p' "$work/one.dists/main/binary-$index/Packages")"
  done
}

repository_installs() {
  local server line
  mkdir -p "$served"
  exec {server}< <(exec python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$served" 2>/dev/null)
  read -r line <&"$server"
  [[ $line =~ port\ ([0-9]+) ]] || fail "no web server: $line"
  printf 'http://127.0.0.1:%s\n' "${BASH_REMATCH[1]}" >"$work/url"
  publish scales "$work/scale.deb"
  client scales
  update
  apt install grampad
  is "the version" "$version" "$(installed_version)"
  [[ $(in_root apt-cache policy grampad) == *"500 $(<"$work/url")/scales stable/main"* ]] || fail "not from the repository"
}

repository_upgrades() {
  local before hash
  hash=$(awk '$3 == "main/binary-amd64/Packages.xz" { print $1 }' "$served/scales/dists/stable/Release")
  publish scales "$(candidate 1)"
  # A client that read the indexes before this publication finds what they list.
  [[ -e $served/scales/dists/stable/main/binary-amd64/by-hash/SHA256/$hash ]] || fail "the previous index is missing"
  update
  apt install grampad
  is "the version" "$version+1" "$(installed_version)"
  # All versions remain available.
  before=$(in_root apt-cache madison grampad | awk '{ print $3 }' | paste --serial --delimiters=' ')
  is "the versions" "$version+1 $version" "$before"
  apt install --allow-downgrades "grampad=$version"
  is "the version" "$version" "$(installed_version)"
}

# With an edited configuration and a new default, which hold an upgrade back unless apt is told what to do.
repository_unattended_upgrades() {
  local said
  apt install unattended-upgrades || { apt update && apt install unattended-upgrades; }
  sed --in-place 's/^  device: auto /  device: simulated /' "$root$settings"
  publish scales "$(candidate 2 $'# a new default\n')"
  update
  grep -v '^Dpkg::Options' "$served/scales/52grampad-upgrades" >"$root/etc/apt/apt.conf.d/52grampad-upgrades"
  said=$(in_root unattended-upgrade --dry-run --debug 2>&1)
  grep -q "grampad has conffile prompt" <<<"$said" || fail "the edited configuration does not matter: $said"
  cp "$served/scales/52grampad-upgrades" "$root/etc/apt/apt.conf.d/"
  said=$(in_root unattended-upgrade --dry-run --debug 2>&1)
  grep -E "^Packages that will be upgraded:.* grampad( |$)" <<<"$said" || fail "it is not upgraded: $said"
  is "the version after a dry run" "$version" "$(installed_version)"
  said=$(in_root unattended-upgrade --debug 2>&1)
  is "the version" "$version+2" "$(installed_version)"
  is "the edited device" "  device: simulated" "$(grep -o '^  device: [a-z]*' "$root$settings")"
}

repository_tampered_package() {
  publish scales "$(candidate 3)"
  copy_of tampered
  change "$served/tampered/pool/stable/grampad/grampad_$version+3_amd64.deb"
  client tampered
  update
  refused "Hash Sum mismatch" apt install grampad
  is "the version" "$version+2" "$(installed_version)"
}

repository_tampered_index() {
  local file
  copy_of tampered
  while read -r file; do change "$file"; done < <(find "$served/tampered/dists" -path '*amd64*' -name 'Packages*' -o \
    -path '*amd64/by-hash/*' -type f -links 1)
  client tampered
  refused "Hash Sum mismatch" update
  refused "no installation candidate|is already the newest|not found" apt install "grampad=$version+3"
}

# Both forms of the signature.
repository_tampered_release() {
  copy_of tampered
  sed --in-place 's/^Valid-Until: .*/Valid-Until: Fri, 01 Jan 2100 00:00:00 UTC/' "$served/tampered"/dists/stable/{Release,InRelease}
  client tampered
  refused "BADSIG|invalid" update
  rm "$served/tampered/dists/stable/InRelease"
  client tampered
  refused "BADSIG|invalid" update
  # The same form without the change is accepted, so it was the change.
  cp "$served/scales/dists/stable/Release" "$served/tampered/dists/stable/Release"
  update
}

# A client with the lists of the right repository stays with them.
repository_wrong_key() {
  copy_of tampered
  client tampered
  update
  rm -rf "$served/tampered"/{dists,pool}
  repository publish --key "=$foreign_key" "$served/tampered" "$(candidate 4)"
  refused "NO_PUBKEY|not signed" update
  [[ $(in_root apt-cache policy grampad) == *"Candidate: $version+3"$'\n'* ]] || fail "$(in_root apt-cache policy grampad)"
}

repository_expired() {
  copy_of tampered
  SOURCE_DATE_EPOCH=$(($(date +%s) - 31 * 86400)) publish tampered
  client tampered
  refused "is expired" update
  publish tampered
  update
}

# What was changed in the folder is never signed.
repository_changed_folder() {
  local before
  copy_of tampered
  before=$(readlink "$served/tampered/dists/stable")
  change "$served/tampered/pool/stable/grampad/grampad_${version}_amd64.deb"
  refused "was changed after it was signed" publish tampered
  copy_of tampered
  printf '\n' >>"$served/tampered/dists/stable/main/binary-amd64/Packages"
  refused "was changed after it was signed" publish tampered
  copy_of tampered
  newer "$version+3" $'# other contents\n'
  refused "with other contents" publish tampered "$root/packages/newer.deb"
  is "the indexes" "$before" "$(readlink "$served/tampered/dists/stable")"
}

# Files that no index may list.
repository_not_a_package() {
  local before file status
  copy_of tampered
  before=$(readlink "$served/tampered/dists/stable")
  printf 'text\n' >"$work/text.deb"
  head --bytes=-1000 "$work/scale.deb" >"$work/half.deb"
  refused "/etc/passwd is not a Debian package" publish tampered /etc/passwd
  refused "text.deb is not a Debian package" publish tampered "$work/text.deb"
  refused "half.deb is damaged" publish tampered "$work/half.deb"
  for file in /etc/passwd "$work/text.deb" "$work/half.deb"; do
    status=0
    publish tampered "$file" || status=$?
    is "the exit status for $file" 65 "$status"
  done
  is "the indexes" "$before" "$(readlink "$served/tampered/dists/stable")"
}

# Both keys sign until every client has the new source.
repository_new_key() {
  copy_of tampered
  client tampered
  repository publish --key "=$key" --key "=$foreign_key" --url "$(<"$work/url")/tampered" "$served/tampered"
  update
  client tampered
  repository publish --key "=$foreign_key" "$served/tampered"
  update
  apt install grampad
  is "the version" "$version+3" "$(installed_version)"
}
