#!/usr/bin/env bash
# Trains on answers that a server samples: adapters loaded and unloaded, killed and stopped in the middle, a server that refuses adapters,
# one that dies, one without log-probabilities or tokens, and SGLang's calls.
#   rollout.sh BIN
# shellcheck disable=SC2016  # Backquotes are those of messages.
source "$(dirname "$0")/common.sh"
python=${TRL_TEST_PYTHON:-python3}
tokenizer=$TRL_HOME/stdlib/windtunnel/tokenizer.json
server=''
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
"$python" -c 'import tokenizers' || { echo "skipped: $python has no tokenizers"; exit 77; }

# serve FOLDER [OPTIONS]: starts the server, whose port is then in FOLDER/port.
serve() {
  local folder=$1
  shift
  mkdir -p "$folder"
  rm -f "$folder/port"
  "$python" "$here/../endpoint/rollout_server.py" "$folder" "$tokenizer" "$@" &
  server=$!
  until [[ -s $folder/port ]]; do kill -0 "$server" || failed "the server didn't start"; sleep 0.02; done
}
stop_serving() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=''
}
# study PORT [ARGUMENTS]: two rounds on the answers of a server, after imitation.
study() {
  cat >study.trl <<TRL
import windtunnel
suite small {
  task rectified[M = 8, N = 32](x: f32[M, N]) = relu(x)
  task negated[M = 8, N = 32](x: f32[M, N]) = neg(x)
}
model base { weights = windtunnel.base }
lora writer { rank = 4 }
train imitate : sft {
  allow(too_few_steps, "a test: the steps, not what they teach")
  data = windtunnel.corpus(level1 = 4, exclude = windtunnel.level2[99..100]), batch = 4
}
train reinforce : grpo {
  allow(too_few_steps, "a test: the steps, not what they teach")
  tasks = small[1..2], rounds = 2, tasks_per_round = 2, candidates = 4, batch = 4, learning_rate = 3e-4
  temperature = 1, max_tokens = 512, mismatch = measure, reward(c) = if c.correct then 1 else 0
  rollout = endpoint("http://127.0.0.1:$1/v1", name = "base"${2:-})
}
evaluation exam { split = windtunnel.level2[99..100], max_tokens = 512 }
experiment study { model = base, adapter = writer, train = imitate -> reinforce, evaluate = exam }
table main { of = study, columns = [valid, correct, tokens] }
plot compared { of = study, y = sampling_ratio }
TRL
}
# A summary's field of each rollout, in the order of rounds.
of_rollouts() {
  "$python" - "$1" <<'PYTHON'
import glob, json, sys
stages = [json.load(open(path)) for path in glob.glob('runs/.store/stages/*/*/stage.json')]
for stage in sorted((one for one in stages if one['kind'] == 'rollout'), key=lambda one: one['spec']['round']):
    print(stage['summary'].get(sys.argv[1], 0))
PYTHON
}

# Two rounds, each with an adapter of its own, which is unloaded at its end.
serve first
study "$(cat first/port)"
wants 0 'takes adapters' trl doctor study.trl
rm first/log.jsonl && stop_serving && serve first
study "$(cat first/port)"
wants 0 '  rollout            2       0       2' trl plan study.trl
wants 0 'requests, but for repeated ones' trl plan study.trl --cost
wants 0 'main.md' trl run study.trl
"$python" - <<'PYTHON' || failed "the calls aren't those of two rounds"
import json
calls = [json.loads(line) for line in open('first/log.jsonl')]
assert [one['call'] for one in calls] == 2 * (['load'] + 8 * ['answer'] + ['unload']), [one['call'] for one in calls]
assert all(one['status'] == 200 for one in calls), calls
loads = [one for one in calls if one['call'] == 'load']
assert loads[0]['digest'] != loads[1]['digest'] and loads[0]['name'] != loads[1]['name'], loads
for number in (0, 1):
    round_ = calls[10 * number:10 * number + 10]
    assert {one['name'] for one in round_} == {loads[number]['name']}
    bodies = [one['body'] for one in round_ if one['call'] == 'answer']
    assert len({body['seed'] for body in bodies}) == 8 and {body['temperature'] for body in bodies} == {1}
    assert all(isinstance(token, int) for token in bodies[0]['prompt'])
PYTHON
for lacking in without_tokens without_scores other_prompts other_texts; do
  [[ $(of_rollouts $lacking) == $'0\n0' ]] || failed "the server's answers have $lacking"
done
"$python" - <<'PYTHON' || failed "the mismatch isn't reported"
import glob, json
told = {}
for path in glob.glob('runs/.store/stages/*/*/metrics.jsonl'):
    for row in map(json.loads, open(path)):
        told.setdefault(row['name'], []).append(row['value'])
assert told['sampled_share'] and set(told['sampled_share']) == {1.0}, told.get('sampled_share')
assert all(value > 0 and value != 1 for value in told['sampling_ratio'])
PYTHON
[[ -s runs/study/compared.csv ]] || failed "the mismatch isn't plotted"
wants 0 'all done' trl run study.trl
wants 0 ' 0 damaged' trl gc --verify
cp runs/study/main.values.csv first.csv
# The adapter that the second round trained.
adapter() { sha256sum "$(dirname "$(grep -l 'round 2/finetune' runs/.store/stages/*/*/stage.json)")/adapter_model.safetensors" | cut -d' ' -f1; }
trained=$(adapter)
stop_serving
# What no server's answer is needed for is made once: `afresh` forgets all training on answers, and nothing before it.
cp -r runs kept
rm -rf kept/study kept/.store/index.sqlite*
grep -lE '"slot": "[^"]*/reinforce/' kept/.store/stages/*/*/stage.json | xargs -n1 dirname | xargs rm -r
afresh() { rm -rf runs && cp -r kept runs; }
# The same server elsewhere is the same server: nothing is asked.
study 1
wants 0 'all done' trl run study.trl

# Killed in the middle of a round, it goes on with the answers that it has, and trains the same adapter.
afresh
serve second --delay 0.1
study "$(cat second/port)" ', concurrency = 1'
setsid "$bin/trl" run study.trl >killed.log 2>&1 &
runner=$!
until compgen -G 'runs/.store/checkpoints/*/answers.jsonl' >/dev/null && (($(cat runs/.store/checkpoints/*/answers.jsonl | wc -l) >= 3)); do
  kill -0 "$runner" || { cat killed.log; failed "it ended before it was killed"; }
  sleep 0.01
done
kill -9 "$runner"
{ wait "$runner" || true; } 2>/dev/null
journal=$(echo runs/.store/checkpoints/*/answers.jsonl)
until flock -n "$journal" true; do sleep 0.01; done
wants 0 'are there from before' trl run study.trl
[[ $(adapter) == "$trained" ]] || failed "a run in two pieces trained another adapter"
cmp runs/study/main.values.csv first.csv || failed "a run in two pieces has another table"
stop_serving

# Ctrl-C unloads the adapter.
afresh
serve third --delay 0.3
study "$(cat third/port)" ', concurrency = 1'
"$bin/trl" run study.trl >stopped.log 2>&1 &
runner=$!
until grep -qF '"call": "answer"' third/log.jsonl 2>/dev/null; do kill -0 "$runner" || { cat stopped.log; failed "it ended by itself"; }; sleep 0.01; done
kill -INT "$runner"
status=0
wait "$runner" || status=$?
[[ $status == 130 ]] || { cat stopped.log; failed "Ctrl-C ended it with $status"; }
[[ $(tail -1 third/log.jsonl) == *'"call": "unload", "status": 200'* ]] || { cat third/log.jsonl; failed "Ctrl-C leaves the adapter loaded"; }
stop_serving

# A server that dies in the middle, and then one that is there again.
serve fourth --die-after 3
study "$(cat fourth/port)" ', concurrency = 1, attempts = 2'
wants 1 'study.trl:16:13: the server http://127.0.0.1' trl run study.trl
server=''
serve fourth
study "$(cat fourth/port)" ', concurrency = 1, attempts = 2'
wants 0 'are there from before' trl run study.trl
[[ $(adapter) == "$trained" ]] || failed "a server that died made another adapter"
stop_serving

# A server that loads no adapters, or none of this rank.
afresh
serve fifth --refuse route
study "$(cat fifth/port)"
wants 1 'it says 404: Not Found' trl doctor study.trl
grep -qF 'serves the model' out || { cat out; failed "the doctor doesn't find the model"; }
sed 's/name = "base"/name = "other"/' study.trl >other.trl
wants 1 'does not exist' trl doctor other.trl
wants 1 'study.trl:16:13: the server' trl run study.trl
grep -qF 'VLLM_ALLOW_RUNTIME_LORA_UPDATING=True' out || { cat out; failed "nothing is said of how to start it"; }
stop_serving
serve sixth --refuse rank
study "$(cat sixth/port)"
wants 1 'Start it with --max-lora-rank 4' trl run study.trl
stop_serving

# A folder that both see, and a server without log-probabilities: training computes them alone.
serve seventh --no-logprobs
study "$(cat seventh/port)" ', adapters = path("shared")'
sed -i '/^plot/d' study.trl
wants 0 'the server gives no log-probabilities of 8 of 8 answers' trl run study.trl
[[ $(of_rollouts without_scores) == $'8\n8' ]] || failed "the summaries don't say that log-probabilities lack"
grep -qF "$scratch/shared/trl-" seventh/log.jsonl || failed "the adapter isn't copied to the folder"
[[ -z $(ls -A shared) ]] || failed "copies of adapters are left"
stop_serving
# Neither tokens: the text is encoded here.
afresh
serve eighth --no-tokens --no-logprobs
study "$(cat eighth/port)"
sed -i '/^plot/d' study.trl
wants 0 'the server gives no tokens of 8 of 8 answers' trl run study.trl
[[ $(of_rollouts without_tokens) == $'8\n8' ]] || failed "the summaries don't say that tokens lack"
stop_serving

# SGLang's calls.
afresh
serve ninth --kind sglang
study "$(cat ninth/port)" ', server = sglang, concurrency = 1'
wants 0 'main.md' trl run study.trl
"$python" - <<'PYTHON' || failed "the calls aren't SGLang's"
import json
calls = [json.loads(line) for line in open('ninth/log.jsonl')]
assert [one['call'] for one in calls] == 2 * (['load'] + 8 * ['answer'] + ['unload']), [one['call'] for one in calls]
assert all(one['body']['lora_path'].startswith('trl-') and one['body']['return_logprob'] for one in calls if one['call'] == 'answer')
PYTHON
[[ $(of_rollouts without_scores) == $'0\n0' ]] || failed "log-probabilities lack"
# The other kind's calls aren't there, which is said.
afresh
study "$(cat ninth/port)"
wants 1 'server = sglang' trl run study.trl
stop_serving
echo "rollouts: two rounds, killed, stopped, refused, dead, without log-probabilities, SGLang"
