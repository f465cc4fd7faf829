# A thin face of verbs over CMake; the presets are in CMakePresets.json.
#
#   make            build                       make asan     tests under address + UB sanitizers
#   make check      build and run all tests     make tsan     tests under the thread sanitizer
#   make run        watch a match               make fuzz     fuzz for FUZZ_SECONDS per target
#   make bench      measure, into build/bench   make format   clang-format all sources
#   make corpus     replay the shared corpus    make docs     write docs/*.md that are made
#   make experiments  the papers' experiments and claims at SCALE, into build/experiments
#   make results      copies these into docs/results
#   make site       the documentation as pages, into build/site
#   make install    program, library, headers, manuals under PREFIX (and DESTDIR)
#   make deb        Debian packages (program, library, headers, Python) into build-deb build-python
JOBS ?= 2
GAME ?= breakthrough
PLAYERS ?= alea uct
TIME ?= 0.2
SEED ?= 1
FUZZ_SECONDS ?= 60
FUZZ_LEDGER ?=
EXPERIMENTS ?=
EXPERIMENTS_OUT ?= build/experiments
SCALE ?= small
PREFIX ?= /usr/local
DESTDIR ?=
ALEA = build/alea
MAKEFLAGS += --no-print-directory

all: build

# Configures only where that was not done yet: CMake reconfigures by itself.
define cmake_build
@test -f $(2)/Makefile -o -f $(2)/build.ninja || cmake --preset $(1) >$(2).log 2>&1 || \
  { cat $(2).log; rm -f $(2).log; exit 1; }
@rm -f $(2).log
@cmake --build $(2) -j $(JOBS)
endef

setup:
	@tools/setup
build: setup
	$(call cmake_build,release,build)
check: build
	@ctest --test-dir build --output-on-failure -j $(JOBS)
run: build
	@$(ALEA) match $(GAME) $(PLAYERS:%=--player %) --time $(TIME) --seed $(SEED) --draw
	@echo "To play yourself: $(ALEA) web (in a browser), or $(ALEA) play $(GAME)"
asan tsan debug: setup
	$(call cmake_build,$@,build-$@)
	@ctest --test-dir build-$@ --output-on-failure -j $(JOBS)
clang: setup
	@tools/setup clang
	$(call cmake_build,clang,build-clang)
	@ctest --test-dir build-clang --output-on-failure -j $(JOBS)
fuzz: setup
	@tools/setup clang
	$(call cmake_build,fuzz,build-fuzz)
	@tools/fuzz build-fuzz $(FUZZ_SECONDS) $(if $(FUZZ_LEDGER),--ledger $(FUZZ_LEDGER))
bench: build
	@tools/bench --alea $(ALEA)
experiments: build
	@SCALE=$(SCALE) tools/experiments $(ALEA) $(EXPERIMENTS_OUT) $(EXPERIMENTS)
results:
	@tools/publish-results $(EXPERIMENTS_OUT)
corpus: build
	@tools/corpus --alea $(ALEA) --jobs $(JOBS)
install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)" >build/install.log || \
	  { cat build/install.log; exit 1; }
	@echo "installed under $(DESTDIR)$(PREFIX)"
# Packages are for any machine of the architecture, not for the one that builds them.
deb: setup
	@tools/setup dpkg-shlibdeps
	@cmake -S . -B build-deb -DCMAKE_BUILD_TYPE=Release -DALEA_NATIVE=OFF -DALEA_TESTS=OFF \
	  -DCMAKE_INSTALL_PREFIX=/usr >/dev/null
	@cmake --build build-deb -j $(JOBS)
	@cd build-deb && cpack >cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls build-deb/*.deb
format:
	@tools/setup clang-format
	@tools/check-format --fix
site: setup
	@tools/site build/site
docs: build
	@tools/check-docs --alea $(ALEA) --write-commands
	@tools/games-doc --alea $(ALEA)
	@tools/contact-sheet --alea $(ALEA)
clean:
	rm -rf build build-asan build-tsan build-debug build-clang build-fuzz build-deb build-python

.PHONY: all setup build check run asan tsan debug clang fuzz bench experiments results corpus install deb format docs site clean
