#include "tests/language/habits.hpp"

namespace trl::language::test {

std::vector<Habit> habits() {
  return {
      {R"^(lr)^",
       R"^(import example
import windtunnel
train t : example.reinforce { lr = 1e-4 }
experiment e : example.study { train = t }
)^",
       {"`learning_rate`"}},
      {R"^(lora_alpha)^",
       R"^(import example
import windtunnel
lora a { lora_alpha = 32 }
experiment e : example.study { adapter = a }
)^",
       {"`alpha`"}},
      {R"^(num_candidates)^",
       R"^(import example
import windtunnel
train t : example.reinforce { num_candidates = 8 }
experiment e : example.study { train = t }
)^",
       {"`candidates`"}},
      {R"^(eval)^",
       R"^(import example
import windtunnel
train t : example.reinforce {}
experiment e { model = example.base, adapter = example.writer, train = t, eval = example.exam }
)^",
       {"`evaluate`"}},
      {R"^(eval kind)^",
       R"^(import example
import windtunnel
eval exam : example.exam {}
experiment e : example.study { evaluate = exam }
)^",
       {"`evaluation`"}},
      {R"^(fields in a group)^",
       R"^(import example
train t : example.reinforce { sampling { temperature = 1, max_tokens = 128 } }
experiment e : example.study { train = t }
)^",
       {"directly"}},
      {R"^(range by a minus)^",
       R"^(import example
split a = example.hard[1-4]
evaluation x : example.exam { split = a }
experiment e : example.study { evaluate = x }
)^",
       {"`[1..4]`"}},
      {R"^(do_sample)^",
       R"^(import example
evaluation x : example.exam { do_sample = false }
experiment e : example.study { evaluate = x }
)^",
       {"`temperature = 0`"}},
      {R"^(train_split)^",
       R"^(import example
experiment e : example.study { train_split = example.easy }
)^",
       {"`tasks = seen`", "`split = held_out`"}},
      {R"^(test_split)^",
       R"^(import example
experiment e : example.study { test_split = example.hard }
)^",
       {"`split = held_out`"}},
      {R"^(adam_beta1)^",
       R"^(import example
train t : example.reinforce { adam_beta1 = 0.9 }
experiment e : example.study { train = t }
)^",
       {"0.9 and 0.999"}},
      {R"^(adam_beta2)^",
       R"^(import example
train t : example.reinforce { adam_beta2 = 0.95 }
experiment e : example.study { train = t }
)^",
       {"0.9 and 0.999"}},
      {R"^(decimal comma)^",
       R"^(import example
lora l : example.writer { dropout = 0,05 }
experiment e : example.study { adapter = l }
)^",
       {"a decimal point"}},
      {R"^(list of evaluations)^",
       R"^(import example
experiment e : example.study { evaluate = [example.exam, example.exam] }
)^",
       {"one evaluation", "experiment NAME : BASE"}},
      {R"^(list of models)^",
       R"^(import example
experiment e : example.study { model = [example.base, example.base] }
)^",
       {"one model", "grid(base.weights"}},
      {R"^(boolean as number)^",
       R"^(import example
train t : example.reinforce { reward(c) = if c.correct == 1 then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"`c.correct`", "needs no comparison"}},
      {R"^(True)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct == True then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"`true`"}},
      {R"^(None)^",
       R"^(import example
import windtunnel
model m : example.base { quantize = None }
experiment e : example.study { model = m }
)^",
       {"`none`", "leave the field out"}},
      {R"^(?:)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = c.correct ? 1 : 0 }
experiment e : example.study { train = t }
)^",
       {"if condition then a else b"}},
      {R"^(1 if c else 0)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = 1 if c.correct else 0 }
experiment e : example.study { train = t }
)^",
       {"if condition then a else b"}},
      {R"^(range(3))^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = range(3) }
)^",
       {"1..3"}},
      {R"^(rows list)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1..3 }
table m { of = e, rows = [cells, controls] }
)^",
       {"cells + controls"}},
      {R"^(weights text)^",
       R"^(import example
import windtunnel
model m { weights = "Qwen/Qwen2.5-Coder-7B-Instruct" }
experiment e : example.study { model = m }
)^",
       {"huggingface(", "path("}},
      {R"^(vllm_server_base_url)^",
       R"^(import example
train t : example.reinforce { vllm_server_base_url = "http://localhost:8000" }
experiment e : example.study { train = t }
)^",
       {"`rollout = endpoint(\"http://…/v1\""}},
      {R"^(base_url of a model)^",
       R"^(import example
model m { weights = random(), base_url = "http://localhost:8000/v1" }
experiment e { model = m, evaluate = example.exam }
)^",
       {"endpoint(\"http://…/v1\""}},
      {R"^(api_key of a model)^",
       R"^(import example
model m { weights = random(), api_key = "sk-1" }
experiment e { model = m, evaluate = example.exam }
)^",
       {"key_env"}},
      {R"^(enable_thinking of endpoint(…))^",
       R"^(import example
model m { weights = endpoint("http://localhost:8000/v1", name = "q", enable_thinking = false) }
experiment e { model = m, evaluate = example.exam }
)^",
       {"field(\"chat_template_kwargs.enable_thinking\", false)"}},
      {R"^(extra_body of endpoint(…))^",
       R"^(import example
model m { weights = endpoint("http://localhost:8000/v1", name = "q", extra_body = "x") }
experiment e { model = m, evaluate = example.exam }
)^",
       {"body = [field("}},
      {R"^(api_version of endpoint(…))^",
       R"^(import example
model m { weights = endpoint("http://localhost:8000/v1", name = "q", api_version = "2024-10-21") }
experiment e { model = m, evaluate = example.exam }
)^",
       {"?api-version=2024-10-21"}},
      {R"^(weights = openai(…))^",
       R"^(import example
model m { weights = openai("gpt-5") }
experiment e { model = m, evaluate = example.exam }
)^",
       {"endpoint(\"http://…/v1\""}},
      {R"^(rank: 8)^",
       R"^(import example
import windtunnel
lora a { rank: 8 }
experiment e : example.study { adapter = a }
)^",
       {"= fix: lora a { rank = 8 }"}},
      {R"^(// comment)^",
       R"^(import example
import windtunnel
// a comment
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`#` begins a comment"}},
      {R"^(// trailing)^",
       R"^(import example
import windtunnel
lora a { rank = 8 // the rank
 }
experiment e : example.study { adapter = a }
)^",
       {"`#` begins a comment"}},
      {R"^(pass@1)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1..3 }
table m { of = e, columns = [pass@1] }
)^",
       {"`pass_at(1)`"}},
      {R"^(inline sft)^",
       R"^(import example
import windtunnel
experiment e : example.study { train = sft { epochs = 2 } }
)^",
       {"train name : sft { … }", "train = name"}},
      {R"^(tritonrl)^",
       R"^(import example
import windtunnel
train t : tritonrl { tasks = example.easy, max_tokens = 256 }
experiment e : example.study { train = t }
)^",
       {"`grpo`", "plan_reward(c)"}},
      {R"^(num_epochs)^",
       R"^(import example
import windtunnel
train t : example.reinforce { num_epochs = 2 }
experiment e : example.study { train = t }
)^",
       {"`epochs`"}},
      {R"^(num_train_epochs)^",
       R"^(import example
import windtunnel
train t : example.reinforce { num_train_epochs = 2 }
experiment e : example.study { train = t }
)^",
       {"`epochs`"}},
      {R"^(per_device)^",
       R"^(import example
import windtunnel
train t : example.reinforce { per_device_train_batch_size = 2 }
experiment e : example.study { train = t }
)^",
       {"`micro_batch`", "`batch`"}},
      {R"^(gas)^",
       R"^(import example
import windtunnel
train t : example.reinforce { gradient_accumulation_steps = 4 }
experiment e : example.study { train = t }
)^",
       {"`accumulation`"}},
      {R"^(warmup_ratio)^",
       R"^(import example
import windtunnel
train t : example.reinforce { warmup_ratio = 0.1 }
experiment e : example.study { train = t }
)^",
       {"`warmup`"}},
      {R"^(turns where there are none)^",
       R"^(import example
train t : dpo { tasks = example.easy, max_tokens = 256, turns = 3 }
experiment e : example.study { train = t }
)^",
       {"`turns` is a field of `evaluation`, `best_of_n`, `grpo` and `policy_gradient`"}},
      {R"^(turns of imitation)^",
       R"^(import example
import windtunnel
train t : sft { data = windtunnel.corpus(level1 = 200), turns = 3 }
experiment e : example.study { train = t }
)^",
       {"`turns` is a field of `evaluation`, `best_of_n`, `grpo` and `policy_gradient`"}},
      {R"^(max_turns)^",
       R"^(import example
train t : grpo { tasks = example.easy, max_tokens = 256, max_turns = 3 }
experiment e : example.study { train = t }
)^",
       {"`turns`"}},
      {R"^(gamma)^",
       R"^(import example
train t : grpo { tasks = example.easy, max_tokens = 256, turns = 3, gamma = 0.4 }
experiment e : example.study { train = t }
)^",
       {"`discount`"}},
      {R"^(trloo)^",
       R"^(import example
train t : trloo { tasks = example.easy, max_tokens = 256 }
experiment e : example.study { train = t }
)^",
       {"`leave_one_out`"}},
      {R"^(warmup_steps)^",
       R"^(import example
import windtunnel
train t : example.reinforce { warmup_steps = 100 }
experiment e : example.study { train = t }
)^",
       {"warmup = 10%"}},
      {R"^(max_new_tokens)^",
       R"^(import example
import windtunnel
train t : example.reinforce { max_new_tokens = 512 }
experiment e : example.study { train = t }
)^",
       {"`max_tokens`"}},
      {R"^(lora_r)^",
       R"^(import example
import windtunnel
lora a { lora_r = 16 }
experiment e : example.study { adapter = a }
)^",
       {"`rank`"}},
      {R"^(r)^",
       R"^(import example
import windtunnel
lora a { r = 16 }
experiment e : example.study { adapter = a }
)^",
       {"`rank`"}},
      {R"^(target_modules)^",
       R"^(import example
import windtunnel
lora a { target_modules = ["q_proj"] }
experiment e : example.study { adapter = a }
)^",
       {"`targets`", "targets = [q_proj"}},
      {R"^(targets text)^",
       R"^(import example
import windtunnel
lora a { targets = ["q_proj", "v_proj"] }
experiment e : example.study { adapter = a }
)^",
       {"leave the quotes out"}},
      {R"^(single quotes)^",
       R"^(import example
import windtunnel
model m { weights = huggingface('Qwen/Qwen3-8B') }
experiment e : example.study { model = m }
)^",
       {"= fix:", "huggingface(\"Qwen/Qwen3-8B\")"}},
      {R"^(=>)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) => if c.correct then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"write `=`", "reward(c) = "}},
      {R"^(and&&)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct && c.valid then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"= fix:", "c.correct and c.valid"}},
      {R"^(**)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct then min(c.speedup, 1) ** 2 else 0 }
experiment e : example.study { train = t }
)^",
       {"`^`"}},
      {R"^(elif)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct then 1 elif c.compiled then 0.2 else 0 }
experiment e : example.study { train = t }
)^",
       {"`else if`"}},
      {R"^(else if py)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if (c.correct) 1 else if (c.compiled) 0.2 else 0 }
experiment e : example.study { train = t }
)^",
       {"if condition then a else b"}},
      {R"^(for in)^",
       R"^(import example
import windtunnel
for x in level1 {
}
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"no loops", "seeds = 1..3"}},
      {R"^(comprehension)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = [x for x in 1..3] }
)^",
       {"no loops"}},
      {R"^(f-string)^",
       R"^(import example
import windtunnel
model m { weights = path(f"weights/{name}") }
experiment e : example.study { model = m }
)^",
       {"write the text in full"}},
      {R"^(#!)^",
       R"^(import example
import windtunnel
#!/usr/bin/env trl
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {}},
      {R"^(% comment)^",
       R"^(import example
import windtunnel
% a comment
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`#` begins a comment"}},
      {R"^(""")^",
       R"^(import example
import windtunnel
"""A study."""
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`##`"}},
      {R"^(null)^",
       R"^(import example
import windtunnel
model m : example.base { quantize = null }
experiment e : example.study { model = m }
)^",
       {"`none`"}},
      {R"^(nil)^",
       R"^(import example
import windtunnel
experiment e : example.study { machine = nil }
)^",
       {"`none`"}},
      {R"^(None opt)^",
       R"^(import example
import windtunnel
experiment e : example.study { machine = None }
)^",
       {"`none`"}},
      {R"^(yes)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct == yes then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"`true`"}},
      {R"^(yes dup)^",
       R"^(import example
import windtunnel
train t : example.reinforce { duplicates = no }
experiment e : example.study { train = t }
)^",
       {"`drop` or `keep`"}},
      {R"^(1_000)^",
       R"^(import example
import windtunnel
train t : example.reinforce { max_tokens = 1_000 }
experiment e : example.study { train = t }
)^",
       {"1000"}},
      {R"^(1e-4f)^",
       R"^(import example
import windtunnel
train t : example.reinforce { learning_rate = 1e-4f }
experiment e : example.study { train = t }
)^",
       {"no suffixes", "learning_rate = 1e-4"}},
      {R"^(0.5f)^",
       R"^(import example
import windtunnel
train t : example.reinforce { min_reward = 0.5f }
experiment e : example.study { train = t }
)^",
       {"no suffixes"}},
      {R"^(.5)^",
       R"^(import example
import windtunnel
train t : example.reinforce { min_reward = .5 }
experiment e : example.study { train = t }
)^",
       {"`0.5`"}},
      {R"^(5.)^",
       R"^(import example
import windtunnel
train t : example.reinforce { temperature = 1. }
experiment e : example.study { train = t }
)^",
       {"`1.0`"}},
      {R"^(semicolons)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds = 2; keep = 1; }
experiment e : example.study { train = t }
)^",
       {"= fix:", "rounds = 2, keep = 1"}},
      {R"^(==)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds == 2 }
experiment e : example.study { train = t }
)^",
       {"= fix:", "rounds = 2"}},
      {R"^(:=)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds := 2 }
experiment e : example.study { train = t }
)^",
       {"= fix:", "rounds = 2"}},
      {R"^(tabs)^",
       R"^(import example
import windtunnel
lora a {
	rank = 8
}
experiment e : example.study { adapter = a }
)^",
       {}},
      {R"^(trailing comma)^",
       R"^(import example
import windtunnel
lora a { rank = 8, targets = [q_proj, v_proj,], }
experiment e : example.study { adapter = a }
)^",
       {}},
      {R"^(import as)^",
       R"^(import example
import windtunnel
import example as ex
experiment f : ex.study {}
)^",
       {}},
      {R"^(from import)^",
       R"^(import example
import windtunnel
from example import study
experiment f : example.study {}
)^",
       {"`import name`"}},
      {R"^(include)^",
       R"^(import example
import windtunnel
include "example.trl"
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`import name`"}},
      {R"^(import text)^",
       R"^(import example
import windtunnel
import "example.trl"
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"= fix: import example"}},
      {R"^(import .trl)^",
       R"^(import example
import windtunnel
import example.trl
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"= fix: import example"}},
      {R"^(yaml item)^",
       R"^(import example
import windtunnel
experiment e : example.study {
  seeds:
    - 1
    - 2
}
)^",
       {"in brackets"}},
      {R"^(yaml block)^",
       R"^(import example
import windtunnel
lora a:
  rank: 8
  alpha: 16
)^",
       {"in braces"}},
      {R"^(let type)^",
       R"^(import example
import windtunnel
let x: float = 0.5
train t : example.reinforce { min_reward = x }
experiment e : example.study { train = t }
)^",
       {"let x = …"}},
      {R"^(def)^",
       R"^(import example
import windtunnel
def f(c): return 1
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"reward(c) = …"}},
      {R"^(let mut)^",
       R"^(import example
import windtunnel
const x = 3
lora a { rank = x }
experiment e : example.study { adapter = a }
)^",
       {"`let`"}},
      {R"^(lambda)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward = lambda c: 1 }
experiment e : example.study { train = t }
)^",
       {"reward(c) = …"}},
      {R"^(arrow lambda)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward = c => 1 }
experiment e : example.study { train = t }
)^",
       {"reward(c) = …"}},
      {R"^(2k)^",
       R"^(import example
import windtunnel
train t : example.reinforce { max_tokens = 2k }
experiment e : example.study { train = t }
)^",
       {"`2000`", "`2048`"}},
      {R"^(80 GB)^",
       R"^(import example
import windtunnel
machine m { memory = 80 GB }
experiment e : example.study { machine = m }
)^",
       {"`GiB`", "powers of two", "memory = 80 GiB"}},
      {R"^(memory as nvidia-smi has it)^",
       R"^(import example
import windtunnel
machine m { memory = 81559 MB }
experiment e : example.study { machine = m }
)^",
       {"memory = 81559 MiB"}},
      {R"^(memory of no card)^",
       R"^(import example
import windtunnel
machine m { memory = 100 GB }
experiment e : example.study { machine = m }
)^",
       {"100 GB are 93.13 GiB", "about 100 GiB"}},
      {R"^(bandwidth in GB)^",
       R"^(import example
import windtunnel
machine m { memory = 80 GiB, bandwidth = 2039 GB / 1 s }
experiment e : example.study { machine = m }
)^",
       {"bandwidth = 1899 GiB / 1 s"}},
      {R"^(slice)^",
       R"^(import example
import windtunnel
split s = windtunnel.level1[1:4]
evaluation x : example.exam { split = s }
experiment e : example.study { evaluate = x }
)^",
       {"[1..4]"}},
      {R"^(10k)^",
       R"^(import example
import windtunnel
experiment e : example.study {}
train t2 : example.reinforce { max_tokens = 10K }
)^",
       {"in full"}},
      {R"^(nofilter)^",
       R"^(import example
import windtunnel
extension inputs : multi_input {}
experiment e : example.study { vary = subsets(inputs), seeds = 1..3 }
hypothesis h { of = e, contrast = nofilter }
)^",
       {"`inputs`"}},
      {R"^(braces list)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = {1, 2, 3} }
)^",
       {"[1, 2, 3]"}},
      {R"^(paren list)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = (1, 2, 3) }
)^",
       {"[1, 2, 3]"}},
      {R"^(block comment)^",
       R"^(import example
import windtunnel
/* hello */
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`#`"}},
      {R"^(-- comment)^",
       R"^(import example
import windtunnel
-- hello
lora a { rank = 8 }
experiment e : example.study { adapter = a }
)^",
       {"`#`"}},
      {R"^(percent sign mod)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds = 7 % 4 }
experiment e : example.study { train = t }
)^",
       {"mod(a, b)"}},
      {R"^(+=)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds += 2 }
experiment e : example.study { train = t }
)^",
       {"2 * base.rounds"}},
      {R"^(seeds 1-3)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1-3 }
)^",
       {"1..3"}},
      {R"^(1...3)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1...3 }
)^",
       {"1..3"}},
      {R"^(1:3)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1:3 }
)^",
       {"both ends"}},
      {R"^(seed)^",
       R"^(import example
import windtunnel
experiment e : example.study { seed = 3 }
)^",
       {"seeds = 1..3"}},
      {R"^(num_seeds)^",
       R"^(import example
import windtunnel
experiment e : example.study { num_seeds = 3 }
)^",
       {"seeds = 1..3"}},
      {R"^(batch_size)^",
       R"^(import example
import windtunnel
train t : example.reinforce { batch_size = 8 }
experiment e : example.study { train = t }
)^",
       {"`batch`"}},
      {R"^(temp)^",
       R"^(import example
import windtunnel
train t : example.reinforce { temp = 0.8 }
experiment e : example.study { train = t }
)^",
       {"`temperature`"}},
      {R"^(epoch)^",
       R"^(import example
import windtunnel
train t : example.reinforce { epoch = 2 }
experiment e : example.study { train = t }
)^",
       {"`epochs`"}},
      {R"^(n_samples)^",
       R"^(import example
import windtunnel
evaluation x : example.exam { n = 5 }
experiment e : example.study { evaluate = x }
)^",
       {"`samples`"}},
      {R"^(repetition_penalty)^",
       R"^(import example
import windtunnel
train t : example.reinforce { repetition_penalty = 1.1 }
experiment e : example.study { train = t }
)^",
       {"`temperature`, `top_k` and `top_p`"}},
      {R"^(stop_strings)^",
       R"^(import example
import windtunnel
evaluation x : example.exam { stop_strings = ["END"] }
experiment e : example.study { evaluate = x }
)^",
       {"`stop`"}},
      {R"^(min_p)^",
       R"^(import example
import windtunnel
evaluation x : example.exam { min_p = 0.05 }
experiment e : example.study { evaluate = x }
)^",
       {"`top_p`"}},
      {R"^(load_in_8bit)^",
       R"^(import example
import windtunnel
model m : example.base { load_in_8bit = true }
experiment e : example.study { model = m }
)^",
       {"quantize = llm_int8"}},
      {R"^(kl_coef)^",
       R"^(import example
import windtunnel
train t : grpo { tasks = example.easy, beta = 0.1 }
experiment e : example.study { train = t }
)^",
       {"`kl`"}},
      {R"^(num_generations)^",
       R"^(import example
import windtunnel
train t : grpo { tasks = example.easy, num_generations = 8 }
experiment e : example.study { train = t }
)^",
       {"`candidates`"}},
      {R"^(model_name)^",
       R"^(import example
import windtunnel
model m { model_name_or_path = "Qwen/Qwen3-8B" }
experiment e : example.study { model = m }
)^",
       {"huggingface("}},
      {R"^(load_in_4bit)^",
       R"^(import example
import windtunnel
model m : example.base { load_in_4bit = true }
experiment e : example.study { model = m }
)^",
       {"quantize = nf4"}},
      {R"^(dtype)^",
       R"^(import example
import windtunnel
model m : example.base { dtype = bfloat16 }
experiment e : example.study { model = m }
)^",
       {"`precision`"}},
      {R"^(bfloat16)^",
       R"^(import example
import windtunnel
model m : example.base { precision = bfloat16 }
experiment e : example.study { model = m }
)^",
       {"`bf16`"}},
      {R"^(ppo)^",
       R"^(import example
import windtunnel
train t : ppo { }
experiment e : example.study { train = t }
)^",
       {"`grpo`"}},
      {R"^(return)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) { return 1 } }
experiment e : example.study { train = t }
)^",
       {"reward(c) = …"}},
      {R"^(c->correct)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c->correct then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"c.correct"}},
      {R"^(not !)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if !c.correct then 0 else 1 }
experiment e : example.study { train = t }
)^",
       {"= fix:", "not c.correct"}},
      {R"^(string enum)^",
       R"^(import example
import windtunnel
model m : example.base { precision = "bf16" }
experiment e : example.study { model = m }
)^",
       {"leave the quotes out"}},
      {R"^(dict)^",
       R"^(import example
import windtunnel
lora a { "rank": 8 }
)^",
       {"no quotes", "rank = 8"}},
      {R"^(mini_batch_size)^",
       R"^(import example
import windtunnel
train t : example.reinforce { mini_batch_size = 4 }
experiment e : example.study { train = t }
)^",
       {"`micro_batch`"}},
      {R"^(save_steps)^",
       R"^(import example
import windtunnel
train t : example.reinforce { save_steps = 100 }
experiment e : example.study { train = t }
)^",
       {"leave it out"}},
      {R"^(lora_targets)^",
       R"^(import example
import windtunnel
lora a { lora_targets = [q_proj] }
experiment e : example.study { adapter = a }
)^",
       {"`targets`"}},
      {R"^(bias none)^",
       R"^(import example
import windtunnel
lora a { bias = none }
experiment e : example.study { adapter = a }
)^",
       {"leave it out"}},
      {R"^(task_type)^",
       R"^(import example
import windtunnel
lora a { task_type = "CAUSAL_LM" }
experiment e : example.study { adapter = a }
)^",
       {"leave it out"}},
      {R"^(0x10)^",
       R"^(import example
import windtunnel
train t : example.reinforce { rounds = 0x10 }
experiment e : example.study { train = t }
)^",
       {"decimal digits"}},
      {R"^(percent word)^",
       R"^(import example
import windtunnel
train t : example.reinforce { warmup = 10 percent }
experiment e : example.study { train = t }
)^",
       {"warmup = 10%"}},
      {R"^(not equal <>)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct <> true then 0 else 1 }
experiment e : example.study { train = t }
)^",
       {"`!=`"}},
      {R"^(~c)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if ~c.correct then 0 else 1 }
experiment e : example.study { train = t }
)^",
       {"`not`"}},
      {R"^(===)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = if c.correct === true then 0 else 1 }
experiment e : example.study { train = t }
)^",
       {"c.correct == true"}},
      {R"^(max of)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = Math.max(c.speedup, 1) }
experiment e : example.study { train = t }
)^",
       {"`max(…)`"}},
      {R"^(np.clip)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward(c) = np.clip(c.speedup, 0, 1) }
experiment e : example.study { train = t }
)^",
       {"`clamp(c.speedup, 0, 1)`"}},
      {R"^(reward no param)^",
       R"^(import example
import windtunnel
train t : example.reinforce { reward = if c.correct then 1 else 0 }
experiment e : example.study { train = t }
)^",
       {"reward(c) = …"}},
      {R"^(extends)^",
       R"^(import example
import windtunnel
train t extends example.reinforce { rounds = 2 }
)^",
       {"behind a `:`"}},
      {R"^(quoted name)^",
       R"^(import example
import windtunnel
lora "a" { rank = 8 }
)^",
       {"names have no quotes"}},
      {R"^(dash name)^",
       R"^(import example
import windtunnel
lora my-adapter { rank = 8 }
)^",
       {"`my_adapter`"}},
      {R"^(kind no name)^",
       R"^(import example
import windtunnel
lora { rank = 8 }
)^",
       {"has a name"}},
      {R"^(toml)^",
       R"^(import example
import windtunnel
[lora]
rank = 8
)^",
       {"in braces"}},
      {R"^(env)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = $SEEDS }
)^",
       {"`--set path=value`"}},
      {R"^(1,000)^",
       R"^(import example
import windtunnel
train t : example.reinforce { max_tokens = 1,000 }
experiment e : example.study { train = t }
)^",
       {"without `,`"}},
      {R"^(level_1)^",
       R"^(import example
import windtunnel
split s = windtunnel.level_1[1..4]
evaluation x : example.exam { split = s }
experiment e : example.study { evaluate = x }
)^",
       {"`level1`"}},
      {R"^(vary list)^",
       R"^(import example
import windtunnel
extension i : multi_input {}
experiment e : example.study { vary = [i] }
)^",
       {"subsets(a, b)"}},
      {R"^(grid dict)^",
       R"^(import example
import windtunnel
experiment e : example.study { vary = grid(example.reinforce.keep: [1, 2]) }
)^",
       {"write `=`"}},
      {R"^(rank list grid)^",
       R"^(import example
import windtunnel
lora a { rank = [8, 16] }
experiment e : example.study { adapter = a }
)^",
       {"vary = grid("}},
      {R"^(cuda lang)^",
       R"^(import example
import windtunnel
experiment e : example.study { language = CUDA }
)^",
       {"did you mean `cuda`?"}},
      {R"^(h100)^",
       R"^(import example
import windtunnel
experiment e : example.study { machine = h100 }
)^",
       {"declare a `machine`"}},
      {R"^(weights hf path)^",
       R"^(import example
import windtunnel
model m { weights = Qwen/Qwen3-8B }
experiment e : example.study { model = m }
)^",
       {"huggingface("}},
      {R"^(train a | b)^",
       R"^(import example
import windtunnel
train first : example.reinforce {}
train rl : example.reinforce {}
experiment e : example.study { train = first | rl }
)^",
       {R"^(train = first -> rl)^"}},
      {R"^(train [a, b])^",
       R"^(import example
import windtunnel
train first : example.reinforce {}
train rl : example.reinforce {}
experiment e : example.study { train = [first, rl] }
)^",
       {R"^(train = first -> rl)^"}},
      {R"^(train a, b)^",
       R"^(import example
import windtunnel
train first : example.reinforce {}
train rl : example.reinforce {}
experiment e : example.study { train = first, rl }
)^",
       {R"^(train = first -> rl)^"}},
      {R"^(contrast by the last word)^",
       R"^(import example
import windtunnel
train rl : example.reinforce {}
experiment e : example.study { train = rl, vary = grid(rl.candidates = [4, 8]), seeds = 1..3 }
hypothesis h { of = e, contrast = candidates }
)^",
       {R"^(contrast = rl.candidates)^"}},
      {R"^(subsets of a variant)^",
       R"^(import example
import windtunnel
experiment e : example.study { vary = subsets(multi_input), seeds = 1..3 }
)^",
       {R"^(extension mine : multi_input {})^"}},
      {R"^(num_generations twice)^",
       R"^(import example
import windtunnel
train t : best_of_n { tasks = example.easy, max_tokens = 256, candidates = 4, num_generations = 4 }
experiment e : example.study { train = t }
)^",
       {R"^(given already)^"}},
      {R"^([0..40])^",
       R"^(import example
import windtunnel
split s = windtunnel.level1[0..40]
evaluation x : example.exam { split = s }
experiment e : example.study { evaluate = x }
)^",
       {R"^(level1[1..40])^"}},
      {R"^(pass@2)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1..3 }
table m { of = e, columns = [pass@2] }
)^",
       {R"^(columns = [pass_at(2)])^"}},
      {R"^(index by a name)^",
       R"^(import example
import windtunnel
split s = example.easy["doubled"]
evaluation x : example.exam { split = s }
experiment e : example.study { evaluate = x }
)^",
       {R"^(where(example.easy, name == doubled))^"}},
      {R"^(where name =)^",
       R"^(import example
import windtunnel
split s = where(example.easy, name = "doubled")
evaluation x : example.exam { split = s }
experiment e : example.study { evaluate = x }
)^",
       {R"^(where(example.easy, name == doubled))^"}},
      {R"^(dtype text)^",
       R"^(import example
import windtunnel
model m : example.base { dtype = "bfloat16" }
experiment e : example.study { model = m }
)^",
       {R"^(precision = "bfloat16")^", R"^(dtype = bf16)^"}},
      {R"^(lr:)^",
       R"^(import example
import windtunnel
train t : example.reinforce { lr: 1e-3 }
experiment e : example.study { train = t }
)^",
       {R"^(lr = 1e-3)^", R"^(learning_rate: 1e-3)^"}},
      {R"^(zip of 3 and 2)^",
       R"^(import example
import windtunnel
train rl : example.reinforce {}
experiment e : example.study { train = rl, vary = zip(rl.candidates = [4, 8, 12], rl.keep = [1, 2]), seeds = 1..3 }
hypothesis h { of = e, contrast = rl.candidates }
)^",
       {R"^(the same number)^"}},
      {R"^(ppo that is varied)^",
       R"^(import example
import windtunnel
train rl : ppo {}
experiment e : example.study { train = rl, vary = grid(rl.candidates = [4, 8], rl.keep = [1, 2]), seeds = 1..3 }
)^",
       {R"^(`grpo`)^"}},
      {R"^(accuracy)^",
       R"^(import example
import windtunnel
experiment e : example.study { vary = grid(example.reinforce.candidates = [4, 8]), seeds = 1..3 }
hypothesis h { of = e, contrast = example.reinforce.candidates, metric = accuracy }
)^",
       {R"^(metric = correct)^"}},
      {R"^(expect !=)^",
       R"^(import example
import windtunnel
experiment e : example.study { vary = grid(example.reinforce.candidates = [4, 8]), seeds = 1..3 }
hypothesis h { of = e, contrast = example.reinforce.candidates, metric = correct, expect = "!=" }
)^",
       {R"^(expect = different)^"}},
      {R"^(rows = all)^",
       R"^(import example
import windtunnel
experiment e : example.study { seeds = 1..3 }
table m { of = e, rows = all }
)^",
       {R"^(cells + controls)^"}},
      {R"^(huggingface without quotes)^",
       R"^(import example
import windtunnel
model m { weights = huggingface(Qwen/Qwen2.5-0.5B) }
experiment e : example.study { model = m }
)^",
       {R"^(huggingface("Qwen/Qwen2.5-0.5B"))^"}},
      {R"^(1.e-3)^",
       R"^(import example
import windtunnel
train t : example.reinforce { learning_rate = 1.e-3 }
experiment e : example.study { train = t }
)^",
       {R"^(= fix:)^", R"^(1.0e-3)^"}},
      {R"^(vary block)^",
       R"^(import example
import windtunnel
train rl : example.reinforce {}
experiment e : example.study { train = rl, vary = { rl.candidates: [4, 12] } }
)^",
       {R"^(vary = grid(rl.candidates = [4, 12]))^"}},
      {R"^(task: mean of rows)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = x - mean(y, axis = 1)
}
)^",
       {R"^(mean(y, axis = 1, keepdim = true) would fit)^"}},
      {R"^(task: methods)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = x.abs().sum(1)
}
)^",
       {R"^(sum(abs(x), axis = 1))^"}},
      {R"^(task: module)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = nn.ReLU()(x)
}
)^",
       {R"^(relu(x))^"}},
      {R"^(task: numpy)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = np.maximum(x, 0)
}
)^",
       {R"^(maximum(x, 0))^"}},
      {R"^(task: tuple)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = (amax(x, axis = 1), argmax(x, axis = 1))
}
)^",
       {R"^([amax(x, axis = 1), argmax(x, axis = 1)])^"}},
      {R"^(task: if else)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = 3 * x if x > 0 else 0
}
)^",
       {R"^(where(x > 0, 3 * x, 0))^"}},
      {R"^(task: block)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = { y = relu(x); 3 * y }
}
)^",
       {R"^(one expression)^"}},
      {R"^(task: arguments exchanged)^",
       R"^(suite mine {
  task t[V = 64, D = 32, B = 8](table: f32[V, D], ids: i64(V)[B]) = embedding(table, ids)
}
)^",
       {R"^(exchanged: x = ids, weight = table)^"}},
      {R"^(task: keepdim = True)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = x - mean(x, axis = 1, keepdim = True)
}
)^",
       {R"^(`true`)^"}},
      {R"^(task: axis = None)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = sum(x, axis = None)
}
)^",
       {R"^(`none`)^"}},
      {R"^(task: .T)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = x @ y.T
}
)^",
       {R"^(transpose(y, -2, -1))^"}},
      {R"^(task: topk values)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = topk(x, 4).values
}
)^",
       {R"^(topk(x, k = 4))^"}},
      {R"^(task: topk [0])^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = topk(x, 4)[0]
}
)^",
       {R"^(topk(x, k = 4))^"}},
      {R"^(task: type of the result)^",
       R"^(suite mine {
  task t[M = 64, N = 256](x: f32[M, N]) -> f32[M] = relu(x)
}
)^",
       {R"^(= relu(x))^", R"^(leave the type out)^"}},
      {R"^(task: indices as a range)^",
       R"^(suite mine {
  task t[V = 64, D = 32, B = 8](table: f32[V, D], ids: i64(0..V)[B]) = embedding(ids, table)
}
)^",
       {R"^(i64(V))^"}},
  };
}

}  // namespace trl::language::test
