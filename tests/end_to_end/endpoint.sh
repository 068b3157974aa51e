#!/usr/bin/env bash
# Evaluates a model that a server has: through every trouble that passes, killed in the middle, and where it isn't there.
#   endpoint.sh BIN
source "$(dirname "$0")/common.sh"
python=${TRL_PYTHON:-python3}
server=''
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT

# serve FOLDER [OPTIONS]: starts the server, whose port is then in FOLDER/port.
serve() {
  mkdir -p "$1"
  rm -f "$1/port"
  "$python" "$here/../endpoint/server.py" "$@" &
  server=$!
  until [[ -s $1/port ]]; do kill -0 "$server" || failed "the server didn't start"; sleep 0.02; done
}
stop_serving() {
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=''
}
# study PORT [ARGUMENTS [TURNS]]: an exam of three tasks, of which the server knows two.
study() {
  cat >study.trl <<TRL
suite small {
  task rectified[M = 8, N = 32](x: f32[M, N]) = relu(x)
  task negated[M = 8, N = 32](x: f32[M, N]) = neg(x)
  task added[M = 8, N = 32](x: f32[M, N], y: f32[M, N]) = x + y
}
model judge {
  weights = endpoint("http://127.0.0.1:$1/v1", name = "qwen", price_in = 3 usd, price_out = 15 usd${2:-})
}
evaluation exam { split = small, samples = 4, max_tokens = 512, turns = ${3:-1} }
experiment study { model = judge, evaluate = exam }
table main { of = study, columns = [valid, correct, usd] }
TRL
}
# Rows of a log with some text.
logged() { grep -cF -- "$2" "$1/log.jsonl" || true; }

# Every trouble that passes, a second turn for the four answers that fail, and a key that nothing repeats.
serve first --trouble busy,dropped,garbage,truncated,busy --key sk-very-secret
study "$(cat first/port)" ', key_env = "SERVER_KEY", concurrency = 2' 2
wants 0 'SERVER_KEY' trl check study.trl
wants 1 'study.trl:7:13: the environment variable SERVER_KEY' trl run study.trl
export SERVER_KEY=sk-other
wants 1 'Incorrect API key provided: …' trl run study.trl
export SERVER_KEY=sk-very-secret
wants 0 'requests, but for repeated ones' trl plan study.trl --cost
grep -qE 'answers.* 12288$' out || { cat out; failed "the plan doesn't say how many tokens there are at most"; }
wants 0 'main.md' trl run study.trl
answered=$(logged first '"what": "answer"')
[[ $answered == 16 ]] || failed "there are 12 answers and 4 in later turns, and the server gave $answered"
for text in '66.7' '0.0528'; do grep -qF "$text" runs/study/main.md || { cat runs/study/main.md; failed "the table lacks $text"; }; done
grep -rqF sk- runs && failed "the key is in the results"
wants 0 'all done' trl run study.trl
stop_serving

# The same model elsewhere is the same model; without an answer to any question, nothing is asked.
study 1 ', key_env = "SERVER_KEY"' 2
wants 0 'all done' trl run study.trl
unset SERVER_KEY

# Killed in the middle: what was answered isn't asked for again.
rm -rf runs
serve second --delay 0.1
study "$(cat second/port)" ', concurrency = 2'
setsid "$bin/trl" run study.trl >killed.log 2>&1 &
runner=$!
until compgen -G 'runs/.store/checkpoints/*/answers.jsonl' >/dev/null && (($(cat runs/.store/checkpoints/*/answers.jsonl | wc -l) >= 4)); do
  kill -0 "$runner" || { cat killed.log; failed "it ended before it was killed"; }
  sleep 0.01
done
kill -9 "$runner"
{ wait "$runner" || true; } 2>/dev/null
# Its worker ends by itself, and has the journal until then.
journal=$(echo runs/.store/checkpoints/*/answers.jsonl)
until flock -n "$journal" true; do sleep 0.01; done
cp "$journal" had.jsonl
cp second/log.jsonl before.jsonl
wants 0 'are there from before' trl run study.trl
tail -n "+$(($(wc -l <before.jsonl) + 1))" second/log.jsonl >after.jsonl
"$python" - <<'PYTHON' || failed "an answer was asked for again"
import json
had = [json.loads(line) for line in open('had.jsonl')]
after = [json.loads(line)['asked'] for line in open('after.jsonl')]
again = {row['answer']['asked'] for row in had} & set(after)
print(f'killed with {len(had)} answers, {len(after)} asked for after that, {len(again)} of them again')
assert 4 <= len(had) < 12 and not again and len(had) + len(after) in (12, 13, 14)
PYTHON
[[ -z $(ls -A runs/.store/checkpoints) ]] || failed "the journal of a stored stage is left"
wants 0 ' 0 damaged' trl gc --verify

# Ctrl-C in the middle, then the rest.
rm -rf runs
rm second/log.jsonl && stop_serving
serve second --delay 0.2
study "$(cat second/port)" ', concurrency = 1'
"$bin/trl" run study.trl >stopped.log 2>&1 &
runner=$!
until compgen -G 'runs/.store/checkpoints/*/answers.jsonl' >/dev/null && [[ -s $(echo runs/.store/checkpoints/*/answers.jsonl) ]]; do sleep 0.01; done
kill -INT "$runner"
status=0
wait "$runner" || status=$?
[[ $status == 130 ]] || { cat stopped.log; failed "Ctrl-C ended it with $status"; }
grep -qF 'goes on' stopped.log || { cat stopped.log; failed "Ctrl-C says nothing of going on"; }
stop_serving

# Nobody there, and a server that refuses: the line, what it says, what to do.
wants 1 'study.trl:7:13: the server' trl run study.trl
grep -qF "isn't there" out || { cat out; failed "it isn't said that nobody is there"; }
serve third --trouble refused
study "$(cat third/port)" ', concurrency = 1'
wants 1 "Unsupported parameter: 'seed'" trl run study.trl
grep -qF 'study.trl:7:13' out || { cat out; failed "the line isn't named"; }
grep -qF "parameters" out || { cat out; failed "nothing is said of what to do"; }
echo "a server's model: every trouble that passes, killed, stopped, refused"
