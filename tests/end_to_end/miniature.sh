#!/usr/bin/env bash
# Trains, generates, verifies and reports for real; then runs again, regenerates, and survives kill -9.
#   miniature.sh BIN [KILLS]
source "$(dirname "$0")/common.sh"
kills=${2:-2}
cp "$here/miniature.trl" .

begun=$(date +%s%N)
wants 0 'main.md' trl run miniature.trl
whole=$((($(date +%s%N) - begun) / 1000000))
[[ -s runs/miniature/main.md && -s runs/miniature/main.csv && -s runs/miniature/main.json ]] || failed "the tables aren't there"
cp -r runs/miniature first

# A second run does nothing and changes nothing.
wants 0 'main.md' trl run miniature.trl
diff -r runs/miniature first || failed "the second run changed the report"

# The tables regenerate byte-identically from the store.
rm -r runs/miniature
wants 0 '' trl table miniature.trl
diff -r runs/miniature first || failed "trl table wrote other bytes"

# Killed at random moments and resumed with the same secret, the figures are the same.
secret=$(find runs/.store -maxdepth 1 -name 'secret*' -type f)
[[ -n $secret ]] || failed "no secret in the store"
cp "$secret" secret.kept
rm -rf runs
mkdir -p runs/.store && cp -p secret.kept "runs/.store/$(basename "$secret")"
struck=0
for ((i = 0; i < kills; ++i)); do
  setsid "$bin/trl" run miniature.trl >killed.log 2>&1 &
  victim=$!
  delay=$((500 + (RANDOM * 32768 + RANDOM) % (2 * whole / (kills + 1))))
  sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
  if pkill -9 -s "$victim"; then struck=$((struck + 1)); fi
  { wait "$victim" || true; } 2>/dev/null
done
((struck > 0)) || failed "none of the $kills kills struck while it ran"
wants 0 'main.md' trl run miniature.trl
[[ $(figures runs/miniature) == "$(figures first)" ]] || { diff -r runs/miniature first || true; failed "killed and resumed, the figures differ"; }
echo "first run $((whole / 1000)) s; killed $struck times and resumed: the same figures"
