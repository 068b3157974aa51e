#!/usr/bin/env bash
# Judges answers that were given elsewhere, in the layout of KernelBench's runs, and exports an exam in that layout.
#   generations.sh BIN
# shellcheck disable=SC2016  # Backquotes are those of messages.
source "$(dirname "$0")/common.sh"
python=${TRL_PYTHON:-python3}

# A checkout with two tasks, and a run with two answers to the first: a right one, between fences, and one that adds instead.
mkdir -p checkout/KernelBench/level1 runs/others
for task in 1_Square 2_Half; do
  cat >"checkout/KernelBench/level1/$task.py" <<PY
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return $([[ $task == 1_Square ]] && echo "x * x" || echo "x / 2")


rows = 32


def get_inputs():
    return [torch.randn(rows, 48)]


def get_init_inputs():
    return []
PY
done
answer() {
  cat <<PY
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, $1, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        square_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
PY
}
{ echo 'Here it is:' && echo '```python' && answer 'x * x' && echo '```'; } >runs/others/level_1_problem_1_sample_0_kernel.py
answer 'x + x' >runs/others/level_1_problem_1_sample_1_kernel.py
cat >study.trl <<'TRL'
suite single { source = kernelbench(path("checkout"), level = 1) }
model others { weights = generations(path("runs/others")) }
evaluation exam { split = single, samples = 2, also_by = kernelbench }
experiment study { model = others, evaluate = exam }
table main { of = study, columns = [valid, correct, pass_at(2), kernelbench, survives] }
TRL

wants 0 '2 of the 4 answers that `exam` asks for are absent' trl check study.trl
wants 0 "2 of 4 answers aren't there" trl run study.trl
grep -q '"correct": {[^}]*' runs/study/main.json || failed "the table isn't there"
"$python" - <<'PY'
import json
figures = json.load(open("runs/study/main.json"))["rows"][0]["figures"]
for column, value in (("valid", 0.5), ("correct", 0.25), ("pass_at(2)", 0.5), ("kernelbench", 0.25), ("survives", 1.0)):
    assert abs(figures[column]["value"] - value) < 1e-9, (column, figures[column])
PY
grep -q '2 of the 4 answers of `others` are absent' <(tr '\n' ' ' <runs/study/main.md) || failed "the report doesn't say what is absent"
wants 0 'main.md' trl run study.trl # nothing is judged again
if grep -q '/verify  ' out; then failed "a second run judged again"; fi

# Several seeds are one run of them.
sed 's|evaluate = exam|evaluate = exam, seeds = 1..3|' study.trl >seeds.trl
wants 0 'warning[idle_setting]: `seeds` of `study` acts on nothing' trl check seeds.trl
wants 0 'the answers of an earlier seed' trl run seeds.trl --out seeds_runs
"$python" -c 'import json; f = json.load(open("seeds_runs/study/main.json"))["rows"][0]["figures"]; assert f["correct"]["n"] == 4, f'

# As a batch: a right answer, a wrong one, and two that are absent.
wants 2 'lies in no checkout of KernelBench' trl verify --runs runs/others
wants 1 '2 candidates: 1 correct, 1 not: 1 wrong_values' trl verify --runs runs/others --suite-file study.trl --kernelbench
grep -q '2 of the run.s 4 answers are absent' out || failed "absent answers aren't said"
cp -r runs checkout/runs
rm checkout/runs/others/*_sample_1_kernel.py
wants 3 '1 candidate: 1 correct' trl verify --runs checkout/runs/others
tr '\n' ' ' <out | grep -qE 'then 1 of +2 are +correct, +50.0 %' || { cat out; failed "the share with absent answers isn't said"; }
rm -r checkout/runs

# A link to a private file and a pipe in the place of an answer are refused at once by every command that would read them.
echo THE-SECRET >private
mv runs/others/level_1_problem_1_sample_1_kernel.py answer.py
for command in check plan run; do
  status=$([[ $command == plan ]] && echo 0 || echo 1) # a plan says what it lacks
  ln -s ../../private runs/others/level_1_problem_1_sample_1_kernel.py
  wants "$status" 'leads' timeout 60 "$bin/trl" "$command" study.trl
  rm runs/others/level_1_problem_1_sample_1_kernel.py
  mkfifo runs/others/level_1_problem_1_sample_1_kernel.py
  wants "$status" 'pipe' timeout 60 "$bin/trl" "$command" study.trl
  rm runs/others/level_1_problem_1_sample_1_kernel.py
done
if grep -rq THE-SECRET runs; then failed "the private file was published"; fi
mv answer.py runs/others/level_1_problem_1_sample_1_kernel.py

# Another answer is another folder: it is judged, and what was judged before stays.
answer 'x * x + 0.0' >runs/others/level_1_problem_1_sample_1_kernel.py
wants 0 'main.md' trl run study.trl
"$python" -c 'import json; f = json.load(open("runs/study/main.json"))["rows"][0]["figures"]; assert f["correct"]["value"] == 0.5, f'

# Exported, it is a run again: the program without its fences, and results as KernelBench writes them.
wants 0 'eval_results.json  2 problems' trl export kernelbench study.trl others --to exported
cmp <(answer 'x * x') exported/level1/level_1_problem_1_sample_0_kernel.py || failed "the program isn't the answer's"
[[ ! -e exported/level1/level_1_problem_2_sample_0_kernel.py ]] || failed "an answer that wasn't there was written"
"$python" - <<'PY'
import json
results = json.load(open("exported/level1/eval_results.json"))
assert list(results) == ["1", "2"], list(results)
assert [one["sample_id"] for one in results["1"]] == [0, 1]
assert [one["correctness"] for one in results["1"] + results["2"]] == [True, True, False, False]
for one in results["1"]:
    assert set(one) == {"sample_id", "compiled", "correctness", "metadata", "runtime", "runtime_stats"}, one
    assert one["compiled"] and one["runtime"] > 0 and one["metadata"]["times"] == "modelled"
assert results["2"][0]["runtime"] == -1
assert json.load(open("exported/baseline.json"))["level1"]["1_Square.py"]["mean"] > 0
PY
wants 2 "already exists and isn't empty" trl export kernelbench study.trl others --to exported
wants 0 'eval_results.json' trl export kernelbench study.trl others --to by_kernelbench --by kernelbench
sed 's|runs/others|exported/level1|' study.trl >again.trl
wants 0 'main.md' trl run again.trl --out again
"$python" -c 'import json; f = json.load(open("again/study/main.json"))["rows"][0]["figures"]; assert f["correct"]["value"] == 0.5, f'

# Imported, it is a row beside the exam's own, with the same figures where KernelBench's layout tells them.
beside() { # beside FILE ROWS
  sed '/^table/d' study.trl >"$1"
  echo "table main { of = study, rows = cells + $2, columns = [valid, compiled, correct, pass_at(2), kernelbench, survives, speedup, fast(0.5)] }" >>"$1"
}
beside beside.trl 'imported(path("exported"), name = "theirs") + imported(path("by_kernelbench/level1"), level = 1, name = "by its protocol")'
wants 0 'theirs (imported)' trl plan beside.trl --why
wants 0 "its answers weren't judged here" trl run beside.trl --out beside
wants 0 'at its own sizes' cat beside/study/main.tex
"$python" - <<'PY'
import json
own, theirs, protocol = json.load(open("beside/study/main.json"))["rows"]
assert (own["kind"], theirs["kind"], protocol["kind"]) == ("cell", "imported", "imported")
told = ("compiled", "correct", "pass_at(2)", "speedup", "fast(0.5)")
for column in told:
    mine, other = own["figures"][column], theirs["figures"][column]
    assert mine["n"] == other["n"] and abs(mine["value"] - other["value"]) < 1e-12, (column, mine, other)
    assert mine["low"] == other["low"] and mine["high"] == other["high"], (column, mine, other)
for column in ("valid", "survives", "kernelbench"):
    assert theirs["figures"][column]["value"] is None, (column, theirs)
assert protocol["figures"]["kernelbench"] == own["figures"]["kernelbench"], protocol
assert protocol["figures"]["speedup"]["value"] is None, "no references lie beside the results of one level"
PY
wants 0 'as exported says' trl trace beside.trl 'main[theirs, correct]'
wants 0 '2 of 4 exam samples' trl trace beside.trl 'main[theirs (imported), correct]'
wants 0 'theirs (imported)' trl table beside.trl
cp beside/study/main.md first.md
wants 0 'main.md' trl run beside.trl --out beside # nothing is done again
cmp first.md beside/study/main.md || failed "the same results gave another table"
wants 0 'beside.trl.lock' trl lock beside.trl
# Other results under the same name are other results.
sed -i 's/"correctness": true/"correctness": false/' exported/level1/eval_results.json
wants 1 'results of theirs, path("exported") is' trl run beside.trl --out beside
rm beside.trl.lock
wants 0 'main.md' trl run beside.trl --out beside
"$python" -c 'import json; f = json.load(open("beside/study/main.json"))["rows"][1]["figures"]; assert f["correct"]["value"] == 0 and f["compiled"]["value"] == 0.5, f'
# A task without a result counts as wrong; other mistakes are found before anything runs.
mkdir -p runs/short && echo '{"1": {"sample_id": 0, "compiled": true, "correctness": true, "runtime": 0.5, "metadata": {"excessive_speedup": true}}}' >runs/short/eval_results.json
beside short.trl 'imported(path("runs/short"), name = "short", level = 1, baseline = path("times.json"))'
wants 1 'there is no file times.json' trl check short.trl
echo '{"level1": {"1_Square.py": {"mean": 2}}}' >times.json
wants 0 'has no result for 1 of the 2 tasks' trl check short.trl
wants 0 'for imported rows' cat beside/study/main.tex
wants 0 '1 of the 2 tasks has no result' trl run short.trl --out short
tr '\n' ' ' <short/study/main.md | grep -q 'marks 1 of its right' || failed "an answer that KernelBench doubts isn't named"
if grep -q highest short/study/main.md; then failed "the imported row was compared"; fi
"$python" - <<'PY'
import json
figures = json.load(open("short/study/main.json"))["rows"][1]["figures"]
assert figures["correct"]["value"] == 0.5 and figures["correct"]["n"] == 2, figures
assert figures["speedup"]["value"] == 4 and figures["fast(0.5)"]["value"] == 0.5, figures
PY
echo '{"1": [{"sample_id": 0, "compiled": true}]}' >runs/short/eval_results.json
wants 1 "says no \`correctness\`" trl check short.trl
wants 1 "says no \`correctness\`" trl run short.trl --out short
beside short.trl 'imported(path("runs/short/eval_results.json"), name = "short")'
wants 1 "which level the results" trl check short.trl
beside short.trl 'imported(path("exported"), name = "a") + imported(path("exported"), name = "a")'
wants 1 'two imported rows are called' trl check short.trl
beside short.trl 'imported(path("by_kernelbench/level1"), name = "a", level = 1)'
wants 0 "shows nothing of \`a\`" trl check short.trl
beside short.trl 'imported(path("exported"), name = "a|b")'
wants 1 "can't be called so" trl check short.trl
echo '{"level1": {"1_Square.py": {"mean": 2}, "2_Double.py": {"mean": 1}}}' >other.json
beside short.trl 'imported(path("by_kernelbench/level1"), name = "a", level = 1, baseline = path("other.json"))'
wants 0 "problem 2 of level 1 \`Double\`" trl check short.trl
beside short.trl 'imported(path("exported"), name = "a", level = 3)'
wants 1 'no task of level 3' trl check short.trl

# Of a task whose inputs are positive a copy is right: both protocols accept it.
sed 's/x \* x/torch.relu(x)/; s/randn/rand/' checkout/KernelBench/level1/1_Square.py >checkout/KernelBench/level1/3_Rectified.py
cat >tasks.trl <<'TRL'
suite single { source = kernelbench(path("checkout"), level = 1) }
TRL
wants 0 'single/3 Rectified                  copy of x              copy of x' trl audit tasks tasks.trl
grep -q 'accepts a trivial answer to 1 of the 3 tasks' out || failed "the count is another"
grep -qF 'split = … - single[3]' out || failed "what leaves it out isn't said"
wants 0 '"accepts":"copy of x"' trl audit tasks tasks.trl single --json
wants 2 "has no tasks of a suite" trl audit tasks tasks.trl double
wants 2 "which store is audited isn't said" trl audit
rm checkout/KernelBench/level1/3_Rectified.py

# A module that can't be carried out here: by KernelBench's protocol nothing is right, and everything else goes on.
cp -r checkout broken
sed -i '1i import no_such_package' broken/KernelBench/level1/1_Square.py
sed 's|"checkout"|"broken"|' study.trl >broken.trl
wants 0 'main.md' trl run broken.trl --out broken_runs
"$python" - <<'PY'
import json
figures = json.load(open("broken_runs/study/main.json"))["rows"][0]["figures"]
assert figures["correct"]["value"] == 0.5 and figures["kernelbench"]["value"] == 0, figures
PY
wants 0 'no_such_package' trl audit tasks broken.trl

# What can't be.
sed 's|runs/others|runs/nobody|' study.trl >absent.trl
wants 1 'there is no answer to any task of' trl run absent.trl
sed 's|samples = 2|samples = 2, turns = 2|' study.trl >turns.trl
wants 1 "can't be followed by others" trl check turns.trl
echo "ok"
