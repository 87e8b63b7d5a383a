# shellcheck shell=bash
# Builds a program for 64-bit Arm on an amd64 machine. To be sourced in the project's folder, after packages.sh and
# release.sh.
#
# The compiler is Debian unstable's own (6.2.3 in November 2026: stable's is too old for this package), in a root of its
# own below .build/arm64, with the libraries that Debian's compiler for arm64 brings. What it links against beside
# those is Debian 12 for arm64, the oldest release that the program is to run on; later ones keep what that had.
#
# .build/arm64 holds, once made (some 1.2 GB to download, 4 GB on disk):
#   compiler/   Debian unstable for amd64: its compiler and what that needs
#   swift/      the static Swift libraries for arm64, from the compiler's package for arm64
#   debian12/   Debian 12 for arm64: headers and libraries, and what dpkg-shlibdeps asks which package has a symbol
#   sdk/        what tells the Swift package manager of all these
#   build/      what it built

ARM64=$PWD/.build/arm64
ARM64_MIRROR=http://deb.debian.org/debian
# What this needs on the machine itself.
ARM64_PACKAGES=(mmdebstrap binutils-aarch64-linux-gnu)
# What dpkg-shlibdeps is told, so that it finds the libraries of arm64 and which packages they are in.
# shellcheck disable=SC2034 # for deploy/package
ARM64_SHLIBDEPS=("-S$ARM64/debian12")

# Builds the program for release and prints the path of the executable.
build_arm64() { build_product_for_arm64 grampad; }

# build_product_for_arm64 PRODUCT: the same for any product of the package.
build_product_for_arm64() {
  local product=$1
  set -e # which bash turns off in $(...)
  [[ $(dpkg --print-architecture) == amd64 ]] ||
    die 69 "The cross compiler runs on amd64 only. On a Raspberry Pi, deploy/package builds natively, with swift.org's Swift."
  make_arm64_toolchain >&2
  resolve_for_arm64 >&2
  in_arm64_compiler swift build --swift-sdks-path "$ARM64/sdk" --swift-sdk arm64 "${RELEASE[@]}" --product "$product" \
    --scratch-path "$ARM64/build" --only-use-versions-from-resolved-file --disable-sandbox >&2 ||
    die 70 "$product could not be built for arm64."
  printf '%s\n' "$ARM64/build/aarch64-unknown-linux-gnu/release/$product"
}

# Makes what is missing of the toolchain; each part is there as a whole or not at all.
make_arm64_toolchain() {
  install_packages "${ARM64_PACKAGES[@]}"
  mkdir -p "$ARM64"
  [[ -d $ARM64/compiler && -d $ARM64/swift ]] || unpack_arm64_compiler
  [[ -d $ARM64/debian12 ]] || unpack_debian12
  write_arm64_sdk
}

# Debian unstable has no release that could be named, and a mirror of it may lag behind: how old its list of packages
# may be is not checked; that Debian signed it is. What a build does not need of the compiler is removed.
unpack_arm64_compiler() {
  say "Fetching Debian's Swift compiler and its libraries for arm64: 1.2 GB, once ..."
  as_root rm -rf "$ARM64"/{compiler,swift}{,.new}
  as_root mmdebstrap --quiet --mode=root --variant=extract --architectures=amd64,arm64 \
    --include=swiftlang,g++,git,coreutils,dash,base-files --aptopt='Acquire::Check-Valid-Until "false"' \
    --extract-hook="'$PWD/deploy/lib/arm64/take-swift-libraries' '$ARM64/swift.new' \"\$1\"" \
    sid "$ARM64/compiler.new" "$ARM64_MIRROR" </dev/null >&2 ||
    die 69 "Debian's Swift compiler could not be fetched. On a Raspberry Pi itself, deploy/package needs none of it."
  # shellcheck disable=SC2016 # for the inner shell
  as_root bash -c 'cd "$0/usr/libexec/swift" && rm -r lib/{liblldb,libsourcekitd,libSwiftSourceKit,libLTO}* \
    lib/swift/embedded share/docc bin/{lldb,wasm}* bin/{sourcekit-lsp,clangd,docc,swift-format,repl_swift} \
    "$0"/usr/share/{doc,locale}' "$ARM64/compiler.new"
  as_root mv "$ARM64/swift.new" "$ARM64/swift"
  as_root mv "$ARM64/compiler.new" "$ARM64/compiler"
}

unpack_debian12() {
  local packages=("${BUILD_PACKAGES[@]}" "${RELEASE_PACKAGES[@]}" libc6-dev libstdc++-12-dev)
  say "Fetching Debian 12's libraries for arm64 ..."
  as_root rm -rf "$ARM64/debian12.new"
  as_root mmdebstrap --quiet --mode=root --variant=extract --architectures=arm64 \
    --include="$(IFS=,; printf '%s' "${packages[*]}")" \
    --extract-hook="$PWD/deploy/lib/arm64/register-packages" \
    bookworm "$ARM64/debian12.new" "$ARM64_MIRROR" </dev/null >&2 ||
    die 69 "Debian 12's libraries for arm64 could not be fetched."
  # Links that begin at the root would lead out of this one: the linker would take a static library instead. The Swift
  # libraries are looked for where a system's own compiler has them. And for dpkg-shlibdeps, which looks below a folder
  # that is not the system's only when it is a package that is being built, all is as if it were one.
  # shellcheck disable=SC2016 # for the inner shell
  as_root bash -euc 'cd "$0"
    find . -type l -lname "/*" -printf "%p %l\n" | while read -r link target; do ln -sfnr ".$target" "$link"; done
    ln -s ../../../swift/swift_static usr/lib/swift_static
    mkdir DEBIAN
    for file in symbols shlibs; do cat var/lib/dpkg/info/*."$file" >DEBIAN/"$file"; done' "$ARM64/debian12.new"
  as_root mv "$ARM64/debian12.new" "$ARM64/debian12"
}

# The Swift package manager's description of a target: see `swift sdk --help` and Swift Evolution 0387.
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

# The packages Grampad depends on, in the versions of Package.resolved; the compiler's root has no need of the network.
resolve_for_arm64() {
  [[ -e Package.resolved ]] && cmp --silent Package.resolved "$ARM64/build/resolved" && return
  require_swift
  swift package --scratch-path "$ARM64/build" resolve </dev/null >&2
  cp Package.resolved "$ARM64/build/resolved"
}

# Runs a command in the compiler's root, as the owner of .build/arm64, in this folder under the same name. The mounts are
# seen by nobody else and end with the command.
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
