# Shared by the end-to-end scripts: a temporary folder, and checks with messages.
set -euo pipefail
bin=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
trl() { NO_COLOR=1 "$bin/trl" "$@"; }
failed() { printf 'FAILED: %s\n' "$*"; exit 1; }

# wants STATUS TEXT COMMAND…: the command ends with the status, and its output holds the text.
wants() {
  local status=$1 text=$2 got=0
  shift 2
  "$@" >out 2>&1 || got=$?
  [[ $got == "$status" ]] || { cat out; failed "exit status $got instead of $status: $*"; }
  grep -qF -- "$text" out || { cat out; failed "output lacks “$text”: $*"; }
  if grep -qE 'Traceback|terminate called|what\(\):' out; then cat out; failed "a raw exception reached the user: $*"; fi
}

# Digests of the figures that another run must repeat: tables without measured seconds.
figures() { (cd "$1" && find . -name '*.values.csv' -exec sha256sum {} + | sort -k 2); }
