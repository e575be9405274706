# The commands for developers.
#
#   make run      install what is missing, build, and try a panel without hardware
#   make test     what a change can break: ten minutes on two processors
#   make proof    the rest: other libraries, browsers and machines, longer runs, counts
#   make build    a debug build of the program (.build/debug/detent); `make` alone does it, too
#   make install  the program, optimised and with the Swift runtime in it, its manual and its
#                 service, to $(PREFIX)
#   make deb      the same as a Debian package, in .build/packages; ARCH=arm64 cross-compiles
#   make check    detent check on the panels of this tree
#   make lab      the tools of developers: .build/debug/detent-lab
#   make bench    measure everything, and rewrite the tables of docs/performance.md and
#                 Benchmarks/README.md
#   make format   format every Swift file
#   make lint     check the form of Swift, and find faults in JavaScript
#   make gallery  five panels that run in a browser without a server: docs/gallery/index.html
#   make site     the documents as pages with live panels: .build/site/html/index.html
#   make release  what a stranger needs, without Swift: packages, the site, checksums
#   make pictures take the pictures of the documents again
#   make deps     install the Debian packages that building and testing need
#   make clean    remove the builds
#   make help     this list
#
# Tests/run lists the steps of `make test` and `make proof`. These are part of neither:
#   Tests/Sanitizers/run   the tests with sanitizers of threads and addresses: half an hour
#   Tests/Mutants/run      whether the tests notice a changed program: half an hour

PANEL ?= panels/lab-supply/panel.yaml
PREFIX ?= /usr/local
SWIFT_FILES := Package.swift Sources Tests
# Programs know the commit that they were built from.
export DETENT_COMMIT := $(or $(DETENT_COMMIT),$(shell Packaging/commit))

.DEFAULT_GOAL := build
.PHONY: help run test proof bench build lab install deb format lint check gallery site release pictures deps clean

# A debug build takes less than half the time of an optimised build, and a user notices no
# difference.
run: build
	@.build/debug/detent sim $(PANEL) --tour --open

help:
	@sed -n 's/^#   //p' Makefile

test: deps
	@Tests/run

proof: deps
	@Tests/run --proof

bench: deps
	@Benchmarks/run --all

build: .deps-build .swift
	@Tests/build --product detent

lab: .deps-build .swift
	@Tests/build --product detent-lab

install: .deps-build .swift
	@Packaging/release
	@mkdir -p .build/installed && strip -o .build/installed/stripped .build/release/detent
	@as=; [ "$$(id -u)" = 0 ] || [ -n "$(DESTDIR)" ] || as=sudo; \
	set -x; $$as Packaging/install .build/installed/stripped "$(DESTDIR)" "$(PREFIX)"
	@[ -n "$(DESTDIR)" ] || echo "next: docs/deployment.md, A service"

deb: .deps-build .swift
	@Packaging/deb $(if $(ARCH),--arch $(ARCH))

format: .swift
	swift format format --in-place --recursive --parallel $(SWIFT_FILES)

lint: .swift
	@swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	@Tests/Browser/lint

# The panels of this tree.
check: build
	@.build/debug/detent check panels/*/panel.yaml

gallery: build
	@Tests/build --product detent-embed
	@docs/gallery/make

# The documents as pages, with a live panel for each kind.
site: build
	@Tests/build --product detent-embed
	@docs/site/make

release: .deps-build .swift
	@Packaging/bundle

# Each kind of control in its states.
pictures: build
	@Tests/Browser/pictures

deps:
	@.ci/packages build test

clean:
	rm -rf .build

.PHONY: .deps-build .swift
.deps-build:
	@.ci/packages build

.swift:
	@command -v swift >/dev/null || { \
	    echo "there is no swift on the PATH" >&2; \
	    echo "help: install Swift 6.3 from https://www.swift.org/install/linux" >&2; exit 1; }
