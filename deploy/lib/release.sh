# shellcheck shell=bash
# How the program that is given to others is built, and which version it is. To be sourced, after packages.sh.

# What `swift build` is told: one file, with the Swift runtime in it, that looks for libraries where the system has them, and
# binds to them before it starts, so that its tables of functions can be made read-only.
# shellcheck disable=SC2034 # for those who source this
RELEASE=(--configuration release --static-swift-stdlib --disable-local-rpath
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)

# Needed beside BUILD_PACKAGES. Foundation's networking, which FlyingFox uses, brings libcurl into the program when it is
# linked statically.
export RELEASE_PACKAGES=(libcurl4-openssl-dev)

# The version, from the one place where it is written.
release_version() {
  local version
  version=$(sed -nE 's/^ *package static let text = "([0-9][0-9A-Za-z.+~]*)"$/\1/p' Sources/Messages/Version.swift)
  [[ -n $version ]] || die 70 "Sources/Messages/Version.swift names no version that Debian could compare."
  printf '%s\n' "$version"
}

# The date of the release, in seconds since 1970: SOURCE_DATE_EPOCH where the caller sets it, else the last commit that
# changed what the package is made of; without git, the last change of the version. All dates in the package come from here.
# https://reproducible-builds.org/specs/source-date-epoch/
release_seconds() {
  if [[ -n ${SOURCE_DATE_EPOCH:-} ]]; then
    [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || die 64 "SOURCE_DATE_EPOCH takes seconds since 1970, not '$SOURCE_DATE_EPOCH'."
    printf '%s\n' "$SOURCE_DATE_EPOCH"
  else
    git log -1 --format=%ct -- Package.swift README.md LICENSE Sources config deploy 2>/dev/null | grep . ||
      stat --format=%Y Sources/Messages/Version.swift
  fi
}

# The same as in a mail, in UTC.
release_date() { LC_ALL=C date --utc --rfc-email --date "@$(release_seconds)"; }
