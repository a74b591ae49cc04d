#!/bin/sh
# browser.sh NODE PNSIM ROOT: the built page in Chromium, compared with the program PNSIM. Ends with
# 77 (skipped) where node, Chromium, the page or its packages are missing.
node=$1 pnsim=$2 root=$3
skip() {
  echo "skipped: $1; ./pnsim.sh page installs what is missing and builds the page"
  exit 77
}
"$node" --version >/dev/null 2>&1 || skip "node was not found when CMake configured the build"
command -v chromium >/dev/null || skip "chromium was not found"
[ -f "$root/build/page/pnsim.html" ] || skip "the page has not been built"
[ -d "$root/web/page/node_modules/playwright-core" ] || skip "the packages of the page's tests are missing"
cd "$root/web/page" || exit 1
PNSIM="$pnsim" exec "$node" --test tests/
