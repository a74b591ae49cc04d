#!/usr/bin/env bash
# deb.sh PACKAGES: makes a bare Debian 12 root, installs the packages of that folder there, and runs
# them as an ordinary user. Ends with 77 (skipped) where that cannot be done.
# `deb.sh --in-root` is what runs inside, as root.
set -euo pipefail

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
say() { printf '\n== %s\n' "$*"; }

# Prints a command of an ordinary user and what it prints; it must end with this exit code.
as_user() {
  local code=0 wanted=$1
  shift
  printf '$ %s\n' "$*"
  setpriv --reuid=user --regid=user --clear-groups env -C /home/user HOME=/home/user \
    bash -c "$*" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "$*: found exit code $code, expected $wanted"
}

try_in_root() {
  export DEBIAN_FRONTEND=noninteractive
  local apt="apt-get -y -o Dpkg::Use-Pty=0 --no-install-recommends"
  useradd --create-home user
  say "installing"
  apt-get update -qq 2>/dev/null
  $apt install /packages/pnsim_*.deb
  dpkg-query -W -f='${Package} ${Version}, ${Installed-Size} KiB installed\n' pnsim
  if ldd /usr/bin/pnsim /usr/bin/experiment | grep 'not found'; then fail "a library is missing"; fi

  say "as an ordinary user"
  as_user 0 pnsim --model norm_group
  as_user 0 'pnsim doctor | grep "data folder"'
  as_user 0 'experiment run radix_report --out rows >summary && ls rows'
  as_user 74 experiment calibrate radix
  as_user 0 'cp -r /usr/share/pnsim pnsim-data && PNSIM_HOME=~/pnsim-data experiment calibrate radix'
  as_user 4 'PNSIM_HOME=/tmp pnsim models'

  say "building the example with libpnsim-dev"
  $apt -qq install /packages/libpnsim-dev_*.deb cmake g++ make >/dev/null
  as_user 0 'cmake -S /usr/share/doc/pnsim/examples/predict -B build >log && cmake --build build >log'
  as_user 0 build/predict norm_group

  say "manual pages and completion"
  $apt -qq install man-db zsh fish bash-completion >/dev/null
  as_user 0 'gzip -t /usr/share/man/man1/pnsim.1.gz && man pnsim | sed -n 1,6p'
  as_user 0 'bash -ic ". /usr/share/bash-completion/bash_completion; _completion_loader pnsim; complete -p pnsim"'
  as_user 0 "zsh -c 'autoload -U compinit; compinit -D; print \${_comps[pnsim]}' | grep -x _pnsim"
  as_user 0 'fish -c "complete -C \"pnsim --model norm_\""'

  say "removing"
  $apt -qq purge libpnsim-dev pnsim >/dev/null
  [ -z "$(find /usr -path '*pnsim*' ! -path '/usr/lib/debug*' -print -quit)" ] ||
    fail "left behind: $(find /usr -path '*pnsim*')"
}

if [ "${1:-}" = --in-root ]; then
  try_in_root
  exit
fi

packages=${1:?usage: deb.sh PACKAGES}
ls "$packages"/pnsim_*.deb "$packages"/libpnsim-dev_*.deb >/dev/null 2>&1 ||
  skip "no packages in $packages; ./pnsim.sh package makes them"
[ "$(id -u)" = 0 ] || skip "a bare root needs root"
for tool in debootstrap unshare chroot; do
  command -v $tool >/dev/null || skip "$tool is missing; apt-get install debootstrap util-linux"
done
# The archive of this machine's own apt.
archive=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
  awk '$2 == "bookworm" && $3 == "main" {print $1; exit}')
[ -n "$archive" ] || skip "apt on this machine knows no Debian 12 (bookworm) archive"

root=$(mktemp -d)
# Nothing is mounted outside of the namespace below, so that this removes the root alone.
trap 'rm -rf --one-file-system "$root"' EXIT
say "making a bare root"
debootstrap --variant=minbase bookworm "$root" "$archive" >"$root.log" 2>&1 ||
  { tail -5 "$root.log" >&2; rm -f "$root.log"; skip "debootstrap could not make a root"; }
rm -f "$root.log" "$root/etc/apt/sources.list"
chmod 755 "$root"
# The sources, proxy and keys of this machine's apt.
cp -rL /etc/apt/. "$root/etc/apt/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages/"
cp "$0" "$root/packages/deb.sh"
ls -l "$root/packages" | awk 'NR > 1 && /deb$/ {print $9 ": " $5 " bytes"}'
unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" \
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  HOME=/root LANG=C.UTF-8 bash /packages/deb.sh --in-root
