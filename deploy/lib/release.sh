# shellcheck shell=bash
# Build options, and version and date of a release. Meant to be sourced after packages.sh.

# Options for `swift build`: the Swift runtime is linked statically, there is no rpath, and symbols are bound at start-up so
# that the GOT can be read-only (full RELRO). Debug information is omitted: the package contains none, and the compiler records in
# it the identifiers of precompiled modules, which differ in every build. Incremental code generation is disabled, because it
# stores a hash over internal data of the compiler in each object file. Code and interface of a module are made by one compiler:
# the second that would make the interface saves no time, because the package manager waits for both.
RELEASE=(--configuration release --static-swift-stdlib --disable-local-rpath
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
  -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -no-emit-module-separately-wmo)

# What the packages contain.
# shellcheck disable=SC2034 # for deploy/package and others
PROGRAMS=(grampad grampad-fleet)

# release_build ARGUMENT...: swift build with these options, and without address space randomization where the system permits
# that. Some of the compiler's choices depend on addresses, so that two compilations of one file would differ.
#
# The tests use the same build as the package: what they have tested is what ships, and nothing is compiled twice. So everything
# is compiled such that tests can reach what is internal to a module, which adds 4 % to the size and no instruction to a frame.
# The toolchain has its modules for tests only next to the dynamic libraries.
release_build() {
  local fixed=() libraries
  if setarch --addr-no-randomize true 2>/dev/null; then fixed=(setarch --addr-no-randomize); fi
  libraries=$(swiftc -print-target-info | sed -nE 's/^ *"runtimeResourcePath": "(.*)",?$/\1/p')
  link_test_modules "$libraries/linux"
  "${fixed[@]}" swift build "${RELEASE[@]}" -Xswiftc -enable-testing -Xswiftc -I -Xswiftc "$PWD/.build/test-modules" \
    -Xlinker "-L${libraries}_static/linux" "$@" </dev/null
}

# link_test_modules FOLDER: makes the modules for tests visible without those of the dynamic libraries in the same folder.
link_test_modules() {
  mkdir -p .build/test-modules
  ln -sfn "$1"/{XCTest,Testing,_TestingInterop,_Testing_Foundation}.swiftmodule "$1/Testing.swiftcrossimport" .build/test-modules
}

# Prints the version from its definition in the source.
release_version() {
  local version
  version=$(sed -nE 's/^ *package static let text = "([0-9][0-9A-Za-z.+~]*)"$/\1/p' Sources/Messages/Version.swift)
  [[ -n $version ]] || die 70 "Sources/Messages/Version.swift does not contain a version that Debian can compare."
  printf '%s\n' "$version"
}

# Prints the address of the project from its definition in the source.
release_homepage() {
  local address
  address=$(sed -nE 's/^ *package static let homepage = "(https:[^" ]+)"$/\1/p' Sources/Messages/Version.swift)
  [[ -n $address ]] || die 70 "Sources/Messages/Version.swift does not contain the address of the project."
  printf '%s\n' "$address"
}

# Prints the date of the release in seconds since 1970: SOURCE_DATE_EPOCH if set, otherwise the last commit that changed the
# contents of the package, or without git the last change of the version. All dates in the package are derived from it.
# https://reproducible-builds.org/specs/source-date-epoch/
release_seconds() {
  if [[ -n ${SOURCE_DATE_EPOCH:-} ]]; then
    [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || die 64 "SOURCE_DATE_EPOCH must be in seconds since 1970, not '$SOURCE_DATE_EPOCH'."
    printf '%s\n' "$SOURCE_DATE_EPOCH"
  else
    git log -1 --format=%ct -- Package.swift README.md LICENSE Sources config deploy 2>/dev/null | grep . ||
      stat --format=%Y Sources/Messages/Version.swift
  fi
}

# The same in RFC 5322 format, in UTC.
release_date() { LC_ALL=C date --utc --rfc-email --date "@$(release_seconds)"; }
