#!/usr/bin/env bash
# Trains, samples, verifies and reports for real; then runs again, writes the tables again, and survives kill -9 of its processes.
#   miniature.sh BIN [KILLS]     from 10 kills on, an undisturbed run from nothing is also compared
source "$(dirname "$0")/common.sh"
kills=${2:-2}
cp "$here/miniature.trl" .
now_ms() { echo $(($(date +%s%N) / 1000000)); }

begun=$(now_ms)
wants 0 'main.md' trl run miniature.trl
whole=$(($(now_ms) - begun))
[[ -s runs/miniature/main.md && -s runs/miniature/main.csv && -s runs/miniature/main.json ]] || failed "the tables aren't there"
cp -r runs/miniature first
cp -p runs/.store/secret secret.kept

# A second run does nothing and changes nothing.
begun=$(now_ms)
wants 0 'all done' trl run miniature.trl
idle=$(($(now_ms) - begun))
diff -r runs/miniature first || failed "the second run changed the report"
wants 0 ' 0 damaged' trl gc --verify

# The tables regenerate byte-identically from the store.
rm -r runs/miniature
wants 0 '' trl table miniature.trl
diff -r runs/miniature first || failed "trl table wrote other bytes"

# The exams' verdicts can be computed from their plans alone, in a copy without models, candidates and training.
mkdir -p copy/.store/stages
cp -rp runs/miniature copy/
cp -p runs/.store/secret copy/.store/
grep -lE '"kind": "(verify|tasks|draw)"' runs/.store/stages/*/*/stage.json >judged_again
while IFS= read -r stage; do
  folder=$(dirname "${stage#runs/}")
  mkdir -p "copy/$folder"
  cp "runs/$folder"/* "copy/$folder/"
done <judged_again
wants 0 ' agree, 0 differ' trl audit copy/.store miniature

# Killed while it trains, it goes on at its checkpoint and makes the same adapter and the same metrics.
trained=$(dirname "$(grep -l '"slot": "none/seed 1/imitate/finetune"' runs/.store/stages/*/*/stage.json)")
[[ -s $trained/metrics.jsonl ]] || failed "the stage that trains isn't there"
mv "$trained" trained.first
resumed=''
for _ in 1 2 3 4 5; do
  rm -rf "$trained" runs/.store/checkpoints
  setsid "$bin/trl" run miniature.trl --checkpoint-every 0 >killed.log 2>&1 &
  runner=$!
  until compgen -G 'runs/.store/checkpoints/*/training.safetensors' >/dev/null || ! kill -0 "$runner" 2>/dev/null; do sleep 0.01; done
  kill -9 "$runner" 2>/dev/null || true
  { wait "$runner" || true; } 2>/dev/null
  [[ ! -e $trained ]] || continue # it was done before it was killed
  wants 0 'main.md' trl run miniature.trl
  resumed=$(grep -oE 'goes on after [0-9]+ of [0-9]+ steps' out || true)
  break
done
[[ -n $resumed ]] || failed "a run that was killed while it trained didn't go on at its checkpoint"
for file in adapter_model.safetensors metrics.jsonl; do
  cmp "$trained/$file" "trained.first/$file" || failed "trained in two pieces, $file is another"
done
[[ -z $(ls -A runs/.store/checkpoints) ]] || failed "a checkpoint is left of a stage that is stored"
echo "killed while it trained: $resumed, the same bytes"

# From here on, every run starts with an empty store that has the same secret.
from_nothing() {
  rm -rf runs
  mkdir -p runs/.store
  cp -p secret.kept runs/.store/secret
}
same_figures() {
  [[ $(figures runs/miniature) == "$(figures first)" ]] || { diff -rq runs/miniature first || true; failed "$1, the figures differ"; }
}
if ((kills >= 10)); then
  from_nothing
  wants 0 'main.md' trl run miniature.trl
  same_figures "re-run from nothing"
  echo "re-run from nothing with the same secret: the same figures"
fi

# The oldest process of a run's session with this role. The recorder and the compiler fork a child for each candidate. A
# child's death is part of a verdict, so only the services themselves are killed.
process_of() {
  case $2 in
    trl) echo "$1" ;;
    worker) pgrep -o -s "$1" -f 'trl-worker --protocol-fd' ;;
    *) pgrep -o -s "$1" -f "$2/$2.py" ;;
  esac
}

alive() { [[ -n $1 && -r /proc/$1/stat && $(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) != Z ]]; }

# Kills one process at a time at random moments, and starts trl again whenever it has ended.
roles=(trl worker recorder compiler)
declare -A struck=([trl]=0 [worker]=0 [recorder]=0 [compiler]=0)
total=0 finished=0 runner=
from_nothing
while ((total < kills)); do
  if ! alive "$runner"; then
    status=-1
    if [[ -n $runner ]]; then
      status=0
      { wait "$runner" || status=$?; } 2>/dev/null
      grep -qE 'Traceback|terminate called|what\(\):' killed.log && { cat killed.log; failed "a raw exception reached the user"; }
    fi
    if ((status == 0)); then
      same_figures "killed $total times"
      finished=$((finished + 1))
      from_nothing
    fi
    # Two workers give the figures that one gave.
    setsid "$bin/trl" run miniature.trl --workers 2 >killed.log 2>&1 &
    runner=$!
  fi
  delay=$((200 + (RANDOM * 32768 + RANDOM) % (whole / 3)))
  sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
  role=${roles[RANDOM % ${#roles[@]}]}
  victim=''
  ! alive "$runner" || victim=$(process_of "$runner" "$role") || continue
  if [[ -n $victim ]] && kill -9 "$victim" 2>/dev/null; then
    struck[$role]=$((struck[$role] + 1)) total=$((total + 1))
  fi
done
{ wait "$runner" || true; } 2>/dev/null
wants 0 'main.md' trl run miniature.trl
same_figures "killed $total times and resumed"
wants 0 ' 0 damaged' trl gc --verify
[[ -z $(find runs/.store -name 'tmp-*') ]] || failed "a killed run left something over"
echo "first run $((whole / 1000)) s, a run with nothing to do $idle ms"
echo "killed $total times (trl ${struck[trl]}, worker ${struck[worker]}, recorder ${struck[recorder]}, compiler ${struck[compiler]})" \
  "in $((finished + 1)) runs from nothing: the same figures each time"
