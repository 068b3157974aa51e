#!/usr/bin/env bash
# packaging/cluster/ssh with stand-ins for ray and ssh, which write down what they were asked.   ssh_tests.sh ROOT
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
script=$1/packaging/cluster/ssh
failed() { printf 'FAILED: %s\n' "$*"; cat "$scratch/asked"; exit 1; }
printf '#!/bin/sh\necho "here: $*" >>%s/asked\n' "$scratch" >"$scratch/ray"
# shellcheck disable=SC2016  # The stand-in expands it.
printf '#!/bin/sh\nshift 2\necho "there: $*" >>%s/asked\ntest "$1" != broken\n' "$scratch" >"$scratch/ssh"
chmod +x "$scratch/ray" "$scratch/ssh"
export RAY=$scratch/ray TRL_SSH=$scratch/ssh
"$script" up one two
grep -q 'here: start --head .*--port=6379' "$scratch/asked" || failed "the head wasn't started"
for host in one two; do grep -q "there: $host $RAY start --address=.*:6379" "$scratch/asked" || failed "$host didn't join"; done
! "$script" up broken 2>"$scratch/errors" || failed "a host that doesn't join is no success"
grep -q "broken didn't join" "$scratch/errors" || failed "the message lacks the host"
"$script" down one broken 2>/dev/null
grep -q "there: one $RAY stop" "$scratch/asked" || failed "the other host goes on"
tail -n 1 "$scratch/asked" | grep -q '^here: stop' || failed "the head goes on"
[[ $("$script" 2>&1 || true) == *'up HOST'* ]] || failed "there is no usage"
echo "hosts join and leave"
