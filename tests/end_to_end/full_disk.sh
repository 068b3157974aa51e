#!/usr/bin/env bash
# The disk becomes full again and again while the real worker trains, samples and verifies. Each time `trl` reports it and
# ends with 1. Once there is space it continues, and in the end gives the figures of an undisturbed run.
#   full_disk.sh BIN FAILING_DISK.so [EVERY]     the disk is full after EVERY more changes of files each time; by default 89, and 13 where
#                                                TRL_LONG_TESTS is set
# The experiment has one cell of the miniature's: each kind of stage, and so each place that changes files, occurs in it. Its
# hundreds of changes are fewer, and the disk is full at shorter steps.
source "$(dirname "$0")/common.sh"
library=$2 every=${3:-$([[ -n ${TRL_LONG_TESTS:-} ]] && echo 13 || echo 89)}
sed -e '/controls = /d' -e '/vary     = /d' -e '/^hypothesis /d' -e 's/rows = cells + controls/rows = cells/' "$here/miniature.trl" >miniature.trl
wants 0 'main.md' trl run miniature.trl
cp -r runs/miniature first
cp -p runs/.store/secret secret.kept
rm -r runs
mkdir -p runs/.store
cp -p secret.kept runs/.store/secret

full=0 at=1
while :; do
  head -c 8 /dev/zero >counter
  status=0
  LD_PRELOAD=$library FAILING_DISK_UNDER=$scratch/runs FAILING_DISK_AT=$at FAILING_DISK_HOW=on FAILING_DISK_COUNTER=$scratch/counter \
    NO_COLOR=1 "$bin/trl" run miniature.trl >out 2>&1 || status=$?
  grep -qE 'Traceback|terminate called|what\(\):' out && { cat out; failed "a raw exception reached the user"; }
  changes=$(od -An -t u8 counter | tr -d ' ')
  if ((status == 0)); then
    ((changes < at)) || { cat out; failed "the disk was full from change $at of $changes on, and the run ended with 0"; }
    break
  fi
  ((status == 1)) || { cat out; failed "exit status $status when the disk was full"; }
  grep -qF 'No space left on device' out || { cat out; failed "the run didn't say that the disk is full"; }
  full=$((full + 1))
  # Each start gets further than the last one, since a stage with more changes than EVERY would otherwise never be done.
  at=$((at + every))
  ((full < 400)) || failed "no run came to its end"
done
diff <(figures runs/miniature) <(figures first) || failed "full disk $full times and resumed, the figures differ"
wants 0 ' 0 damaged' trl gc --verify
[[ -z $(find runs/.store -name 'tmp-*') ]] || failed "a failed run left something over"
echo "the disk was full $full times: the same figures"
