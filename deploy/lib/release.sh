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
  version=$(sed -nE 's/^ *package static let text = "([0-9][0-9A-Za-z.+~]*)"$/\1/p' Sources/Appliance/Version.swift)
  [[ -n $version ]] || die 70 "Sources/Appliance/Version.swift names no version that Debian could compare."
  printf '%s\n' "$version"
}

# When what makes up the program was changed last, as in a mail; without git, when the version was.
release_date() {
  git log -1 --format=%cD -- Package.swift README.md Sources config deploy 2>/dev/null | grep . ||
    date --rfc-email --reference=Sources/Appliance/Version.swift
}
