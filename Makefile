# make          build the program: build/ironbird
# make run      run the showcase, leave out/report.html and a log
# make test     every check that a change must pass; ends with "N passed, N failed"
# make quick    those that need the release build alone: two minutes, at every commit
# make bench    speed and accuracy against the peers, in one run
# make soak     what takes hours: long fuzzing (five minutes a target, or MINUTES=1), mutated files, kills, many seeds, the bits of other builds
# make docs     make the reference, the outputs in pages and the pictures of the docs anew
# make format   bring all sources into the house format
#
# Each target first installs the Debian packages that it misses (command:package: only if the command is missing).
# With all of them there, nothing touches the network.

PACKAGES_BUILD = gcc libc6-dev cmake ninja-build pkg-config libfyaml-dev libwebsockets-dev libjansson-dev liblapacke-dev libmujoco-dev
PACKAGES_RUN   = $(PACKAGES_BUILD) gnuplot-nox
PACKAGES_BOARD = gcc-arm-none-eabi gcc-avr
PACKAGES_PAGE  = node:nodejs npm:npm chromium:chromium
PACKAGES_TEST  = $(PACKAGES_RUN) $(PACKAGES_PAGE) c++:g++ libcmocka-dev clang clang-format libclang-rt-14-dev libslicot-dev $(PACKAGES_BOARD)
PACKAGES_QUICK = $(PACKAGES_RUN) c++:g++ libcmocka-dev clang-format libslicot-dev
PACKAGES_DOCS  = $(PACKAGES_RUN) $(PACKAGES_PAGE)
PACKAGES_BENCH = $(PACKAGES_RUN) python3-scipy valgrind libslicot-dev g++ libbox2d-dev
PACKAGES_SOAK  = $(PACKAGES_TEST)

BUILD = build

.PHONY: all run test quick bench soak docs format clean packages-build packages-run packages-test packages-quick packages-docs packages-bench packages-soak

all: packages-build
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DIB_TESTS=OFF > /dev/null
	@cmake --build $(BUILD) --target ironbird

run: packages-run all
	@mkdir -p out
	$(BUILD)/ironbird run scenarios/match.yaml --report out/report.html --log out/match.wpilog --csv out/match.csv

test: packages-test
	@sh test/run.sh

quick: packages-quick
	@sh test/run.sh quick

bench: packages-bench all
	@cmake --build $(BUILD) --target benchmarks
	@sh bench/run.sh $(BUILD)

soak: packages-soak
	@IB_LIMIT=10800 sh test/run.sh soak

docs: packages-docs all
	@cmake --build $(BUILD) --target figures review_cylinder
	@sh docs/make/reference.sh $(BUILD)/ironbird
	@sh docs/make/pages.sh $(BUILD)/ironbird $(BUILD)/pages --update
	@sh web/install.sh > /dev/null # the browser of the viewer's pictures
	@sh docs/figures/all.sh $(BUILD)/ironbird

format:
	@git ls-files --cached --others --exclude-standard '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD) out

packages-build: ; @sh cmake/install.sh $(PACKAGES_BUILD)
packages-run: ; @sh cmake/install.sh $(PACKAGES_RUN)
packages-test: ; @sh cmake/install.sh $(PACKAGES_TEST)
packages-quick: ; @sh cmake/install.sh $(PACKAGES_QUICK)
packages-docs: ; @sh cmake/install.sh $(PACKAGES_DOCS)
packages-bench: ; @sh cmake/install.sh $(PACKAGES_BENCH)
packages-soak: ; @sh cmake/install.sh $(PACKAGES_SOAK)
