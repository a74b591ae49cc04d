#!/usr/bin/env bash
# Every recorded point, predicted anew, must give the stored prediction digit by digit.
#
#   tests/predictions/compare.sh PROGRAMS            compare with the stored predictions
#   tests/predictions/compare.sh PROGRAMS --store    store what is predicted now
#
# PROGRAMS is the folder of `pnsim` and `experiment`. A change that only moves code changes no line;
# one that changes the model stores its lines anew in the same commit.
set -euo pipefail
programs=$(cd "$1" && pwd)
cd "$(dirname "$0")"
stored=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for mode in warm cold; do
  nets=sm,wpnm
  [ "$mode" = cold ] && nets=sm
  "$programs/experiment" validate all --mode "$mode" --nets "$nets" --out "$work/$mode" >/dev/null
  # Program, problem, measured time, and the predicted time of each net.
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /(^|_)measured_us$|^"?(sm|wpnm)(: us|_us)/) take[++n] = i }
           { line = $1 " " $2; for (k = 1; k <= n; k++) line = line " " $take[k]; if (NR > 1) print line }' \
    "$work/$mode/points.csv" >"$work/$mode.txt"
done
for net in sm wpnm; do
  "$programs/pnsim" --model ../../models --net "$net" --csv="$work/folder.csv" >/dev/null
  awk -F, -v net="$net" 'NR > 1 { print net, $2, $3, $7, $8 }' "$work/folder.csv" >>"$work/folder.txt"
done
for folder in ../../experiments/others/*/; do
  name=$(basename "$folder")
  "$programs/experiment" validate --models "$folder/models" --times "$folder/times.csv" --device "${name##*_}" \
    --nets sm --csv="$work/others.csv" --out "$work/others" >/dev/null
  # The second cell of a launch, "ace launch 0, block 64x1x1", has a comma.
  awk -F, -v folder="$name" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sm_us") us = i + 1; next }
                             { print folder, NR - 2, $us }' "$work/others.csv" >>"$work/others.txt"
done

status=0
for list in warm cold folder others; do
  if [ "${2:-}" = --store ]; then
    cp "$work/$list.txt" "$stored/$list.txt"
  elif ! diff "$stored/$list.txt" "$work/$list.txt" >"$work/$list.diff"; then
    printf '%s: %s lines differ, the first of them:\n' "$list" "$(grep -c '^>' "$work/$list.diff")"
    head -n 10 "$work/$list.diff"
    status=1
  fi
  printf '%s: %s lines, checksum %s\n' "$list" "$(wc -l <"$work/$list.txt")" \
    "$(cksum <"$work/$list.txt" | cut -d' ' -f1)"
done
exit "$status"
