# Sourced by ./run and ./test: installs what is missing, quietly.

say() { printf '%s\n' "salotto: $*"; }
die() {
  printf '%s\n' "salotto: $*" >&2
  exit 1
}

# usage "$@": with --help the comment at the head of the script is printed, and nothing done; another option is
# an error.
usage() {
  case ${1-} in
  -h | --help) status=0 ;;
  -*) status=2 ;;
  *) return 0 ;;
  esac
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&$((status == 0 ? 1 : 2))
  exit $status
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  fi
}

# have PACKAGE: installed already?
have() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need PACKAGE...: installs the ones that are not there.
need() {
  command -v dpkg-query >/dev/null 2>&1 ||
    die "this is not Debian; install the counterparts of: $*; then run meson by hand (see README.md)"
  missing=
  for package in "$@"; do
    have "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  missing=${missing# }
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    die "packages are missing; as root: apt-get install --no-install-recommends $missing"
  fi
  say "installing: $missing"
  log=$(mktemp)
  # shellcheck disable=SC2086 # the list is meant to be split
  if ! { as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
      --no-install-recommends $missing >"$log" 2>&1 ||
    { as_root apt-get update >"$log" 2>&1 &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends $missing >>"$log" 2>&1; }; }; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "the packages could not be installed"
  fi
  rm -f "$log"
}

# Debian 12 has llhttp as the sources that Node needs, later ones as a library.
llhttp=libllhttp-dev
if [ "$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9]*\).*/\1/p' /etc/os-release 2>/dev/null)" = 12 ]; then
  llhttp=node-llhttp
fi
build_packages="gcc libc6-dev meson ninja-build pkgconf gettext libsodium-dev libjansson-dev \
libuv1-dev libncurses-dev libedit-dev libcurl4-openssl-dev libwslay-dev scdoc $llhttp \
libsqlite3-dev libpq-dev libicu-dev libssl-dev clang lld wasi-libc libclang-rt-dev-wasm32"
# For the pages Debian's Node, unless there is one that will do.
major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
if [ "${major:-0}" -lt 18 ] || ! command -v npm >/dev/null 2>&1; then
  build_packages="$build_packages nodejs npm"
fi

# build DIRECTORY OPTION...: sets up and builds, silent unless it fails.
build() {
  directory=$1
  shift
  log=$(mktemp)
  if [ ! -f "$directory/build.ninja" ]; then
    say "setting up $directory"
    rm -rf "$directory"
    meson setup "$directory" "$@" >"$log" 2>&1 || {
      cat "$log" >&2
      rm -f "$log"
      die "the build could not be set up"
    }
  fi
  say "building $directory"
  ninja -C "$directory" >"$log" 2>&1 || {
    grep -v '^\[' "$log" >&2
    rm -f "$log"
    die "the build failed"
  }
  rm -f "$log"
}

# pages: what the lock file of the pages for browsers names, if it has changed.
pages() {
  if ! cmp -s web/package-lock.json web/node_modules/.salotto-lock; then
    say "installing: web/node_modules"
    log=$(mktemp)
    if ! (cd web && npm ci --no-audit --no-fund >"$log" 2>&1); then
      tail -n 20 "$log" >&2
      rm -f "$log"
      die "the parts of the pages could not be installed"
    fi
    rm -f "$log"
    cp web/package-lock.json web/node_modules/.salotto-lock
  fi
}
