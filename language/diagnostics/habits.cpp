#include "language/diagnostics/habits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <regex>

namespace trl::language {
namespace {

constexpr bool same = true, other = false;

constexpr const char* two_splits =
    "name the tasks of training in a way to train, `tasks = seen`, and those of the exam in an evaluation, "
    "`split = held_out`";
constexpr const char* fixed_betas = "leave it out: AdamW's betas are 0.9 and 0.999 in every way to train";
constexpr const char* from_hub =
    "write `weights = huggingface(\"OWNER/NAME\")`, or `weights = path(\"FOLDER\")`";
constexpr const char* from_folder =
    "write `weights = path(\"FOLDER\")`, or `weights = huggingface(\"OWNER/NAME\")`";
constexpr const char* an_endpoint =
    "write `weights = endpoint(\"http://…/v1\", name = \"…\")` for a model that a server has";

constexpr const char* a_function =
    "write a reward as `reward(c) = …`, a formula of your own as `let f(c: verdict) = …`, and a task "
    "of a suite as `task t[N = 1024](x: f32[N]) = relu(x)`";

constexpr ForeignWord words[] = {
    // Fields, by their names in Hugging Face's libraries, verl, OpenRLHF and configurations of others.
    {Place::field, "lr", "learning_rate", same, ""},
    {Place::field, "learningrate", "learning_rate", same, ""},
    {Place::field, "lora_alpha", "alpha", same, ""},
    {Place::field, "lora_r", "rank", same, ""},
    {Place::field, "r", "rank", same, ""},
    {Place::field, "lora_rank", "rank", same, ""},
    {Place::field, "lora_dropout", "dropout", same, ""},
    {Place::field, "target_modules", "targets", same,
     "write `targets`, without quotes: `targets = [q_proj, v_proj]`, or `all_linear`"},
    {Place::field, "num_candidates", "candidates", same, ""},
    {Place::field, "n_candidates", "candidates", same, ""},
    {Place::field, "num_generations", "candidates", same, ""},
    {Place::field, "group_size", "candidates", other, ""},
    {Place::field, "num_return_sequences", "candidates", other, ""},
    {Place::field, "eval", "evaluate", same, ""},
    {Place::field, "evaluation", "evaluate", same, ""},
    {Place::field, "exam", "evaluate", same, ""},
    {Place::field, "num_epochs", "epochs", same, ""},
    {Place::field, "num_train_epochs", "epochs", same, ""},
    {Place::field, "n_epochs", "epochs", same, ""},
    {Place::field, "ppo_epochs", "epochs", same, ""},
    {Place::field, "per_device_train_batch_size", "", other,
     "write `batch`, the samples of an optimiser step: those of a pass on a GPU (`micro_batch`) × steps of "
     "accumulation × GPUs"},
    {Place::field, "per_device_batch_size", "micro_batch", other,
     "`micro_batch` is the samples in one pass on a GPU, and `batch` those of an optimiser step over all "
     "GPUs"},
    {Place::field, "gradient_accumulation_steps", "", other,
     "leave it out, and write as `batch` the samples of an optimiser step: those of a pass on a GPU "
     "(`micro_batch`) × steps of accumulation × GPUs; `accumulation` follows from both"},
    {Place::field, "warmup_ratio", "warmup", same, ""},
    {Place::field, "warmup_steps", "", other, "`warmup` is a share of the steps: `warmup = 10%`"},
    {Place::field, "num_warmup_steps", "", other, "`warmup` is a share of the steps: `warmup = 10%`"},
    {Place::field, "max_new_tokens", "max_tokens", same, ""},
    {Place::field, "max_completion_length", "max_tokens", same, ""},
    {Place::field, "max_response_length", "max_tokens", same, ""},
    {Place::field, "max_length", "max_tokens", other, "write `max_tokens`, the tokens of an answer alone"},
    {Place::field, "max_seq_length", "max_tokens", other,
     "write `max_tokens`, the tokens of an answer alone"},
    {Place::field, "batch_size", "batch", other,
     "write `batch`, the samples of an optimiser step over all GPUs"},
    {Place::field, "train_batch_size", "batch", other,
     "write `batch`, the samples of an optimiser step over all GPUs"},
    {Place::field, "temp", "temperature", same, ""},
    {Place::field, "lr_scheduler", "schedule", same, ""},
    {Place::field, "lr_scheduler_type", "schedule", same, ""},
    {Place::field, "scheduler", "schedule", same, ""},
    {Place::field, "max_grad_norm", "clip", same, ""},
    {Place::field, "grad_clip", "clip", same, ""},
    {Place::field, "gradient_clipping", "clip", same, ""},
    {Place::field, "wd", "weight_decay", same, ""},
    {Place::field, "beta", "kl", other,
     "in grpo write `kl`, the weight of the divergence; dpo has `beta`, and the others have no reference to "
     "stay near"},
    {Place::field, "kl_coef", "kl", same, ""},
    {Place::field, "kl_coeff", "kl", same, ""},
    {Place::field, "clip_range", "clip_ratio", same, ""},
    {Place::field, "epsilon", "clip_ratio", same, ""},
    {Place::field, "epsilon_high", "clip_higher", same, ""},
    {Place::field, "clip_ratio_high", "clip_higher", same, ""},
    {Place::field, "vllm_importance_sampling_cap", "mismatch_cap", same, ""},
    {Place::field, "tis_imp_ratio_cap", "mismatch_cap", same, ""},
    {Place::field, "rollout_is_threshold", "mismatch_cap", same, ""},
    {Place::field, "rollout_rs_threshold", "mismatch_answer_cap", same, ""},
    {Place::field, "rollout_token_veto_threshold", "mismatch_veto", same, ""},
    {Place::field, "rollout_is", "mismatch", other, "write `mismatch = truncate` in grpo"},
    {Place::field, "rollout_rs", "mismatch", other,
     "in grpo write `mismatch = reject` for tokens, `mismatch = measure, mismatch_answer_cap = 1.001` for "
     "whole answers"},
    {Place::field, "vllm_importance_sampling_mode", "mismatch", other,
     "in grpo write `mismatch = truncate` or `reject` for tokens, `mismatch = measure, mismatch_answer_cap = "
     "1.001` for "
     "the geometric mean of an answer"},
    {Place::field, "scale_rewards", "standardised", same, ""},
    {Place::field, "loss_type", "mean_over", other,
     "in grpo write `mean_over`: `answers` as GRPO, `tokens` as DAPO, with `clip_higher = 28%`, `constant` "
     "as "
     "Dr. GRPO, with `standardised = false`; the other ways to train have one loss each"},
    {Place::field, "loss_agg_mode", "mean_over", other,
     "in grpo write `mean_over`: `tokens` is token-mean, `answers` seq-mean-token-mean, `constant` "
     "seq-mean-token-sum-norm"},
    {Place::field, "adv_estimator", "baseline", other,
     "write `baseline`: `mean` as GRPO, `leave_one_out` as RLOO; in policy_gradient also `none`"},
    {Place::field, "advantage_estimator", "baseline", other,
     "write `baseline`: `mean` as GRPO, `leave_one_out` as RLOO; in policy_gradient also `none`"},
    {Place::field, "norm_adv_by_std_in_grpo", "standardised", same, ""},
    {Place::field, "cliprange", "clip_ratio", same, ""},
    {Place::field, "clip_eps", "clip_ratio", same, ""},
    {Place::field, "max_steps", "steps", other, ""},
    {Place::field, "num_steps", "steps", other, ""},
    {Place::field, "num_rounds", "rounds", same, ""},
    {Place::field, "iterations", "rounds", other, "write `rounds`, of sampling, verifying and training"},
    {Place::field, "num_iterations", "epochs", other, "write `epochs`, passes over the answers of a round"},
    {Place::field, "seed", "seeds", other,
     "write `seeds`: `seeds = 1..3` are three runs, `seeds = [3]` is one"},
    {Place::field, "num_seeds", "seeds", other, "write the seeds themselves: `seeds = 1..3` are three runs"},
    {Place::field, "n_seeds", "seeds", other, "write the seeds themselves: `seeds = 1..3` are three runs"},
    {Place::field, "do_sample", "", other, "write `temperature = 0` for the most likely tokens alone"},
    {Place::field, "train_split", "", other, two_splits},
    {Place::field, "test_split", "", other, two_splits},
    {Place::field, "adam_beta1", "", other, fixed_betas},
    {Place::field, "adam_beta2", "", other, fixed_betas},
    {Place::field, "model_name_or_path", "weights", other, from_hub},
    {Place::field, "model_name", "weights", other, from_hub},
    {Place::field, "base_model", "model", other, ""},
    {Place::field, "pretrained", "weights", other, from_hub},
    {Place::field, "base_url", "", other, an_endpoint},
    {Place::field, "api_base", "", other, an_endpoint},
    {Place::field, "api_key", "", other,
     "write `weights = endpoint(\"http://…/v1\", name = \"…\", key_env = \"…\")`, which names the variable "
     "that holds the key"},
    {Place::field, "extra_body", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…)"},
    {Place::field, "chat_template_kwargs", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…)"},
    {Place::field, "enable_thinking", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…); some servers "
     "want "
     "`field(\"enable_thinking\", false)`"},
    {Place::field, "reasoning_effort", "body", other,
     "write `body = [field(\"reasoning_effort\", \"low\")]` in endpoint(…)"},
    {Place::field, "thinking", "body", other,
     "write `body = [field(\"thinking.type\", \"disabled\")]` in endpoint(…), or what the server wants"},
    {Place::field, "extra_headers", "headers", other,
     "write `headers = [header(\"X-Title\", \"…\")]` in endpoint(…)"},
    {Place::field, "default_headers", "headers", other,
     "write `headers = [header(\"X-Title\", \"…\")]` in endpoint(…)"},
    {Place::field, "api_version", "", other,
     "write it in the address: `endpoint(\"https://…?api-version=2024-10-21\", …)`"},
    {Place::field, "default_query", "", other,
     "write it in the address: `endpoint(\"https://…?api-version=2024-10-21\", …)`"},
    {Place::field, "max_model_len", "context", other, "write `context` in endpoint(…)"},
    {Place::field, "max_retries", "attempts", other, "write `attempts` in endpoint(…)"},
    {Place::field, "load_in_4bit", "", other, "write `quantize = nf4`"},
    {Place::field, "load_in_8bit", "", other,
     "write `quantize = llm_int8`, or `int8` for 8-bit weights alone"},
    {Place::field, "quantization", "quantize", same, ""},
    {Place::field, "quantise", "quantize", same, ""},
    {Place::field, "dtype", "precision", same, ""},
    {Place::field, "torch_dtype", "precision", same, ""},
    {Place::field, "bf16", "", other, "the model has it: `model name { precision = bf16 }`"},
    {Place::field, "fp16", "", other,
     "the model has it: `model name { precision = bf16 }`; f16 isn't computed in"},
    {Place::field, "kl_loss_coef", "kl", same, ""},
    {Place::field, "use_vllm", "", other, "sampling has kernels of its own: leave it out"},
    {Place::field, "vllm_mode", "", other, "sampling has kernels of its own: leave it out"},
    {Place::field, "vllm_importance_sampling_correction", "mismatch", other,
     "write `mismatch = truncate` in grpo"},
    {Place::field, "ref_model", "reference", other,
     "`reference = start` or `base` of grpo and dpo names it: no second model is loaded"},
    {Place::field, "sync_ref_model", "reference", other, "the reference stays as it is: `start` or `base`"},
    {Place::field, "precompute_ref_log_probs", "", other,
     "they are computed before the first step always: leave it out"},
    {Place::field, "reference_free", "reference", other, "the reference is `start` or `base`"},
    {Place::field, "label_smoothing", "", other, "the losses have no smoothing: leave it out"},
    {Place::field, "importance_sampling_level", "", other,
     "ratios of grpo are of tokens; `policy_gradient` with `clip_ratio` has those of whole answers"},
    {Place::field, "mask_truncated_completions", "", other,
     "an answer that was cut off is trained on without an end: leave it out, or let the reward be 0"},
    {Place::field, "steps_per_generation", "", other,
     "`tasks_per_round`, `candidates` and `batch` say how many steps a round has"},
    {Place::field, "generation_batch_size", "", other,
     "`tasks_per_round` and `candidates` say how many answers a round has"},
    {Place::field, "max_prompt_length", "", other, "prompts aren't cut: leave it out"},
    {Place::field, "gamma", "discount", other,
     "write `discount`, what a reward loses with each turn of an episode; within an answer, which is one "
     "action, nothing is discounted"},
    {Place::field, "max_turns", "turns", same, ""},
    {Place::field, "num_turns", "turns", same, ""},
    {Place::field, "max_turn", "turns", same, ""},
    {Place::field, "max_tool_calling_iterations", "turns", other,
     "write `turns`, the most answers of an episode"},
    {Place::field, "reward_weights", "", other,
     "add the terms up in the formula: `reward(c) = 0.7 * … + 0.3 * …`"},
    {Place::field, "report_to", "", other,
     "`trl results export --wandb` or `--tensorboard` writes what was measured"},
    {Place::field, "gradient_checkpointing", "", other,
     "layers are computed again where memory needs it: leave it out"},
    {Place::field, "init_lora_weights", "", other, "A is drawn as PEFT draws it and B is 0: leave it out"},
    {Place::field, "modules_to_save", "", other, "adapters have LoRA's matrices alone: leave it out"},
    {Place::field, "rank_pattern", "patterns", other,
     "write `patterns = [modules(\"down_proj\", rank = 32)]`"},
    {Place::field, "alpha_pattern", "patterns", other,
     "write `patterns = [modules(\"down_proj\", alpha = 64)]`"},
    {Place::field, "layers_to_transform", "targets", other, "`targets` are adapted in every layer"},
    {Place::field, "peft_type", "", other, "adapters are LoRA: leave it out"},
    {Place::field, "task_type", "", other, "models are causal language models: leave it out"},
    {Place::field, "device_map", "", other, "`trl run --device cuda` names the device"},
    {Place::field, "attn_implementation", "", other, "attention has one way on each device: leave it out"},
    {Place::field, "bits", "quantize", other, "write `quantize = int8` or `nf4`"},
    {Place::field, "dataset", "data", other, ""},
    {Place::field, "dataset", "split", other, ""},
    {Place::field, "tasks", "split", same, ""},
    {Place::field, "checkpoint", "weights", other, from_folder},
    {Place::field, "path", "weights", other, from_folder},
    {Place::field, "experiment", "of", same, ""},
    {Place::field, "significance", "alpha", same, ""},
    {Place::field, "significance_level", "alpha", same, ""},
    {Place::field, "min_effect", "smallest_effect", same, ""},
    {Place::field, "minimum_effect", "smallest_effect", same, ""},
    {Place::field, "effect_size", "smallest_effect", other, ""},
    {Place::field, "effect", "smallest_effect", other, ""},
    {Place::field, "sweep", "vary", other, "write `vary = grid(writer.rank = [8, 16])`"},
    {Place::field, "grid", "vary", other, "write `vary = grid(writer.rank = [8, 16])`"},
    {Place::field, "lora", "adapter", same, ""},
    {Place::field, "repeats", "seeds", other, "write the seeds themselves: `seeds = 1..3` are three runs"},
    {Place::field, "metrics", "columns", same, ""},
    {Place::field, "cols", "columns", same, ""},
    {Place::field, "train_dataset", "data", other, ""},
    {Place::field, "n", "candidates", other, ""},
    {Place::field, "k", "candidates", other, ""},
    {Place::field, "num_samples", "candidates", other, ""},
    {Place::field, "n", "samples", other, ""},
    {Place::field, "k", "samples", other, ""},
    {Place::field, "n_samples", "samples", same, ""},
    {Place::field, "num_samples", "samples", same, ""},
    {Place::field, "topp", "top_p", same, ""},
    {Place::field, "nucleus", "top_p", same, ""},
    {Place::field, "topk", "top_k", same, ""},
    {Place::field, "min_p", "", other,
     "there is no min_p: `top_p` is a share of the probability, `top_k` a number of tokens"},
    {Place::field, "repetition_penalty", "", other,
     "answers are drawn from the model's own distribution: `temperature`, `top_k` and `top_p` alone change "
     "it"},
    {Place::field, "stop_strings", "stop", same, ""},
    {Place::field, "stop_sequences", "stop", same, ""},
    {Place::field, "stop_words", "stop", same, ""},
    {Place::field, "stop_token_ids", "", other,
     "the model's own end tokens end an answer: `stop` names texts that end it, too"},
    {Place::field, "optim", "", other, "the optimiser is AdamW always: leave it out"},
    {Place::field, "optimizer", "", other, "the optimiser is AdamW always: leave it out"},
    {Place::field, "optimiser", "", other, "the optimiser is AdamW always: leave it out"},
    {Place::field, "reward_fn", "", other, "write it as a formula: `reward(c) = if c.correct then 1 else 0`"},
    {Place::field, "reward_func", "", other,
     "write it as a formula: `reward(c) = if c.correct then 1 else 0`"},
    {Place::field, "reward_funcs", "", other,
     "write it as a formula: `reward(c) = if c.correct then 1 else 0`"},
    {Place::field, "loss", "", other,
     "the loss is the variant's: `train name : grpo { … }`; see `trl explain train`"},
    {Place::field, "algorithm", "", other, "name it behind the `:`: `train name : grpo { … }`"},
    {Place::field, "method", "", other, "name it behind the `:`: `train name : grpo { … }`"},
    {Place::field, "lora_targets", "targets", same, ""},
    {Place::field, "mini_batch_size", "micro_batch", other,
     "`micro_batch` is the samples in one pass on a GPU, and `batch` those of an optimiser step over all "
     "GPUs"},
    {Place::field, "bias", "", other, "adapters have no biases: leave it out"},
    {Place::field, "task_type", "", other, "models here write text: leave it out"},
    {Place::field, "save_steps", "", other, "every stage's result is stored by itself: leave it out"},
    {Place::field, "logging_steps", "", other, "every stage's result is stored by itself: leave it out"},
    {Place::field, "output_dir", "", other, "`trl run --out FOLDER` says where tables are written"},
    {Place::field, "num_gpus", "gpus", other, "write `gpus` in a `machine`"},

    // Values.
    {Place::value, "True", "true", same, ""},
    {Place::value, "yes", "true", other, "write `true`"},
    {Place::value, "on", "true", other, "write `true`"},
    {Place::value, "False", "false", same, ""},
    {Place::value, "no", "false", other, "write `false`"},
    {Place::value, "off", "false", other, "write `false`"},
    {Place::value, "None", "none", same, "write `none`, or leave the field out"},
    {Place::value, "null", "none", same, "write `none`, or leave the field out"},
    {Place::value, "nil", "none", same, "write `none`, or leave the field out"},
    {Place::value, "undefined", "none", same, "write `none`, or leave the field out"},
    {Place::value, "bfloat16", "bf16", same, ""},
    {Place::value, "float16", "f16", same, ""},
    {Place::value, "fp16", "f16", same, ""},
    {Place::value, "float32", "f32", same, ""},
    {Place::value, "fp32", "f32", same, ""},
    {Place::value, "float", "f32", same, ""},
    {Place::value, "4bit", "nf4", other, ""},
    {Place::value, "int4", "nf4", other, "write `nf4`: of the types of 4 bits there is QLoRA's"},
    {Place::value, "few_shot", "one_shot", other,
     "write `one_shot`, which shows one example, or a text of your own with {example} in it"},
    {Place::value, "8bit", "int8", other, "write `int8`, or `llm_int8` for activations of 8 bits, too"},
    {Place::value, "accuracy", "correct", same, ""},
    {Place::value, "acc", "correct", other, ""},
    {Place::value, "all", "cells", other, "write `cells + controls`, or leave the field out"},
    {Place::value, "!=", "different", other, ""},
    {Place::value, ">", "greater", other, ""},
    {Place::value, "<", "less", other, ""},
    {Place::value, "==", "same", other, ""},
    {Place::value, "=", "same", other, ""},
    {Place::value, "pass@…", "pass_at", other, "write `pass_at(…)`"},
    {Place::value, "a formula ->", "", other,
     "write a part of it as `c.correct`: `->` joins stages of training"},
    {Place::value, "-…", "", other, "write a range with two dots: `1..3` is 1, 2 and 3"},
    {Place::value, "axes […]", "", other,
     "write `subsets(a, b)` of extensions, or `grid(path = [8, 16])` of settings"},
    {Place::value, "an integer […]", "", other,
     "to try several values, vary them: `vary = grid(writer.rank = [8, 16])`"},
    {Place::value, "a number […]", "", other,
     "to try several values, vary them: `vary = grid(writer.alpha = [8, 16])`"},
    {Place::value, "a fraction […]", "", other,
     "to try several values, vary them: `vary = grid(writer.dropout = [0%, 5%])`"},
    {Place::value, "the name of an evaluation […]", "", other,
     "an experiment has one evaluation: for another write `experiment NAME : BASE { evaluate = … }`, which "
     "shares what is trained"},
    {Place::value, "the name of a model […]", "", other,
     "an experiment has one model: to compare several, vary its weights: `vary = grid(base.weights = […])`"},
    {Place::value, "range(…)", "", other, "write a range with both ends: `1..3` is 1, 2 and 3"},
    {Place::value, "list(…)", "", other, "write a list in brackets: `[a, b]`"},
    {Place::value, "len(…)", "", other, "write the number itself"},
    {Place::value, "weights \"…\"", "", other,
     "write `huggingface(\"OWNER/NAME\")` for weights from Hugging Face, or `path(\"FOLDER\")` for a folder"},
    {Place::value, "corpus \"…\"", "", other,
     "write `windtunnel.corpus(level1 = 100)` or another function that gives pairs to learn from"},

    // Kinds of declarations, and what begins a line elsewhere.
    {Place::kind, "eval", "evaluation", same, ""},
    {Place::kind, "exam", "evaluation", same, ""},
    {Place::kind, "test", "evaluation", other, ""},
    {Place::kind, "adapter", "lora", same, ""},
    {Place::kind, "dataset", "split", other, ""},
    {Place::kind, "config", "experiment", other, ""},
    {Place::kind, "run", "experiment", other, ""},
    {Place::kind, "study", "experiment", same, ""},
    {Place::kind, "trainer", "train", same, ""},
    {Place::kind, "stage", "train", same, ""},
    {Place::kind, "const", "let", same, ""},
    {Place::kind, "var", "let", same, ""},
    {Place::kind, "val", "let", same, ""},
    {Place::kind, "set", "let", other, ""},
    {Place::kind, "def", "let", other, a_function},
    {Place::kind, "function", "let", other, a_function},
    {Place::kind, "fn", "let", other, a_function},
    {Place::kind, "include", "import", other, "write `import name`"},
    {Place::kind, "require", "import", other, "write `import name`"},
    {Place::kind, "use", "import", other, "write `import name`"},
    {Place::kind, "using", "import", other, "write `import name`"},

    // Ways to train, and other variants.
    {Place::variant, "ppo", "grpo", other,
     "there is no critic here: `grpo` clips ratios as PPO does, `policy_gradient` is REINFORCE"},
    {Place::variant, "ipo", "dpo", other, "`dpo` learns from pairs of a right and a wrong answer"},
    {Place::variant, "dapo", "grpo", other,
     "`grpo` with `clip_higher = 28%, mean_over = tokens` is DAPO's loss"},
    {Place::variant, "dr_grpo", "grpo", other,
     "`grpo` with `standardised = false, mean_over = constant` is Dr. GRPO"},
    {Place::variant, "tritonrl", "grpo", other,
     "`grpo` with `plan_reward(c) = if c.valid then min(c.speedup, 2) else 0, plan_weight = 0.1` is "
     "TritonRL's loss"},
    {Place::variant, "grpotrainer", "grpo", same, ""},
    {Place::variant, "dpotrainer", "dpo", same, ""},
    {Place::variant, "sfttrainer", "sft", same, ""},
    {Place::variant, "rwr", "weighted_sft", same, ""},
    {Place::variant, "gspo", "policy_gradient", other,
     "the nearest is `policy_gradient` with `clip_ratio`, whose ratios are of whole answers, too"},
    {Place::variant, "kto", "dpo", other,
     "there is no KTO; `dpo` learns from pairs of a right and a wrong answer"},
    {Place::variant, "reinforce", "policy_gradient", same, ""},
    {Place::variant, "trloo", "policy_gradient", other,
     "write `train NAME : policy_gradient { turns = 3, … }`, whose baseline is `leave_one_out`; with clipped "
     "ratios `grpo` with `turns = 3, baseline = leave_one_out`"},
    {Place::variant, "rloo", "policy_gradient", other,
     "`policy_gradient` with `baseline = leave_one_out` is RLOO, for several steps with `clip_ratio = 20%`"},
    {Place::variant, "rl", "grpo", other, ""},
    {Place::variant, "finetune", "sft", same, ""},
    {Place::variant, "finetuning", "sft", same, ""},
    {Place::variant, "expert_iteration", "best_of_n", same, ""},
    {Place::variant, "rejection_sampling", "best_of_n", same, ""},
    {Place::variant, "raft", "best_of_n", same, ""},
    {Place::variant, "star", "best_of_n", same, ""},

    // Functions.
    {Place::function, "hf", "huggingface", same, ""},
    {Place::function, "from_pretrained", "huggingface", same, ""},
    {Place::function, "hub", "huggingface", same, ""},
    {Place::function, "local", "path", same, ""},
    {Place::function, "openai", "endpoint", other, an_endpoint},
    {Place::function, "vllm", "endpoint", other, an_endpoint},
    {Place::function, "sglang", "endpoint", other, an_endpoint},
    {Place::function, "server", "endpoint", other, an_endpoint},
    {Place::function, "api", "endpoint", other, an_endpoint},
    {Place::function, "url", "endpoint", other, an_endpoint},
    {Place::function, "folder", "path", same, ""},
    {Place::function, "pass", "pass_at", other, "write `pass_at(1)`"},
    {Place::function, "clip", "clamp", same, ""},
    {Place::function, "pass_k", "pass_at", same, ""},
    {Place::function, "fast_p", "fast", same, ""},
    {Place::function, "product", "grid", other, ""},
    {Place::function, "powerset", "subsets", same, ""},
    {Place::function, "filter", "where", same, ""},
    {Place::function, "choice", "sample", other, ""},
};

constexpr const char* one_choice = "write a choice as `if condition then a else b`";
constexpr const char* a_list = "write a list in brackets: `[1, 2, 3]`, or `1..3` for numbers in a row";
constexpr const char* a_comment = "`#` begins a comment, which ends with its line";
constexpr const char* a_document =
    "write `##` before each line of what documents the next declaration, `#` for a comment";
constexpr const char* an_import =
    "write `import name` for name.trl beside this file or in the library; its declarations are then `name.x`";
constexpr const char* a_block =
    "a value follows `=`, and fields stand in braces: `rank = 8`, `lora a { rank = 8 }`";
constexpr const char* a_declaration =
    "a field names a declaration: write `train name : sft { … }` outside, and `train = name` here";
constexpr const char* a_formula = "write a formula as one expression of its parameter: `reward(c) = …`";
constexpr const char* type_first = "write the type before the sizes: `x: f32[M, N]`";
constexpr const char* no_loop =
    "there are no loops: `vary = …` and `seeds = 1..3` say what is run again, `where(…)` chooses tasks";
constexpr const char* in_full = "write the number in full: 2k is `2000` or, of a power of two, `2048`";
constexpr const char* plain_number = "write the number alone: numbers have no suffixes";
constexpr const char* a_point = "digits stand on both sides of a decimal point: `0.5`, `1.0`";
constexpr const char* sizes = "units of sizes are `KiB`, `MiB` and `GiB`, powers of two";
constexpr const char* times = "units of times are `us`, `ms`, `s`, `min` and `h`";
constexpr const char* both_ends =
    "write a range with two dots and both ends, counted from 1: `[1..4]` is the first four";
constexpr const char* stages = "join stages of training by `->`: `train = imitate -> rl`";
constexpr const char* quoted_name =
    "names of repositories and folders stand in double quotes: `huggingface(\"OWNER/NAME\")`";

/// Notation by a pattern on the line of the error, which must lie in what is matched or at its end. In the
/// pattern `<e>` stands for an expression with brackets in pairs and without a comma outside of them.
/// `instead` is a format of <regex>; null where no edit says the same.
struct Notation {
  const char* pattern;
  const char* instead;
  bool same;
  const char* help;
};

constexpr Notation notations[] = {
    // Tasks.
    {R"re(^(\s*task\b.*\))\s*->\s*[^=]*=)re", "$1 =", other,
     "leave the type out: the expression says what a task gives"},
    {R"re(^(\s*task\b.*\)\s*=\s*)(\S.*?)\s+if\s+(.+?)\s+else\s+(.*\S))re", "$1where($3, $2, $4)", other,
     "`where(condition, x, y)` chooses for each element"},
    {R"re(^(\s*task\b.*?\)\s*)\{\s*(<e>)\s*\}\s*$)re", "$1= $2", other,
     "a task is one expression behind `=`, without braces"},
    {R"re(^\s*task\b.*?\)\s*\{.*)re", nullptr, other, "a task is one expression behind `=`, without braces"},
    {R"re(^(\s*task\b.*?\w\s*:\s*)(\[[\w,\s]*\])\s*((?:bf|f|i|u)\d+|bool)\b)re", "$1$3$2", same, type_first},
    {R"re(^\s*task\b.*?\w\s*:\s*(?=\[))re", nullptr, other, type_first},
    {R"re(^\s*task\b.*\)\s*=\s*\{.*)re", nullptr, other,
     "a task is one expression: write `3 * relu(x)` without naming what is in it"},
    {R"re(^(\s*task\b.*\)\s*=\s*)\(((?:[^(),]|\([^()]*\))+(?:,(?:[^(),]|\([^()]*\))+)+)\)\s*$)re", "$1[$2]",
     other, "several results stand in brackets: `[x, y]`"},
    // Stages of training.
    {R"re((\btrain\s*=\s*[\w.]+(?:\s*->\s*[\w.]+)*)\s*\|\s*(?=\w))re", "$1 -> ", other, stages},
    {R"re((\btrain\s*=\s*[\w.]+(?:\s*->\s*[\w.]+)*),\s*([\w.]+)(\s*)(?=\}|$))re", "$1 -> $2$3", other,
     stages},
    // Lists of fields that take one.
    {R"re((\b(?:columns|targets|variations|seeds|controls|extensions|licenses)\s*=\s*)([\w.]+(?:\([^()]*\))?(?:\s*,\s*[\w.]+(?:\([^()]*\))?)+)(?=\s*(?:$|\}|,\s*\w+\s*[=({])))re",
     "$1[$2]", other, a_list},
    // Comments and documentation.
    {R"re(^\s*//+)re", "#", same, a_comment},
    {R"re(//+(?=\s*[A-Za-z].*$))re", "#", other, a_comment},
    {R"re(//)re", nullptr, other, a_comment},
    {R"re(/\*|\*/)re", nullptr, other, a_comment},
    {R"re(^\s*(?:--+|%+|;+)(?=\s*[A-Za-z]))re", "#", other, a_comment},
    {"\"\"\"|'''", nullptr, other, a_document},
    // Imports.
    {R"re(^\s*from\s+["']?\w+["']?\s+import\b.*)re", nullptr, other, an_import},
    {R"re(^\s*import\s*\{.*)re", nullptr, other, an_import},
    {R"re(^\s*#?(?:include|require|use|using)\b.*)re", nullptr, other, an_import},
    {R"re(^(\s*import\s+[A-Za-z_]\w*)\.trl\b)re", "$1", same, an_import},
    {R"re(^\s*import\s+["']([A-Za-z_]\w*)(?:\.trl)?["'])re", "import $1", same, an_import},
    {R"re(^\s*import\s+["'].*)re", nullptr, other, an_import},
    // Declarations.
    {R"re(\b(?:extends|inherits|derives)\b)re", nullptr, other,
     "write what it derives from behind a `:`, `train name : base { … }`"},
    {R"re(^((?:model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot)\s+\w+)\s*=\s*([A-Za-z_][\w.]*\s*)(?=\{))re",
     "$1 : $2", same, "write what it derives from behind a `:`"},
    {R"re(^(?!(?:import|let|task|model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot))([A-Za-z_]\w*\s*)(?==(?!=)))re",
     "let $1", other, "name a value by `let`, and write a field inside of a declaration's braces"},
    {R"re(^\s*[A-Za-z_]\w*\s+["'])re", nullptr, other, "names have no quotes: `lora writer { rank = 8 }`"},
    {R"re(^\s*[A-Za-z_]\w*\s+\w+-)re", nullptr, other, "names have letters, digits and `_`: `my_adapter`"},
    {R"re(^(?:model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot)\s*(?=\{))re",
     nullptr, other, "a declaration has a name: `lora writer { rank = 8 }`"},
    {R"re(^\s*\[+\w+\]+\s*$)re", nullptr, other, a_block},
    {R"re(^\s*\{)re", nullptr, other, a_block},
    {R"re(\bweights\s*=\s*[A-Za-z][\w.-]*/.*)re", nullptr, other,
     "write `huggingface(\"OWNER/NAME\")`, or `path(\"FOLDER\")`"},
    {R"re((\b(?:huggingface|path)\()([\w./-]+)(?=\)))re", "$1\"$2\"", other, quoted_name},
    // Formulas and choices.
    {R"re(\b([A-Za-z_]\w*)(\s*=\s*)lambda\s+(\w+)\s*:\s*(<e>)\s+if\s+(<e>)\s+else\s+(<e>)(?=\s*(?:[},#]|$)))re",
     "$1($3)$2if $5 then $4 else $6", other, a_formula},
    {R"re(\b([A-Za-z_]\w*)(\s*=\s*)lambda\s+(\w+)\s*:\s*(?!.*\bif\b)(<e>)(?=\s*(?:[},#]|$)))re", "$1($3)$2$4",
     other, a_formula},
    {R"re((=\s*)(?![\s>=]|if\b)(<e>)\s+if\s+(<e>)\s+else\s+(<e>)(?=\s*(?:[},#]|$)))re",
     "$1if $3 then $2 else $4", other, one_choice},
    {R"re(\?)re", nullptr, other, one_choice},
    {R"re(\bel(?:se)?if\b)re", "else if", same, "write `else if`"},
    {R"re((?:^|[^\w.])(?!(?:else|then|and|or|not|in)\b)[\w.)\]]+\s+if\b)re", nullptr, other, one_choice},
    {R"re(\bif\s*\([^()]*\)\s*)re", nullptr, other, one_choice},
    {"<>", "!=", same, "write `!=`"},
    {R"re(~(?=\s*\w))re", "not ", other, "write `not`"},
    {R"re(\$\{?[A-Za-z_])re", nullptr, other,
     "nothing is filled in: name a value by `let rounds = 3` and write `rounds`; `--set path=value` changes "
     "a "
     "field when a command is called"},
    {R"re([\w.]+\s*:\s*(?=\[))re", nullptr, other,
     "write `=` between a path and its values: `grid(a.rank = [8, 16])`"},
    {R"re(\*\*)re", "^", same, "write `^` for a power"},
    {R"re(=>)re", "=", other, "write `=`: a formula is `reward(c) = …`"},
    {R"re(\blambda\b.*)re", nullptr, other, a_formula},
    {R"re(^\s*(?:def|fn|func|function)\b.*)re", nullptr, other, a_function},
    {R"re(\{?\s*return\b.*)re", nullptr, other,
     "formulas and tasks are one expression each, without `return`: `reward(c) = …`"},
    {R"re(\b(?:for|while)\b.*)re", nullptr, other, no_loop},
    {R"re([+*/-]=)re", nullptr, other, "a field has one value, written with `=`: `rounds = 2 * base.rounds`"},
    {R"re(\s%\s)re", nullptr, other, "write the remainder of a division as `mod(a, b)`"},
    // Numbers and their units.
    {R"re(\b4[ -]?bits?\b)re", "nf4", other, "write `nf4`, 4-bit NormalFloat: `quantize = nf4`"},
    {R"re(\b8[ -]?bits?\b)re", "int8", other,
     "write `int8`, or `llm_int8` for activations of 8 bits, too: `quantize = int8`"},
    {R"re(\b0,\d+\b)re", nullptr, other, "write a decimal point: `0.05`"},
    {R"re(\b\d{1,3}(?:,\d{3})+\b)re", nullptr, other, "write the digits without `,`"},
    {R"re(\b0x[0-9a-fA-F]+)re", nullptr, other, "write the number in decimal digits"},
    {R"re(\b(\d+)_(\d{3})_(\d{3})\b)re", "$1$2$3", same, "write the digits without `_`"},
    {R"re(\b(\d+)_(\d+)\b)re", "$1$2", same, "write the digits without `_`"},
    {R"re(\b(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)[fFdD]\b)re", "$1", same, plain_number},
    {R"re(\b\d+(?:\.\d+)?[lLuU]\b)re", nullptr, other, plain_number},
    {R"re(\b(\d+(?:\.\d+)?)\s*([kKMGT]?i?B|[GT]i?)\b)re", nullptr, other, sizes},
    {R"re(\b\d+(?:\.\d+)?[kKmMb]\b)re", nullptr, other, in_full},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:sec|secs|second|seconds)\b)re", "$1 s", same, times},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:mins|minute|minutes)\b)re", "$1 min", same, times},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:hr|hrs|hour|hours)\b)re", "$1 h", same, times},
    {R"re(\b\d+(?:\.\d+)? ?(?:d|day|days)\b)re", nullptr, other, times},
    {R"re(\b(\d+) ?(?:token|tok|toks)\b)re", "$1 tokens", same, "write `tokens`"},
    {R"re(\b(\d+(?:\.\d+)?) ?percent\b)re", "$1%", same, "write `%`"},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:(?:percentage )?points?|pp)\b)re", "$1%", other,
     "write points of a share as `%`: 25 points are `25%`"},
    {R"re(\$\s?(\d+(?:\.\d+)?))re", "$1 usd", same, "write amounts of money in `usd`"},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:dollars|USD)\b)re", "$1 usd", same, "write amounts of money in `usd`"},
    // Ranges and lists.
    {R"re(\.\.\.|\.\.[=<])re", "..", other, both_ends},
    {R"re(\b\d+\s*:\s*-?\d*)re", nullptr, other, both_ends},
    {R"re(\bvary\s*=\s*(?:subsets|fractional|grid|zip)\([^()]*\)\s*,\s*(?:subsets|fractional|grid|zip)\(.*)re",
     nullptr, other,
     "`subsets(a) * grid(b.c = [1, 2])` crosses two designs: each cell of the one with each of the other"},
    {R"re((\bvary\s*=\s*)\{\s*([\w.]+)\s*[:=]\s*(\[[^\]]*\])\s*\})re", "$1grid($2 = $3)", other,
     "write what is varied as `grid(path = [8, 16])`"},
    {R"re(\bvary\s*=\s*\{.*)re", nullptr, other, "write what is varied as `grid(path = [8, 16])`"},
    {R"re(=\s*\{)re", nullptr, other,
     "a list stands in brackets, `[1, 2, 3]`, and a block has no `=`: `share { … }`"},
    {R"re(=\s*\([^(),]*(?=,))re", nullptr, other, a_list},
    {R"re(^\s*-\s+\S.*)re", nullptr, other, a_list},
    {R"re(^(.*[^\w.)\]]|)\.(\d+))re", "$010.$2", same, a_point},
    {R"re((\d)\.(?![\d.\w]))re", "$1.0", other, a_point},
    {R"re(\b(\d+)\.([eE][+-]?\d+)\b)re", "$1.0$2", same, a_point},
    // Texts, names and blocks.
    {R"re(\b[fFbBrRuU]{1,2}["'].*)re", nullptr, other,
     "write the text in full, `\"…\"`: nothing is computed in a text"},
    {R"re(`)re", nullptr, other, "write texts in double quotes, and names without any"},
    {R"re(=\s*[A-Za-z_][\w.]*\s*(?=\{))re", nullptr, other, a_declaration},
    {R"re([{,]?\s*["'][\w.]+["']\s*[:=].*)re", nullptr, other, "names of fields have no quotes: `rank = 8`"},
    {R"re(:\s*$)re", nullptr, other, a_block},
    {R"re(<-)re", nullptr, other, "write `=` between a field and its value"},
};

struct Compiled {
  std::regex pattern;
  const Notation* notation;
};

/// A notation's pattern with what `<e>` stands for.
std::string expanded(std::string pattern) {
  constexpr std::string_view sign = "<e>";
  constexpr std::string_view expression =
      R"re((?:[^,(){}#\[\]]|[(\[](?:[^()\[\]]|[(\[][^()\[\]]*[)\]])*[)\]])+?)re";
  for (std::size_t at = 0; (at = pattern.find(sign, at)) != pattern.npos; at += expression.size())
    pattern.replace(at, sign.size(), expression);
  return pattern;
}

const std::vector<Compiled>& compiled() {
  static const std::vector<Compiled> all = [] {
    std::vector<Compiled> out;
    for (const Notation& n : notations) out.push_back({std::regex(expanded(n.pattern)), &n});
    return out;
  }();
  return all;
}

bool alike(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The edit without what it leaves as it is at its ends.
ForeignNotation::Edit trimmed(ForeignNotation::Edit edit, std::string_view text) {
  while (edit.length > 0 && !edit.text.empty() && text[edit.at] == edit.text.front()) {
    edit.text.erase(0, 1);
    ++edit.at;
    --edit.length;
  }
  while (edit.length > 0 && !edit.text.empty() && text[edit.at + edit.length - 1] == edit.text.back()) {
    edit.text.pop_back();
    --edit.length;
  }
  return edit;
}

/// A size in other units, in those of the language. Makers of GPUs call 80 GiB "80 GB"; elsewhere GB are 1e9
/// bytes.
void convert_size(ForeignNotation& out, const std::smatch& match, std::string_view before) {
  // `TB/s` ends with a time, which has a number here.
  static const std::regex rate(R"re(^\s*/\s*(s|h)\b)re");
  std::smatch per;
  const std::string behind = match.suffix();
  const bool is_rate = std::regex_search(behind, per, rate);
  const std::string time = is_rate ? " / 1 " + per.str(1) : "";
  const double number = std::strtod(match.str(1).c_str(), nullptr);
  const std::string unit = match.str(2);
  const std::size_t power = unit.find_first_of("TGMkK") == 0
                                ? std::string_view("KMGT").find(static_cast<char>(std::toupper(unit[0]))) + 1
                                : 0;
  constexpr double thousand = 1000, binary = 1024;
  const double bytes = number * std::pow(unit.find('i') == unit.npos ? thousand : binary, power);
  const std::string converted = fmt::format("{:.4g} GiB", bytes / std::pow(binary, 3));
  const std::string written = match.str(1) + " " + unit;
  const auto instead = [&](const std::string& text) {
    out.edit = ForeignNotation::Edit{static_cast<std::size_t>(match.position()),
                                     static_cast<std::size_t>(match.length() + (is_rate ? per.length() : 0)),
                                     text + time};
  };
  const std::size_t field = before.rfind('=');
  const std::string_view left = before.substr(0, field == before.npos ? 0 : field);
  const std::size_t last = left.find_last_not_of(' ');
  const bool of_gpu = last != left.npos && left.substr(0, last + 1).ends_with("memory");
  // What cards are sold with; an H200's 141 GB are 140.4 GiB, an H100 NVL's 94 GB 93.6.
  constexpr int sold[] = {4,  6,  8,  10, 11, 12,  16,  20,  24,  32,  40,
                          48, 64, 80, 94, 96, 128, 141, 180, 192, 256, 288};
  if (of_gpu && (unit == "GB" || unit == "G") &&
      std::find(std::begin(sold), std::end(sold), number) != std::end(sold)) {
    out.help = fmt::format("{}; a GPU that is sold with {} GB has about {} GiB: write `{} GiB`", sizes,
                           number, number, number);
    instead(fmt::format("{} GiB", number));
  } else if (of_gpu && (unit == "MB" || unit == "M")) {
    out.help = fmt::format("{}; nvidia-smi's figures are MiB: write `{} MiB`", sizes, number);
    instead(fmt::format("{} MiB", number));
  } else if (of_gpu && unit == "GB") {
    out.help = fmt::format("{}: {} are {}, and a GPU that is sold with that has about {} GiB", sizes, written,
                           converted, number);
  } else {
    out.help = fmt::format("{}: {} are {}", sizes, written, converted);
    if (is_rate) out.help += fmt::format(", and a bandwidth is `{}{}`", converted, time);
    if (bytes >= std::pow(binary, 2)) instead(converted);
  }
}

/// The escape of another language in a quoted text, `\%` of LaTeX, `\d` of regular expressions or `\u03bb` of
/// Python, where the error is at the character behind the backslash, or in the number behind `u`.
std::optional<ForeignNotation> escape_of_text(std::string_view text, std::size_t at) {
  const auto hexadecimal = [](unsigned char c) { return std::isxdigit(c) != 0; };
  std::size_t u = at;
  while (u > 0 && hexadecimal(text[u - 1])) --u;
  if (u > 0 && text[u - 1] == '{') --u;
  if (u > 1 && text[u - 1] == 'u' && text[u - 2] == '\\') at = u - 1;
  std::size_t first = at;
  while (first > 0 && text[first - 1] == '\\') --first;
  if ((at - first) % 2 == 0 || at >= text.size() || static_cast<unsigned char>(text[at]) <= ' ')
    return std::nullopt;
  const char code = text[at];
  ForeignNotation out;
  constexpr std::size_t digits = 4;
  const std::string_view number = text.substr(at + 1, digits);
  if (code == 'u' && number.size() == digits && std::all_of(number.begin(), number.end(), hexadecimal)) {
    out.help = fmt::format("write the character's number in braces: `\\u{{{}}}`", number);
    out.edit = {at + 1, digits, fmt::format("{{{}}}", number)};
    out.same = true;
  } else if (std::string_view("%_&#$'`/~,;:!").find(code) != std::string_view::npos) {
    // These are plain characters here, whatever they are in LaTeX, in a shell or in a regular expression.
    out.help = fmt::format(
        "`{0}` needs no escape: leave the backslash out, or write `\\\\{0}` if the text has one", code);
    out.edit = {at - 1, 1, ""};
  } else {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
      ++length;
    out.help = fmt::format(
        "a backslash in a text is written `\\\\`: `\\\\{}`; the escapes are \\n \\t \\\" \\\\ and \\u{{3bb}}",
        text.substr(at, length));
    out.edit = {at - 1, 1, "\\\\"};
  }
  return out;
}

/// The notation of a line at a column. Its edit's place is a column.
std::optional<ForeignNotation> notation_of_line(const std::string& line, std::size_t column) {
  for (const auto& [pattern, notation] : compiled())
    for (std::sregex_iterator match(line.begin(), line.end(), pattern), none; match != none; ++match) {
      const auto first = static_cast<std::size_t>(match->position()),
                 length = static_cast<std::size_t>(match->length());
      if (column < first || column > first + length) continue;
      ForeignNotation out;
      out.help = notation->help;
      out.same = notation->same;
      if (notation->instead != nullptr)
        out.edit = trimmed({first, length, match->format(notation->instead)}, line);
      if (notation->help == sizes) convert_size(out, *match, std::string_view(line).substr(0, first));
      return out;
    }
  return std::nullopt;
}

}  // namespace

std::vector<const ForeignWord*> foreign_words(Place place, std::string_view written) {
  std::vector<const ForeignWord*> out;
  for (const ForeignWord& word : words)
    if (word.place == place && alike(word.written, written)) out.push_back(&word);
  return out;
}

std::vector<const ForeignWord*> foreign_words(Place place) {
  std::vector<const ForeignWord*> out;
  for (const ForeignWord& word : words)
    if (word.place == place) out.push_back(&word);
  return out;
}

const ForeignSetting* foreign_setting(std::string_view field, std::string value) {
  static const char* const of_trl =
      "in Hugging Face's TRL `loss_type` sets how tokens become one loss, and the rest is a setting of its "
      "own";
  static const std::vector<ForeignSetting> settings = {
      {"loss_type", "grpo", {{"mean_over", "answers"}}, "GRPO's loss"},
      {"loss_type", "bnpo", {{"mean_over", "tokens"}}, "the mean over all tokens of a batch"},
      {"loss_type", "dr_grpo", {{"standardised", "false"}, {"mean_over", "constant"}}, of_trl},
      {"loss_type", "dapo", {{"clip_higher", "28%"}, {"mean_over", "tokens"}}, of_trl},
      {"loss_agg_mode", "token_mean", {{"mean_over", "tokens"}}, "the mean over all tokens, as DAPO"},
      {"loss_agg_mode", "seq_mean_token_mean", {{"mean_over", "answers"}}, "the mean over answers, as GRPO"},
      {"loss_agg_mode",
       "seq_mean_token_sum_norm",
       {{"mean_over", "constant"}},
       "the sum of tokens over a constant, as Dr. GRPO, which also has `standardised = false`"},
      {"adv_estimator", "grpo", {{"baseline", "mean"}}, "the mean of the group is subtracted"},
      {"adv_estimator", "rloo", {{"baseline", "leave_one_out"}}, "the mean of the others is subtracted"},
      {"advantage_estimator", "group_norm", {{"baseline", "mean"}}, "the mean of the group is subtracted"},
      {"advantage_estimator",
       "rloo",
       {{"baseline", "leave_one_out"}},
       "the mean of the others is subtracted"},
      {"advantage_estimator",
       "dr_grpo",
       {{"standardised", "false"}},
       "the advantage isn't divided by a deviation"},
      {"scale_rewards", "none", {{"standardised", "false"}}, "the advantage isn't divided by a deviation"},
      {"scale_rewards",
       "group",
       {{"standardised", "true"}},
       "the advantage is divided by its group's deviation"},
  };
  std::replace(value.begin(), value.end(), '-', '_');
  for (const ForeignSetting& one : settings)
    if (alike(one.field, field) && alike(one.value, value)) return &one;
  return nullptr;
}

std::string help_for(const ForeignWord& word) {
  return *word.help != 0 ? word.help : "write `" + std::string(word.meant) + "`";
}

std::optional<ForeignNotation> foreign_notation(std::string_view text, std::size_t at) {
  if (auto escape = escape_of_text(text, at)) return escape;
  constexpr std::size_t longest = 300;  // a pattern is matched by recursion
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  if (end - begin > longest) return std::nullopt;
  // An editor asks for the same broken lines at each key, and matching all patterns takes a millisecond.
  constexpr std::size_t most = 1024;
  thread_local std::map<std::pair<std::string, std::size_t>, std::optional<ForeignNotation>> kept;
  if (kept.size() >= most) kept.clear();
  const auto [known, fresh] = kept.try_emplace({std::string(text.substr(begin, end - begin)), at - begin});
  if (fresh) known->second = notation_of_line(known->first.first, known->first.second);
  std::optional<ForeignNotation> out = known->second;
  if (out && out->edit) out->edit->at += begin;
  return out;
}

}  // namespace trl::language
