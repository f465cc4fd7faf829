# A thin face of verbs over CMake.
BUILD ?= build

all: build
build:
	cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	cmake --build $(BUILD) -j 2
check: build
	ctest --test-dir $(BUILD) --output-on-failure
.PHONY: all build check
