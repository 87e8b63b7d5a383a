# shellcheck shell=bash
# Cross-builds a program for 64-bit Arm on an amd64 machine. Meant to be sourced in the project directory, after packages.sh
# and release.sh.
#
# The compiler is that of Debian unstable (6.2.3 in November 2026; the one in stable is too old for this package), in its own
# root directory below .build/arm64, with the libraries from Debian's compiler package for arm64. All other libraries are
# those of Debian 12 for arm64, the oldest supported release; later releases are compatible with it.
#
# Contents of .build/arm64 (1.2 GB to download, 4 GB on disk):
#   compiler/   Debian unstable for amd64: the compiler and its dependencies
#   swift/      static Swift libraries for arm64, from the compiler package for arm64
#   debian12/   Debian 12 for arm64: headers, libraries, and the package metadata for dpkg-shlibdeps
#   sdk/        the SDK description for the Swift package manager
#   build/      build results

ARM64=$PWD/.build/arm64
ARM64_MIRROR=http://deb.debian.org/debian
# Packages required on the build machine.
ARM64_PACKAGES=(mmdebstrap binutils-aarch64-linux-gnu)
# Options for dpkg-shlibdeps to find the arm64 libraries and their packages.
# shellcheck disable=SC2034 # for deploy/package
ARM64_SHLIBDEPS=("-S$ARM64/debian12")

# Builds the programs in release configuration and prints the path of their folder.
build_arm64() {
  local program path
  for program in "${PROGRAMS[@]}"; do path=$(build_product_for_arm64 "$program") || return; done
  printf '%s\n' "${path%/*}"
}

# build_product_for_arm64 PRODUCT: builds a product and prints the path of the executable.
build_product_for_arm64() {
  local product=$1
  set -e # bash disables it in $(...)
  make_arm64_toolchain >&2
  resolve_for_arm64 >&2
  in_arm64_compiler swift build --swift-sdks-path "$ARM64/sdk" --swift-sdk arm64 "${RELEASE[@]}" --product "$product" \
    --scratch-path "$ARM64/build" --only-use-versions-from-resolved-file --disable-sandbox >&2 ||
    die 70 "Building $product for arm64 failed."
  printf '%s\n' "$ARM64/build/aarch64-unknown-linux-gnu/release/$product"
}

# Installs missing parts of the toolchain, each of them atomically.
make_arm64_toolchain() {
  [[ $(dpkg --print-architecture) == amd64 ]] ||
    die 69 "Cross-building requires amd64. On a Raspberry Pi, deploy/package builds natively with the toolchain from swift.org."
  install_packages "${ARM64_PACKAGES[@]}"
  mkdir -p "$ARM64"
  [[ -d $ARM64/compiler && -d $ARM64/swift ]] || unpack_arm64_compiler
  # Also unpacked again when a build needs another library.
  [[ -d $ARM64/debian12 && $(cat "$ARM64/debian12.packages" 2>/dev/null) == "${BUILD_PACKAGES[*]}" ]] || unpack_debian12
  write_arm64_sdk
}

# Debian unstable has no fixed release and mirrors may lag behind, so the age of the package list is not checked; its
# signature is. Parts of the compiler package that are not needed for builds are removed.
unpack_arm64_compiler() {
  say "Downloading Debian's Swift compiler and its arm64 libraries (1.2 GB, only once) ..."
  as_root rm -rf "$ARM64"/{compiler,swift}{,.new}
  as_root mmdebstrap --quiet --mode=root --variant=extract --architectures=amd64,arm64 \
    --include=swiftlang,g++,git,coreutils,dash,base-files --aptopt='Acquire::Check-Valid-Until "false"' \
    --extract-hook="'$PWD/deploy/lib/arm64/take-swift-libraries' '$ARM64/swift.new' \"\$1\"" \
    sid "$ARM64/compiler.new" "$ARM64_MIRROR" </dev/null >&2 ||
    die 69 "Downloading Debian's Swift compiler failed. On a Raspberry Pi, deploy/package does not need it."
  # shellcheck disable=SC2016 # for the inner shell
  as_root bash -c 'cd "$0/usr/libexec/swift" && rm -r lib/{liblldb,libsourcekitd,libSwiftSourceKit,libLTO}* \
    lib/swift/embedded share/docc bin/{lldb,wasm}* bin/{sourcekit-lsp,clangd,docc,swift-format,repl_swift} \
    "$0"/usr/share/{doc,locale}' "$ARM64/compiler.new"
  as_root mv "$ARM64/swift.new" "$ARM64/swift"
  as_root mv "$ARM64/compiler.new" "$ARM64/compiler"
}

unpack_debian12() {
  local packages=("${BUILD_PACKAGES[@]}" libc6-dev libstdc++-12-dev)
  say "Downloading the arm64 libraries of Debian 12 ..."
  as_root rm -rf "$ARM64"/debian12{,.new}
  as_root mmdebstrap --quiet --mode=root --variant=extract --architectures=arm64 \
    --include="$(IFS=,; printf '%s' "${packages[*]}")" \
    --extract-hook="$PWD/deploy/lib/arm64/register-packages" \
    bookworm "$ARM64/debian12.new" "$ARM64_MIRROR" </dev/null >&2 ||
    die 69 "Downloading the arm64 libraries of Debian 12 failed."
  # Make absolute links relative, because they would point outside of this root and the linker would use static libraries
  # instead. Link the Swift libraries where a native compiler has them. Add a DEBIAN directory, because dpkg-shlibdeps
  # searches another root only if it looks like a package build directory.
  # shellcheck disable=SC2016 # for the inner shell
  as_root bash -euc 'cd "$0"
    find . -type l -lname "/*" -printf "%p %l\n" | while read -r link target; do ln -sfnr ".$target" "$link"; done
    ln -s ../../../swift/swift_static usr/lib/swift_static
    mkdir DEBIAN
    for file in symbols shlibs; do cat var/lib/dpkg/info/*."$file" >DEBIAN/"$file"; done' "$ARM64/debian12.new"
  as_root mv "$ARM64/debian12.new" "$ARM64/debian12"
  printf '%s\n' "${BUILD_PACKAGES[*]}" >"$ARM64/debian12.packages"
}

# Writes the SDK description for the Swift package manager; see `swift sdk --help` and Swift Evolution 0387.
write_arm64_sdk() {
  local bundle=$ARM64/sdk/grampad.artifactbundle source=deploy/lib/arm64/before-debian13.cpp
  local object=$ARM64/sdk/before-debian13.o
  mkdir -p "$bundle/arm64"
  if [[ ! $object -nt $source ]]; then
    in_arm64_compiler clang++ --target=aarch64-linux-gnu --sysroot="$ARM64/debian12" -O2 -fno-exceptions \
      -c "$source" -o "$object.new"
    mv "$object.new" "$object"
  fi
  cat >"$bundle/info.json" <<'END'
{
  "schemaVersion": "1.0",
  "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "arm64"}]}}
}
END
  cat >"$bundle/arm64/swift-sdk.json" <<END
{
  "schemaVersion": "4.0",
  "targetTriples": {
    "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "$ARM64/debian12",
      "swiftResourcesPath": "$ARM64/swift/swift_static",
      "swiftStaticResourcesPath": "$ARM64/swift/swift_static",
      "toolsetPaths": ["toolset.json"]
    }
  }
}
END
  cat >"$bundle/arm64/toolset.json" <<END
{
  "schemaVersion": "1.0",
  "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld", "-Xclang-linker", "--target=aarch64-linux-gnu"]},
  "linker": {"extraCLIOptions": ["$object"]}
}
END
}

# Fetches the dependencies in the versions of Package.resolved, so that the compiler root does not need network access.
resolve_for_arm64() {
  [[ -e Package.resolved ]] && cmp --silent Package.resolved "$ARM64/build/resolved" && return
  require_swift
  swift package --scratch-path "$ARM64/build" resolve </dev/null >&2
  cp Package.resolved "$ARM64/build/resolved"
}

# Runs a command in the compiler root, as the owner of .build/arm64 and in the current directory. The mounts are private and
# disappear when the command ends.
in_arm64_compiler() {
  # shellcheck disable=SC2016 # for the inner shell
  as_root unshare --mount --propagation private bash -euc '
    root=$1 folder=$2 owner=$3
    shift 3
    mkdir -p "$root$folder" "$root/proc"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount --bind "$folder" "$root$folder"
    exec chroot --userspec="$owner" "$root" "$@"' in_arm64_compiler \
    "$ARM64/compiler" "$PWD" "$(stat -c %u:%g "$ARM64")" /usr/bin/env -C "$PWD" -i HOME=/tmp LC_ALL=C.UTF-8 \
    PATH=/usr/libexec/swift/bin:/usr/bin:/bin PKG_CONFIG_SYSROOT_DIR="$ARM64/debian12" \
    PKG_CONFIG_PATH="$ARM64/debian12/usr/lib/aarch64-linux-gnu/pkgconfig:$ARM64/debian12/usr/share/pkgconfig" \
    "$@" </dev/null
}
