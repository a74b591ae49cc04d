#!/bin/sh
# check_format.sh CLANG_FORMAT: whether all sources are as clang-format 14 writes them.
# Other versions break lines elsewhere: without version 14 this ends with 77 (skipped).
cd "$(dirname "$0")/../.." || exit 1
if ! version=$("$1" --version 2>/dev/null | head -n 1) || [ -z "$version" ]; then
  echo "skipped: no clang-format was found when CMake configured the build; install clang-format 14"
  exit 77
fi
case $version in
  *"version 14."*) ;;
  *)
    echo "skipped: found \"$version\", expected clang-format 14; other versions format otherwise"
    exit 77
    ;;
esac
if find simulator gpu experiments web/engine tests \( -name '*.h' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' \) \
    -print0 | xargs -0 "$1" --dry-run --Werror; then
  exit 0
fi
echo "format the files named above: clang-format -i FILE"
exit 1
