#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: builds the fuzz targets with clang, then fuzzes each for so long.
# PNSIM_FUZZ_DIR (build/fuzz) keeps the build, the corpora and the findings. Ends with 77 without
# clang and libFuzzer, with 1 when there is a finding: it prints the file of the input, which
#   PNSIM_FUZZ_TARGET=TARGET build/fuzz/fuzz_target FILE
# replays.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(pages model template pnml net rows text)
dir=${PNSIM_FUZZ_DIR:-build/fuzz}
clang=
for name in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
  command -v "$name" >/dev/null || continue
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$name" -fsanitize=fuzzer -x c++ - -o /dev/null 2>/dev/null && clang=$name && break
done
[ -n "$clang" ] || { echo "skipped: found no clang++ with libFuzzer (Debian: clang)"; exit 77; }

[ -f "$dir/build.ninja" ] || {
  launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S . -B "$dir" -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DPNSIM_SANITIZE=fuzz \
    -DPNSIM_GPU=OFF "${launcher[@]}" >"$dir.log" 2>&1 || { cat "$dir.log" >&2; exit 70; }
  rm -f "$dir.log"
}
cmake --build "$dir" -j "${PNSIM_JOBS:-$(nproc)}" --target fuzz_target write_seeds -- --quiet >&2
"$dir/write_seeds" "$dir/seeds"

status=0
for target in "${targets[@]}"; do
  mkdir -p "$dir/corpus/$target" "$dir/found/$target"
  echo "== $target for $seconds s"
  PNSIM_FUZZ_TARGET=$target "$dir/fuzz_target" -max_total_time="$seconds" -timeout=60 \
    -rss_limit_mb=3000 -malloc_limit_mb=1500 -print_final_stats=1 -len_control=20 \
    -dict="$dir/seeds/$target.dict" -artifact_prefix="$dir/found/$target/" \
    "$dir/corpus/$target" "$dir/seeds/$target" >"$dir/$target.log" 2>&1 || status=1
  grep -E 'cov:' "$dir/$target.log" | tail -1 || true
  grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "$dir/$target.log" || true
  grep -E 'ERROR|SUMMARY|terminate|what\(\)|Test unit written' "$dir/$target.log" || true
done
exit $status
