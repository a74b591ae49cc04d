#!/usr/bin/env bash
# The two commands of the README, for a bare Debian 12 and for a developer's machine alike:
#
#   ./pnsim.sh demo   install what is missing, build, predict the radix sorts, compare with the GPU
#   ./pnsim.sh test   install what is missing, build with sanitizers, run the tests
#
# ./pnsim.sh install [PREFIX] installs programs, data, manual pages and shell completion, by default
# to ~/.local (root: /usr/local). ./pnsim.sh package makes Debian packages (docs/install.md).
# ./pnsim.sh page builds build/page/pnsim.html, the page that runs pnsim in a browser.
# More: ./pnsim.sh long (the tests labelled `long`), ./pnsim.sh threads (ThreadSanitizer on what is
# threaded), ./pnsim.sh bench (benchmarks), ./pnsim.sh predictions (every recorded point must be
# predicted as stored in tests/predictions; with --store the new predictions are stored),
# ./pnsim.sh fuzz [HOURS] [TARGET...] (libFuzzer on each target in turn, one hour in all), and
# ./pnsim.sh mutate [RUNS] (commands with mutated files and words, 2000 runs).
# PNSIM_JOBS=N limits the build to N jobs. What is already there is not installed again.
set -euo pipefail
called_from=$PWD
cd "$(dirname "$0")"

jobs=${PNSIM_JOBS:-$(nproc)}
build_packages=(cmake ninja-build g++ libboost-dev nlohmann-json3-dev libspdlog-dev libcli11-dev
                libpugixml-dev librandom123-dev)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev)
bench_packages=(libbenchmark-dev)
deb_packages=(dpkg-dev file)
page_packages=(emscripten nodejs dpkg-dev chromium ca-certificates)

say() { printf '== %s\n' "$*" >&2; }

# Installs those of the named packages that are missing, as root or by sudo.
need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "missing: ${missing[*]}; install them as root"; exit 4; }
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

configure_and_build() {  # $1 = preset, then targets
  local preset=$1
  shift
  say "building ($preset)"
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset "$preset" "${launcher[@]}" >"build-$preset.log" 2>&1 ||
    { cat "build-$preset.log" >&2; exit 70; }
  rm -f "build-$preset.log"
  local progress=()
  [ -t 2 ] || progress=(-- --quiet)  # on a terminal: one line that moves
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} "${progress[@]}" >&2
}

demo() {
  need "${build_packages[@]}"
  configure_and_build release
  say "pnsim --model radix_shared.json"
  build/release/pnsim --model radix_shared.json
  say "experiment run radix --compare-gpu"
  rm -rf build/radix  # live times of an earlier demonstration are measured anew
  build/release/experiment run radix --compare-gpu --out build/radix
  say "in short: $(demo_result)"
  say "without a GPU the measured times are recorded ones. Tables and plots are in build/radix."
}

demo_result() {
  build/release/pnsim --model radix_shared.json --net sm --csv -q |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
             $1 == "total" { us = $at["predicted_us"]; real = $at["measured_us"]
               printf "net sm predicts %.1f us for radix_shared on an H200; ", us
               printf "measured are %.1f us; the error is %+.1f %%", real, 100 * (us / real - 1) }'
}

install_to() {  # $1 = prefix, "" for the default
  local prefix=${1:-$HOME/.local}
  [ -n "${1:-}" ] || [ "$(id -u)" != 0 ] || prefix=/usr/local
  [[ $prefix = /* ]] || prefix=$called_from/$prefix
  [ "$(id -u)" != 0 ] || umask 022  # for all users
  if ! mkdir -p "$prefix/bin" || [ ! -w "$prefix/bin" ]; then
    say "cannot write to $prefix: name another folder (./pnsim.sh install PREFIX), or install as root"
    exit 74
  fi
  need "${build_packages[@]}"
  configure_and_build release
  cmake --install build/release --prefix "$prefix" >/dev/null
  say "installed pnsim and experiment in $prefix/bin (files: build/release/install_manifest.txt)"
  case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) say "that is not in PATH; type: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

make_packages() {
  need "${build_packages[@]}" "${deb_packages[@]}"
  configure_and_build release
  (cd build/release && cpack -G DEB) >&2
  ls -1sh build/release/packages/*.deb
}

run_tests() {
  need "${build_packages[@]}" "${test_packages[@]}"
  configure_and_build check
  ctest --preset check -j "$jobs" "$@"
}

# Debian's library of pugixml is for this machine; for WebAssembly its source is needed. apt gets the
# source of the same package from where the packages come from, and checks it.
fetch_pugixml() {
  [ -f build/pugixml/src/pugixml.cpp ] && return
  local at=$PWD/build/apt file
  rm -rf "$at"
  mkdir -p "$at/lists/partial" "$at/parts" "$at/source"
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -f "$file" ] && sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" >"$at/parts/$(basename "$file" .list).${file##*.}"
  done
  local options=(-qq -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$at/parts"
                 -o "Dir::State::lists=$at/lists" -o "Dir::Cache=$at" -o "APT::Sandbox::User=$(id -un)")
  say "fetching the source of pugixml"
  apt-get "${options[@]}" update
  (cd "$at/source" && apt-get "${options[@]}" source pugixml >/dev/null)
  rm -rf build/pugixml
  mv "$at"/source/pugixml-* build/pugixml
  rm -rf "$at"
}

build_page() {
  need "${build_packages[@]}" "${page_packages[@]}"
  command -v npm >/dev/null || need npm  # a node that is not Debian's brings its own
  fetch_pugixml
  export NODE_PATH=/usr/share/nodejs  # where Emscripten finds acorn with any node
  configure_and_build wasm
  say "building the page"
  # node has its own list of authorities; the system's may have one more, of a company's proxy.
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
    export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
  (cd web/page && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build) >&2
  ls -sh build/page/pnsim.html
}

# $1 = hours in all, then targets (all of them). Each is fuzzed for an equal part of the time.
fuzz() {
  local hours=$1
  shift
  local targets=("$@")
  [ ${#targets[@]} -gt 0 ] || targets=(pages model template pnml net rows text)
  local seconds
  seconds=$(awk -v h="$hours" -v n=${#targets[@]} 'BEGIN { printf "%d", h * 3600 / n }')
  tests/fuzz/fuzz.sh "$seconds" "${targets[@]}"
}

case ${1:-} in
  demo) demo ;;
  test) shift; run_tests "$@" ;;
  install) install_to "${2:-}" ;;
  package) make_packages ;;
  page) build_page ;;
  long)
    need "${build_packages[@]}" "${test_packages[@]}"
    configure_and_build check
    ctest --test-dir build/check -L long --output-on-failure ;;
  threads)
    need "${build_packages[@]}" "${test_packages[@]}"
    configure_and_build threads
    build/threads/test_threads ;;
  bench)
    need "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"
    cmake --preset release -DPNSIM_BENCHMARKS=ON >&2
    cmake --build --preset release -j "$jobs" --target engine_bench >&2
    build/release/engine_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only ;;
  predictions)
    need "${build_packages[@]}"
    configure_and_build release pnsim experiment
    tests/predictions/compare.sh build/release "${2:-}" ;;
  fuzz)
    shift
    hours=${1:-1}
    [ $# -eq 0 ] || shift
    need "${build_packages[@]}" clang libclang-rt-14-dev
    fuzz "$hours" "$@" ;;
  mutate)
    need "${build_packages[@]}" "${test_packages[@]}"
    configure_and_build check mutate_commands
    build/check/mutate_commands build/check/pnsim build/check/experiment "${2:-2000}" ;;
  *) [ -z "${1:-}" ] || printf 'pnsim.sh: found "%s", expected one of the words below\n\n' "$1" >&2
     sed -n '2,15p' "$0" | sed 's/^# \{0,1\}//'; exit 2 ;;
esac
