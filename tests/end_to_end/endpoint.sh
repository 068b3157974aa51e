#!/usr/bin/env bash
# Evaluates a model that a server has: through every trouble that passes, killed in the middle, and where it isn't there.
#   endpoint.sh BIN
# shellcheck disable=SC2016  # Backquotes are those of messages.
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

# Replies without text, and replies that can't be read: what came is kept and counted by cause, and nothing ends the exam.
# One with half a character is judged. A later turn that is too long ends its episode.
rm -rf runs
serve fourth --trouble reasoning,refusal,stream,stream,half_a_pair --key sk-azure
study "$(cat fourth/port)" ', key_env = "SERVER_KEY", key_header = "api-key", concurrency = 1, attempts = 2, max_without_text = 50%,
    headers = [header("X-Title", "a study")], body = [field("chat_template_kwargs.enable_thinking", false), field("min_p", 0.1)]'
sed -i 's|/v1"|/v1?api-version=2024-10-21"|' study.trl
export SERVER_KEY=sk-azure
wants 0 'main.md' trl run study.trl
tr '\n' ' ' <runs/study/main.md | grep -qF '3 of 12 answers of qwen have no text: 1 only reasoning, 1 refusal, 1 unreadable; refusals, empty and cut-off ones count as wrong, no column counts the others.' ||
  { cat runs/study/main.md; failed "it isn't said how many answers have no text, and why"; }
"$python" - <<'PYTHON' || failed "what came isn't kept, or what was wanted isn't sent"
import glob, json
rows = [json.loads(line) for path in glob.glob('runs/.store/stages/*/*/answers.jsonl') for line in open(path)]
by_cause = {row['no_text']: row for row in rows if 'no_text' in row}
assert sorted(by_cause) == ['reasoning', 'refusal', 'unreadable'], by_cause
assert 'class ModelNew' in by_cause['reasoning']['reasoning'] and by_cause['reasoning']['answer_tokens'] == 200
assert by_cause['refusal']['refusal'].startswith("I can't help")
assert 'a stream of events, though `stream` is false: `data: ' in by_cause['unreadable']['trouble'], by_cause['unreadable']
assert any('# \ufffd \ufffd' in row['answer'] for row in rows)
log = [json.loads(line) for line in open('fourth/log.jsonl')]
assert {row['path'] for row in log} == {'/v1/chat/completions?api-version=2024-10-21'}
assert all(row['headers']['api-key'] == 'sk-azure' and row['headers']['x-title'] == 'a study' for row in log)
assert not any('authorization' in row['headers'] for row in log)
assert all(row['body']['chat_template_kwargs'] == {'enable_thinking': False} and row['body']['min_p'] == 0.1 for row in log)
PYTHON
grep -rqF sk- runs && failed "the key is in the results"
# Judged by the reasoning's last block: the same answers, of which nothing is asked for again.
sed -i 's/concurrency = 1,/concurrency = 1, judge_reasoning = true,/' study.trl
requests=$(wc -l <fourth/log.jsonl)
wants 0 'main.md' trl run study.trl
tr '\n' ' ' <runs/study/main.md | grep -qF '; refusals, empty and cut-off ones count as wrong, one that is only reasoning is judged by its last code block, no column counts the others.' ||
  { cat runs/study/main.md; failed "it isn't said what is judged"; }
[[ $(wc -l <fourth/log.jsonl) == "$requests" ]] || failed "answers were asked for again"
stop_serving
unset SERVER_KEY

# Too many of them: the stage stops early, says why and what to do, and goes on with what came.
rm -rf runs
serve fifth --always reasoning
study "$(cat fifth/port)" ', concurrency = 1'
wants 1 '2 of 12 answers have no text (2 only reasoning), more than `max_without_text`' trl run study.trl
grep -qF 'enable_thinking' out || { cat out; failed "nothing is said of what to do"; }
[[ $(wc -l <fifth/log.jsonl) == 2 ]] || failed "answers were asked for after it was clear"
study "$(cat fifth/port)" ', concurrency = 1, judge_reasoning = true'
wants 0 'main.md' trl run study.trl
[[ $(wc -l <fifth/log.jsonl) == 12 ]] || failed "answers that came were asked for again"
grep -qF '66.7' runs/study/main.md || { cat runs/study/main.md; failed "the reasoning isn't judged"; }
stop_serving

# A list of errors keeps its text; a later turn of which the server says that it is too long ends its episode.
rm -rf runs
serve sixth --trouble listed
study "$(cat sixth/port)" ', concurrency = 1'
wants 1 'body.seed: extra fields not permitted' trl run study.trl
stop_serving
serve sixth --trouble ,,,,,,,,,,, --always overlong
study "$(cat sixth/port)" ', concurrency = 1' 2
wants 0 'main.md' trl run study.trl
grep -rqE '"ended_by_context": ?4' runs/.store/stages/*/*/stage.json || failed "the episodes don't end"
stop_serving

# A first look at a server's model.
serve seventh --trouble ,reasoning --key sk-first
export SERVER_KEY=sk-first
wants 0 'tl.maximum(x, 0.0)' trl generate "http://127.0.0.1:$(cat seventh/port)/v1" --name qwen --key-env SERVER_KEY 'relu(x)' --max-tokens 99
wants 0 'an answer has no text: only reasoning' trl generate "http://127.0.0.1:$(cat seventh/port)/v1" --name qwen --key-env SERVER_KEY 'neg(x)' --json
grep -qF 'class ModelNew' out || { cat out; failed "the reasoning isn't shown"; }
grep -qF '"max_tokens": 99' seventh/log.jsonl || failed "the number of tokens isn't sent"
wants 2 '--name' trl generate http://127.0.0.1:1/v1 x
wants 2 'a server has this one' trl generate http://127.0.0.1:1/v1 --name q --raw x
wants 2 'MODEL is no address' trl generate windtunnel.base --name q x
wants 1 "isn't there" trl generate http://127.0.0.1:1/v1 --name q x
stop_serving
unset SERVER_KEY

rm -rf runs
study 1 ', concurrency = 1'
# Nobody there, and a server that refuses: the line, what it says, what to do.
wants 1 'study.trl:7:13: the server' trl run study.trl
grep -qF "isn't there" out || { cat out; failed "it isn't said that nobody is there"; }
serve third --trouble refused
study "$(cat third/port)" ', concurrency = 1'
wants 1 "Unsupported parameter: 'seed'" trl run study.trl
grep -qF 'study.trl:7:13' out || { cat out; failed "the line isn't named"; }
grep -qF "parameters" out || { cat out; failed "nothing is said of what to do"; }
echo "a server's model: every trouble that passes, killed, stopped, refused"
