#!/bin/sh
# compare.sh NODE PNSIM ROOT: compares the engine in WebAssembly with the program PNSIM. It brings an
# engine that has been built before (./pnsim.sh page) up to date. Ends with 77 (skipped) where node,
# Emscripten or the engine is missing.
node=$1 pnsim=$2 root=$3
skip() {
  echo "skipped: $1; ./pnsim.sh page installs what is missing and builds the engine"
  exit 77
}
"$node" --version >/dev/null 2>&1 || skip "node was not found when CMake configured the build"
command -v em++ >/dev/null || skip "em++ (Debian: emscripten) was not found"
[ -f "$root/build/wasm/build.ninja" ] || skip "the engine has not been built"
export NODE_PATH=/usr/share/nodejs
cmake --build "$root/build/wasm" --target engine_module -j 2 || exit 1
"$node" "$root/tests/web/equality.mjs" "$pnsim" "$root/build/page/engine.mjs" "$root" || exit 1
