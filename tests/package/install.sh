#!/usr/bin/env bash
# install.sh BUILD SOURCE: installs the build into a folder whose name has blanks, moves it, and
# tries there what users do. The programs must find nothing of the repository: taken their data,
# they fail.
set -euo pipefail
build=$1 source=$2 cmake=${CMAKE:-cmake}
unset PNSIM_HOME PNSIM_MODEL_PATH
scratch=$(mktemp -d "$build/package-test.XXXXXX")
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# expect CODE TEXT COMMAND...: the exit code, and a text in stdout or stderr.
expect() {
  local code=0 output wanted=$1 text=$2
  shift 2
  output=$("$@" 2>&1) || code=$?
  [ "$code" = "$wanted" ] || fail "$* : found exit code $code, expected $wanted; it said: $output"
  case $output in
    *"$text"*) ;;
    *) fail "$* : expected \"$text\" in: $output" ;;
  esac
}

"$cmake" --install "$build" --prefix "$scratch/first place" >"$scratch/install.log"
mkdir "$scratch/empty"
mv "$scratch/first place" "$scratch/second place"
prefix="$scratch/second place" share="$scratch/second place/share"
cd "$scratch/empty"

# The programs, from anywhere and through a link.
expect 0 "measured time           3.633 us" "$prefix/bin/pnsim" --model norm_group --net sm
expect 0 "$share/pnsim" "$prefix/bin/pnsim" doctor
expect 0 "norm_group" "$prefix/bin/experiment" list
expect 0 "homework" "$prefix/bin/experiment" table homework
ln -s "$prefix/bin/pnsim" link
expect 0 "$share/pnsim" ./link doctor
rm link

# A manual page has each command of --help.
for program in pnsim experiment; do
  gzip -dc "$share/man/man1/$program.1.gz" >page
  commands=$("$prefix/bin/$program" complete "")
  while IFS=$'\t' read -r command _; do
    grep -qx ".SS \"$program $command\"" page || fail "$program.1 has no section of $command"
  done <<<"$commands"
  if command -v groff >/dev/null; then
    warnings=$(groff -man -Tascii -ww -z page 2>&1)
    [ -z "$warnings" ] || fail "groff finds in $program.1: $warnings"
  fi
  rm page
done

# Pages that were not built yet are made by the installation.
rm "$build"/pnsim.1.gz "$build"/experiment.1.gz
"$cmake" --install "$build" --component programs --prefix "$scratch/again" >"$scratch/install.log"
for program in pnsim experiment; do
  [ -s "$scratch/again/share/man/man1/$program.1.gz" ] || fail "no manual page of $program"
done
rm -r "$scratch/again"

# Completion by bash, as the shell calls it.
completed() {
  PATH="$prefix/bin:$PATH" bash -c '
    compopt() { :; }  # which exists during a completion only
    source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _pnsim pnsim; printf "%s " "${COMPREPLY[@]}"' \
    bash "$share/bash-completion/completions/pnsim" "$1"
}
[ "$(completed "pnsim sens")" = "sensitivity " ] || fail "bash does not complete sensitivity"
[ "$(completed "pnsim --model norm_")" = "norm_base norm_group " ] || fail "no models in bash"
[ "$(completed "pnsim run x --net=s")" = "sm " ] || fail "no nets in bash"
for file in zsh/site-functions/_pnsim fish/vendor_completions.d/pnsim.fish; do
  [ -f "$share/$file" ] || fail "$file was not installed"
done

# A program of one's own, by find_package.
"$cmake" -S "$share/doc/pnsim/examples/predict" -B build -G Ninja -D CMAKE_BUILD_TYPE=Debug \
  -D CMAKE_PREFIX_PATH="$prefix" >"$scratch/example.log" || { cat "$scratch/example.log"; exit 1; }
"$cmake" --build build >"$scratch/example.log" || { cat "$scratch/example.log"; exit 1; }
expect 0 "us measured" build/predict norm_group
expect 3 'did you mean "norm_group"?' build/predict norm_grou
rm -r build

# Wrong settings, and a part of an installation.
expect 4 "PNSIM_HOME=/nonsense holds no models/nets folder" \
  env PNSIM_HOME=/nonsense "$prefix/bin/pnsim" --model norm_group
rm "$share/pnsim/models/"*.json
expect 3 "nothing is shipped in $share/pnsim/models" "$prefix/bin/pnsim" --model norm_group
rm -r "$share/pnsim/models/nets"
expect 0 "$share/pnsim holds no models/nets folder. Install pnsim again" "$prefix/bin/pnsim" doctor
[ -z "$(ls)" ] || fail "left in the current folder: $(ls)"
