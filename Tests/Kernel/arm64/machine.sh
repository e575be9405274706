# The steps of `machine`, in its order; those of the smaller machine follow. They read its variables.
# shellcheck shell=bash

# What the small Debian is made of, besides what these packages depend on.
system=(busybox-static dash dpkg libc-bin systemd-standalone-sysusers)

# quietly COMMAND…: shows its output only if it fails.
quietly() {
    "$@" >"$home/log" 2>&1 && return
    tail -n 20 "$home/log" >&2
    say "failed: $*"
    return 1
}

# The kernel's release, such as 6.12.107+deb13.
find_release() {
    release=$(apt_of trixie arm64 apt-cache depends linux-image-arm64 |
        sed -n 's/.*Depends: linux-image-\([0-9].*\)-arm64$/\1/p' | sed -n 1p)
    [ -n "$release" ] || skip "Debian 13 does not offer linux-image-arm64"
}

# closure PACKAGE…: the packages and what they need.
closure() {
    apt_of trixie arm64 apt-get install --print-uris -y --no-install-recommends "$@" |
        sed -nE "s|^'[^']*' ([a-z0-9.+-]+)_[^ ]*\.deb .*|\1|p"
}

fetch() {
    local list
    for list in "trixie arm64" "trixie amd64"; do
        say "fetching the list of packages of Debian $list"
        # shellcheck disable=SC2086
        lists_of $list || skip "cannot fetch the list of packages of Debian $list"
    done
    find_release
    say "fetching Linux $release for arm64, its headers and its source (270 MB)"
    download trixie arm64 "$home/packages/kernel" "linux-image-$release-arm64" \
        "linux-headers-$release-arm64" "linux-headers-$release-common" linux-source-6.12 ||
        skip "cannot fetch Linux $release"
    download trixie amd64 "$home/packages/kernel" "linux-kbuild-$release" ||
        skip "cannot fetch Linux $release"
    # shellcheck disable=SC2046
    download trixie arm64 "$home/packages/system" $(closure "${system[@]}") ||
        skip "cannot fetch the packages of a small Debian 13"
}

unpack_kernel() {
    local tree=$home/build/kernel
    mkdir -p "$tree"
    dpkg-deb --fsys-tarfile "$home"/packages/kernel/linux-image-*_arm64.deb | tar x -C "$tree" \
        --wildcards './boot/vmlinuz*' '*/fs/configfs/configfs.ko.xz' '*/bcm2837-rpi-3-b.dtb'
    cp "$tree"/boot/vmlinuz-* "$home/vmlinuz"
    cp "$tree"/usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb "$home/raspberry-pi-3b.dtb"
    mkdir -p "$home/system/modules"
    find "$tree" -name configfs.ko.xz -exec xz -dc {} \; >"$home/system/modules/configfs.ko"
}

# Debian's kernel does not have gpio-sim, so it becomes a module for it. Its part that simulates
# interrupts (irq_sim) goes into the same module.
build_module() {
    local tree=$home/build module=$home/build/module libraries file
    say "compiling gpio-sim for Linux $release"
    for file in "$home"/packages/kernel/linux-{headers,kbuild}-*.deb; do
        dpkg-deb -x "$file" "$tree"
    done
    # The only absolute path of the headers.
    sed -i "s|/usr/src/|$tree/usr/src/|" "$tree/usr/src/linux-headers-$release-arm64/Makefile"
    # modpost needs a newer C library than Debian 12 has: the compiler's.
    libraries=$toolchain/host/usr/lib/x86_64-linux-gnu
    for file in "$tree"/usr/lib/linux-kbuild-*/scripts/mod/modpost.real-*; do
        patchelf --set-interpreter "$libraries/ld-linux-x86-64.so.2" --force-rpath \
            --set-rpath "$libraries" "$file"
    done
    mkdir "$module"
    dpkg-deb --fsys-tarfile "$home"/packages/kernel/linux-source-6.12_*.deb |
        tar xO ./usr/src/linux-source-6.12.tar.xz | xz -dc |
        tar x -C "$module" --strip-components=3 --wildcards \
            '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
    mv "$module/gpio-sim.c" "$module/simulator.c"
    # The kernel does not export irq_to_desc() to modules.
    sed -i 's/irq_to_desc(\([a-z_]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' "$module/irq_sim.c"
    printf '%s\n' 'obj-m := gpio-sim.o' 'gpio-sim-y := simulator.o irq_sim.o' >"$module/Kbuild"
    # gcc 12 cannot align functions as this kernel asks, and there are no types to convert for BPF.
    quietly make -C "$tree/usr/src/linux-headers-$release-arm64" M="$module" \
        CC=aarch64-linux-gnu-gcc-12 CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT= \
        CONFIG_DEBUG_INFO_BTF_MODULES= modules
    cp "$module/gpio-sim.ko" "$home/system/modules/"
}

# Packages of Debian 13 as dpkg would have them, and busybox for every command they lack. The shell is
# dash, because that of busybox would prefer its own dpkg and tar.
make_system() {
    local tree=$home/system file name
    say "making a small Debian 13"
    for file in bin sbin lib; do
        mkdir -p "$tree/usr/$file"
        ln -s "usr/$file" "$tree/$file"
    done
    mkdir -p "$tree"/{etc,root,var/log,var/lib/dpkg/{info,updates,triggers}}
    for file in "$home"/packages/system/*.deb; do
        dpkg-deb -x "$file" "$tree"
        dpkg-deb -f "$file" | sed '1a Status: install ok installed'
        echo
    done >"$tree/var/lib/dpkg/status"
    rm -rf "$tree"/usr/share/{doc,man,locale,info,lintian,bash-completion,zsh}
    for name in $(qemu-aarch64-static "$tree/usr/bin/busybox" --list); do
        [ -e "$tree/usr/bin/$name" ] || [ -e "$tree/usr/sbin/$name" ] ||
            ln -s busybox "$tree/usr/bin/$name"
    done
    pack "$tree"
}

# pack TREE: adds what every machine has, and makes the archive of it.
pack() {
    echo root:x:0:0:root:/root:/bin/sh >"$1/etc/passwd"
    echo root:x:0: >"$1/etc/group"
    echo 127.0.0.1 localhost >"$1/etc/hosts"
    install -m 755 "$here/init" "$1/init"
    python3 "$here/cpio.py" "$1" "$home/system.cpio"
}

# ---- The smaller machine

# The kernel for virtual machines has all that qemu's board needs in itself. `init` makes the links
# to busybox, so that no program for arm64 has to run here.
make_little() {
    local tree=$home/system image
    say "fetching the list of packages of Debian trixie arm64"
    lists_of trixie arm64 || skip "cannot fetch the list of packages of Debian trixie arm64"
    image=$(apt_of trixie arm64 apt-cache depends linux-image-cloud-arm64 |
        sed -n 's/.*Depends: \(linux-image-[0-9].*\)$/\1/p' | sed -n 1p)
    [ -n "$image" ] || skip "Debian 13 does not offer linux-image-cloud-arm64"
    say "fetching $image and busybox (30 MB)"
    download trixie arm64 "$home/packages" "$image" busybox-static || skip "cannot fetch $image"
    mkdir -p "$tree"/{etc,root,bin,sbin,usr/bin,usr/sbin}
    dpkg-deb --fsys-tarfile "$home/packages/$image"_*.deb | tar xO --wildcards './boot/vmlinuz*' \
        >"$home/vmlinuz"
    dpkg-deb --fsys-tarfile "$home"/packages/busybox-static_*.deb | tar xO ./usr/bin/busybox \
        >"$tree/bin/busybox"
    chmod 755 "$tree/bin/busybox"
    ln -s busybox "$tree/bin/sh"
    pack "$tree"
}
