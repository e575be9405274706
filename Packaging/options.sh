# How every program that is installed is compiled and linked; read by `release` and `arm64/build`.
#
# Each function has a section of its own, so that the linker leaves out those that nothing calls
# (1.0 MB), and those with equal code are in the program once (1.4 MB). No tables to unwind: 2.6 MB.
# The functions on the way from an edge to its lamp are side by side, on 12 pages and not 30
# (Benchmarks/README.md); `Benchmarks/run --order` lists them. A name that does not exist does no harm.
# The list is linked under the name of its content, so that another list links the program anew.
# Only lld knows all of this; Swift's toolchain brings it.
path_order=$PWD/.build/path-order-$(sha256sum Packaging/path-order.txt | cut -c1-12).txt
mkdir -p .build
cp Packaging/path-order.txt "$path_order"
# The library of commands uses a protocol and an encoder of Foundation, which would be 4.6 MB of the
# program. FoundationStandIn has both. The library does not name it as a dependency, so
# FoundationStandIn has to be built first.
# Without the library's regular expressions and names of characters: 1.3 MB (TextSearch.swift).
options=(
    -Xswiftc -module-alias -Xswiftc FoundationEssentials=FoundationStandIn
    --static-swift-stdlib --disable-local-rpath
    -Xswiftc -use-ld=lld
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
    -Xlinker --no-export-dynamic
    -Xlinker --icf=all
    -Xlinker --symbol-ordering-file="$path_order"
    -Xlinker --no-warn-symbol-ordering
    -Xlinker --no-eh-frame-hdr -Xlinker "$PWD/Packaging/no-unwind.ld"
)
