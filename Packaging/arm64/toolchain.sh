# The steps of `toolchain`, in its order. They read its variables.
# shellcheck shell=bash

multiarch=aarch64-linux-gnu
host_libraries() { echo "$home/host/usr/lib/x86_64-linux-gnu"; }

# fetch_swift ARCHITECTURE: the compiler and its libraries, once.
fetch_swift() {
    local offered
    compgen -G "$archive/swiftlang_${swift_version}-*_$1.deb" >/dev/null &&
        compgen -G "$archive/libswiftlang_${swift_version}-*_$1.deb" >/dev/null && return
    offered=$(candidate sid "$1" swiftlang)
    case $offered in
        "$swift_version"-*) ;;
        *) skip "Debian sid offers Swift ${offered:-(none)} for $1; $swift_version is needed" ;;
    esac
    say "fetching swiftlang $offered for $1 (580 MB)"
    rm -rf "$archive/partial"
    download sid "$1" "$archive/partial" swiftlang libswiftlang
    mv "$archive/partial"/*.deb "$archive"
}

fetch_packages() {
    local list
    for list in "sid amd64" "sid arm64" "trixie arm64" "bookworm arm64"; do
        say "fetching the list of packages of Debian $list"
        # shellcheck disable=SC2086
        lists_of $list || skip "cannot fetch the list of packages of Debian $list"
    done
    fetch_swift amd64
    fetch_swift arm64
    say "fetching the libraries of the compiler (20 MB) and of the target (25 MB)"
    # shellcheck disable=SC2046
    download sid amd64 "$home/packages/host" $(libraries_of sid amd64 swiftlang)
    download trixie arm64 "$home/packages/gpiod" libgpiod-dev
    download bookworm arm64 "$home/packages/sysroot" libc6 libc6-dev linux-libc-dev libgcc-s1 \
        libgcc-12-dev libstdc++6 libstdc++-12-dev libyaml-0-2 libyaml-dev zlib1g zlib1g-dev \
        libcrypt1 libcrypt-dev libatomic1
}

# unpack FOLDER FILE…: packages into a folder.
unpack() {
    local folder=$1 file
    shift
    mkdir -p "$folder"
    for file in "$@"; do dpkg-deb -x "$file" "$folder"; done
}

# unpack_part FILE FOLDER ARGUMENT…: a part of usr/libexec/swift in a package; arguments of tar.
unpack_part() {
    local file=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    dpkg-deb --fsys-tarfile "$file" | tar x -C "$folder" --strip-components=4 "$@"
}

unpack_compiler() {
    say "unpacking the compiler"
    unpack_part "$archive"/swiftlang_"$swift_version"-*_amd64.deb "$home/swift" \
        --exclude='*lldb*' --exclude='*/bin/sourcekit-lsp' --exclude='*/bin/docc' \
        --exclude='*/bin/clangd' --exclude='*/bin/wasmkit' --exclude='*/bin/repl_swift' \
        --exclude='*libsourcekitd*' --exclude='*libSwiftSourceKit*' --exclude='*libIndexStore*' \
        --exclude='*/clang/17/lib*' --exclude='*/embedded*' ./usr/libexec/swift
    unpack_part "$archive"/libswiftlang_"$swift_version"-*_amd64.deb "$home/swift" \
        ./usr/libexec/swift/lib/swift
    unpack "$home/host" "$home/packages/host"/*.deb
    # Where the system has merged /lib into /usr/lib, packages may have either.
    if [ -d "$home/host/lib" ]; then cp -a "$home/host/lib/." "$home/host/usr/lib/"; fi
}

is_program() { [ -f "$1" ] && [ ! -L "$1" ] && [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }

# Lets the programs of sid run on an older Debian, with their own dynamic linker and libraries.
# They hold the folder's name from now on: it cannot be moved.
adapt_compiler() {
    local file old libraries
    say "adapting the compiler to this system"
    libraries=$(host_libraries)
    for file in "$home"/swift/bin/* "$home"/swift/libexec/swift/linux/*; do
        is_program "$file" || continue
        old=$(patchelf --print-rpath "$file")
        patchelf --set-interpreter "$libraries/ld-linux-x86-64.so.2" --force-rpath \
            --set-rpath "$libraries${old:+:$old}" "$file" 2>/dev/null || true # static ones
    done
    for file in "$home"/swift/lib/swift/linux/*.so "$home"/swift/lib/swift/host/*.so \
        "$home"/swift/lib/swift/host/*/*.so "$home"/swift/lib/*.so*; do
        is_program "$file" || continue
        old=$(patchelf --print-rpath "$file")
        patchelf --force-rpath --set-rpath "${old:+$old:}$libraries" "$file"
    done
    "$home/swift/bin/swiftc" --version >"$home/version" 2>&1 || {
        cat "$home/version" >&2
        skip "Debian's Swift $swift_version does not run on this machine"
    }
}

unpack_library() {
    say "unpacking the standard library for arm64"
    unpack_part "$archive"/swiftlang_"$swift_version"-*_arm64.deb "$home/stdlib" \
        --exclude='*/lib/swift/host*' --exclude='*/embedded*' --exclude='*san*' --exclude='*xray*' \
        --exclude='*/clang/17/include*' ./usr/libexec/swift/lib/swift \
        ./usr/libexec/swift/lib/swift_static ./usr/libexec/swift/lib/clang
    unpack_part "$archive"/libswiftlang_"$swift_version"-*_arm64.deb "$home/stdlib" \
        ./usr/libexec/swift/lib/swift/linux
    mkdir -p "$home/stdlib/lib/clang/17"
    ln -sfn "$home/swift/lib/clang/17/include" "$home/stdlib/lib/clang/17/include"
}

# The C library of Debian 12. Of libgpiod 2, libyaml, zlib, libstdc++ and libgcc it has archives
# only, so the linker puts them into the program.
make_sysroot() {
    local root=$home/sysroot link target libraries compat=$home/glibc-2.36.o
    say "making the sysroot"
    unpack "$root" "$home/packages/sysroot"/*.deb
    unpack "$home/gpiod" "$home/packages/gpiod"/*.deb
    if [ -d "$root/lib" ] && [ ! -L "$root/lib" ]; then
        cp -a "$root/lib/." "$root/usr/lib/"
        rm -rf "$root/lib"
    fi
    [ -e "$root/lib" ] || ln -s usr/lib "$root/lib"
    while read -r link; do
        target=$(readlink "$link")
        case $target in
            /*) ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$root$target")" "$link" ;;
        esac
    done < <(find "$root" -type l)
    libraries=$root/usr/lib/$multiarch
    rm -f "$libraries"/lib{yaml,z}*.so* "$root/usr/lib/gcc/$multiarch/12"/lib{stdc++,gcc_s}.so
    cp "$home/gpiod/usr/include/gpiod.h" "$root/usr/include/"
    cp "$home/gpiod/usr/lib/$multiarch/libgpiod.a" "$libraries/"
    echo 'INPUT(-lgcc_eh)' >"$root/usr/lib/gcc/$multiarch/12/libgcc_s.so"
    ln -sfn "$home/stdlib/lib/swift" "$root/usr/lib/swift"
    ln -sfn "$home/stdlib/lib/swift_static" "$root/usr/lib/swift_static"
    # Functions that the standard library takes from glibc 2.38.
    "$home/swift/bin/clang" -target aarch64-unknown-linux-gnu --sysroot="$root" -O2 \
        -c "$here/glibc-2.36.c" -o "$compat"
    "$home/swift/bin/llvm-ar" qS "$libraries/libc_nonshared.a" "$compat"
    "$home/swift/bin/llvm-ranlib" "$libraries/libc_nonshared.a"
    dpkg-deb -f "$home/packages/gpiod"/libgpiod-dev_*.deb Version >"$home/libgpiod-version"
}

# A Swift SDK. Its toolset lets the SwiftPM of this machine compile with the compiler above.
write_sdk() {
    local name=detent-arm64 bundle
    bundle=$home/sdk/$name.artifactbundle
    mkdir -p "$bundle/$name"
    cat >"$bundle/info.json" <<JSON
{"schemaVersion": "1.0", "artifacts": {"$name": {"type": "swiftSDK", "version": "$swift_version",
  "variants": [{"path": "$name", "supportedTriples": ["x86_64-unknown-linux-gnu"]}]}}}
JSON
    ln -sfn "$home/sysroot" "$bundle/$name/sysroot"
    ln -sfn "$home/stdlib/lib" "$bundle/$name/lib"
    cat >"$bundle/$name/swift-sdk.json" <<JSON
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
  "sdkRootPath": "sysroot", "swiftResourcesPath": "lib/swift",
  "swiftStaticResourcesPath": "lib/swift_static", "toolsetPaths": ["toolset.json"]}}}
JSON
    cat >"$bundle/$name/toolset.json" <<JSON
{"schemaVersion": "1.0", "rootPath": "$home/swift/bin",
 "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
JSON
}
