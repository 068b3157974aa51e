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
    // Fields, by their names in Hugging Face's libraries, verl, OpenRLHF, Axolotl, vLLM and configurations of
    // others.
    {Place::field, "lr|learningrate|actor_lr|actor_learning_rate|max_lr|peak_lr", "learning_rate", same, ""},
    {Place::field, "lora_alpha|lora_scaling_alpha", "alpha", same, ""},
    {Place::field, "lora_r|r|lora_rank|adapter_rank|lora_dim", "rank", same, ""},
    {Place::field, "lora_dropout", "dropout", same, ""},
    {Place::field, "target_modules|lora_target_modules|lora_modules|target_module|target_layers|modules",
     "targets", same, "write `targets`, without quotes: `targets = [q_proj, v_proj]`, or `all_linear`"},
    {Place::field, "num_candidates|n_candidates|num_generations", "candidates", same, ""},
    {Place::field, "eval|evaluation|exam|evaluator|evals", "evaluate", same, ""},
    {Place::field,
     "num_epochs|num_train_epochs|n_epochs|ppo_epochs|max_epochs|total_epochs|train_epochs|update_epochs",
     "epochs", same, ""},
    {Place::field, "per_device_train_batch_size", "", other,
     "write `batch`, the samples of an optimiser step: those of a pass on a GPU (`micro_batch`) × steps of "
     "accumulation × GPUs"},
    {Place::field,
     "gradient_accumulation_steps|grad_accum|grad_accum_steps|grad_accumulation|grad_accumulation_steps|"
     "gradient_accumulation|accumulation_steps|accumulate_grad_batches",
     "", other,
     "leave it out, and write as `batch` the samples of an optimiser step: those of a pass on a GPU "
     "(`micro_batch`) × steps of accumulation × GPUs; `accumulation` follows from both"},
    {Place::field, "warmup_ratio|warmup_fraction|lr_warmup_ratio|warmup_proportion|lr_warmup_steps_ratio",
     "warmup", same, ""},
    {Place::field, "warmup_steps|num_warmup_steps|lr_warmup_steps|warmup_epochs|warmup_iters", "", other,
     "`warmup` is a share of the steps: `warmup = 10%`"},
    {Place::field,
     "max_new_tokens|max_completion_length|max_response_length|max_output_tokens|max_completion_tokens|max_"
     "answer_tokens|max_gen_len|max_gen_length|max_gen_tokens|max_gen_toks|response_length|generate_max_len|"
     "token_limit",
     "max_tokens", same, ""},
    {Place::field,
     "max_length|max_seq_length|max_seq_len|max_len|seq_len|seq_length|sequence_length|cutoff_len|block_size|"
     "model_max_length|max_sequence_length",
     "max_tokens", other, "write `max_tokens`, the tokens of an answer alone"},
    {Place::field, "batch_size|train_batch_size|global_batch_size|total_batch_size|effective_batch_size|bs",
     "batch", other, "write `batch`, the samples of an optimiser step over all GPUs"},
    {Place::field, "temp|sampling_temperature|rollout_temperature|eval_temperature", "temperature", same, ""},
    {Place::field,
     "lr_scheduler|lr_scheduler_type|scheduler|lr_schedule|learning_rate_schedule|lr_decay|lr_decay_style|"
     "scheduler_type|decay",
     "schedule", same, ""},
    {Place::field,
     "max_grad_norm|grad_clip|gradient_clipping|grad_norm|clip_grad|clip_grad_norm|gradient_clip_val|"
     "gradient_clip",
     "clip", same, ""},
    {Place::field, "wd|weight_decay_rate|decay_rate|l2", "weight_decay", same, ""},
    {Place::field, "beta", "kl", other,
     "in grpo write `kl`, the weight of the divergence; dpo has `beta`, and the others have no reference to "
     "stay near"},
    {Place::field,
     "kl_coef|kl_coeff|kl_loss_coef|init_kl_coef|kl_beta|kl_weight|kl_lambda|kl_ctrl|kl_penalty_coef", "kl",
     same, ""},
    {Place::field,
     "clip_range|epsilon|cliprange|clip_eps|clip_epsilon|clip_param|ppo_clip|eps_clip|epsilon_low|clip_low|"
     "clip_ratio_low",
     "clip_ratio", same, ""},
    {Place::field, "epsilon_high|clip_ratio_high|clip_high|eps_high|eps_clip_high", "clip_higher", same, ""},
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
     "1.001` for the geometric mean of an answer"},
    {Place::field,
     "scale_rewards|normalize_advantages|normalise_advantages|whiten_advantages|norm_adv|advantage_"
     "normalization|normalize_rewards|normalise_rewards|whiten_rewards",
     "standardised", same, ""},
    {Place::field, "loss_type", "mean_over", other,
     "in grpo write `mean_over`: `answers` as GRPO, `tokens` as DAPO, with `clip_higher = 28%`, `constant` "
     "as Dr. GRPO, with `standardised = false`; the other ways to train have one loss each"},
    {Place::field, "loss_agg_mode", "mean_over", other,
     "in grpo write `mean_over`: `tokens` is token-mean, `answers` seq-mean-token-mean, `constant` "
     "seq-mean-token-sum-norm"},
    {Place::field, "adv_estimator", "baseline", other,
     "write `baseline`: `mean` as GRPO, `leave_one_out` as RLOO; in policy_gradient also `none`"},
    {Place::field, "advantage_estimator", "baseline", other,
     "write `baseline`: `mean` as GRPO, `leave_one_out` as RLOO; in policy_gradient also `none`"},
    {Place::field, "norm_adv_by_std_in_grpo", "standardised", same, ""},
    {Place::field,
     "max_steps|num_steps|n_steps|total_steps|train_steps|training_steps|num_training_steps|total_training_"
     "steps|max_train_steps|total_timesteps|num_updates|max_iters",
     "steps", other, ""},
    {Place::field, "num_rounds|n_rounds", "rounds", same, ""},
    {Place::field, "iterations", "rounds", other, "write `rounds`, of sampling, verifying and training"},
    {Place::field, "num_iterations", "epochs", other, "write `epochs`, passes over the answers of a round"},
    {Place::field, "seed|random_seed|rng_seed|random_state|manual_seed", "seeds", other,
     "write `seeds`: `seeds = 1..3` are three runs, `seeds = [3]` is one"},
    {Place::field,
     "num_seeds|n_seeds|repeats|n_runs|num_runs|runs|repetitions|replicates|n_repeats|num_repeats", "seeds",
     other, "write the seeds themselves: `seeds = 1..3` are three runs"},
    {Place::field, "do_sample|greedy|use_greedy|deterministic", "", other,
     "leave it out: a temperature above 0 samples, and `temperature = 0` takes the most likely tokens alone"},
    {Place::field,
     "train_split|test_split|train_test_split|test_size|train_size|eval_ratio|val_ratio|holdout|held_out|"
     "test_fraction|validation_fraction",
     "", other, two_splits},
    {Place::field, "adam_beta1|adam_beta2|betas|adam_betas|beta1|beta2", "", other, fixed_betas},
    {Place::field,
     "model_name_or_path|model_name|pretrained|model_path|model_id|model_dir|pretrained_model_name_or_path|"
     "pretrained_model|hf_model|repo|repo_id|repository|name|id",
     "weights", other, from_hub},
    {Place::field, "base_model", "model", other, ""},
    {Place::field, "base_url|api_base|url|host|openai_api_base|server_url|endpoint", "", other, an_endpoint},
    {Place::field, "api_key|api_key_env|openai_api_key|auth|bearer|key|api_key_var", "", other,
     "write `weights = endpoint(\"http://…/v1\", name = \"…\", key_env = \"…\")`, which names the variable "
     "that holds the key"},
    {Place::field, "extra_body", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…)"},
    {Place::field, "chat_template_kwargs", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…)"},
    {Place::field, "enable_thinking", "body", other,
     "write `body = [field(\"chat_template_kwargs.enable_thinking\", false)]` in endpoint(…); some servers "
     "want `field(\"enable_thinking\", false)`"},
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
    {Place::field,
     "max_model_len|context_length|context_size|context_window|max_context|n_ctx|max_position_embeddings",
     "context", other, "write `context` in endpoint(…) or random(…); of other weights config.json says it"},
    {Place::field, "max_retries", "attempts", other, "write `attempts` in endpoint(…)"},
    {Place::field,
     "load_in_4bit|bnb_4bit_quant_type|bnb_4bit_compute_dtype|quantization_config|use_4bit|qlora|use_qlora|"
     "nf4",
     "", other, "write `quantize = nf4` in the model"},
    {Place::field, "load_in_8bit", "", other,
     "write `quantize = llm_int8` in the model, or `int8` for 8-bit weights alone"},
    {Place::field, "quantization|quant|quant_type", "quantize", same, ""},
    {Place::field, "quantise", "quantize", same, ""},
    {Place::field, "dtype|torch_dtype|model_dtype|compute_dtype|mixed_precision", "precision", same,
     "write `precision` in the model: `bf16` or `f32`"},
    {Place::field, "bf16|use_bf16", "", other, "the model has it: `model name { precision = bf16 }`"},
    {Place::field, "fp16|use_fp16|half_precision|amp|autocast", "", other,
     "the model has it: `model name { precision = bf16 }`; f16 isn't computed in"},
    {Place::field,
     "use_vllm|vllm|gpu_memory_utilization|enforce_eager|swap_space|max_num_seqs|max_num_batched_tokens|vllm_"
     "mode",
     "", other,
     "sampling has kernels of its own: leave it out; or have a server sample, "
     "`rollout = endpoint(\"http://…/v1\", name = \"…\")` of a way to train"},
    {Place::field, "vllm_server_base_url|vllm_server_host|vllm_server_port|rollout_server|inference_server",
     "rollout", other,
     "write `rollout = endpoint(\"http://…/v1\", name = \"…\")` in a way to train in rounds"},
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
    {Place::field, "max_prompt_length|max_prompt_len|prompt_length|max_input_length|truncation|truncate", "",
     other, "prompts aren't cut: leave it out"},
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
    {Place::field, "gradient_checkpointing|activation_checkpointing|use_reentrant", "", other,
     "layers are computed again where memory needs it: leave it out"},
    {Place::field, "init_lora_weights|init|init_weights", "", other,
     "A is drawn as PEFT draws it and B is 0: leave it out"},
    {Place::field, "modules_to_save", "", other, "adapters have LoRA's matrices alone: leave it out"},
    {Place::field, "rank_pattern", "patterns", other,
     "write `patterns = [modules(\"down_proj\", rank = 32)]`"},
    {Place::field, "alpha_pattern", "patterns", other,
     "write `patterns = [modules(\"down_proj\", alpha = 64)]`"},
    {Place::field, "layers_to_transform|layers|layers_pattern", "targets", other,
     "`targets` are adapted in every layer"},
    {Place::field, "peft_type", "", other, "adapters are LoRA: leave it out"},
    {Place::field, "task_type", "", other, "models are causal language models: leave it out"},
    {Place::field, "device_map", "", other, "`trl run --device cuda` names the device"},
    {Place::field, "attn_implementation|flash_attention|flash_attn|use_flash_attention_2|use_flash_attn", "",
     other, "attention has one way on each device: leave it out"},
    {Place::field, "bits", "quantize", other, "write `quantize = int8` or `nf4`"},
    {Place::field,
     "dataset|dataset_name|dataset_path|data_path|data_dir|data_file|train_file|train_files|train_data|"
     "training_data|corpus|train_dataset",
     "data", other, ""},
    {Place::field, "dataset|dataset_name|dataset_path", "split", other, ""},
    {Place::field, "tasks", "split", same, ""},
    {Place::field, "checkpoint", "weights", other, from_folder},
    {Place::field, "path", "weights", other, from_folder},
    {Place::field, "experiment", "of", same, ""},
    {Place::field, "significance|significance_level|sig_level|p_value|pvalue|p_threshold", "alpha", same, ""},
    {Place::field, "min_effect|minimum_effect", "smallest_effect", same, ""},
    {Place::field,
     "effect_size|effect|mde|min_detectable_effect|margin|equivalence_margin|tolerance|delta|rope",
     "smallest_effect", other, ""},
    {Place::field,
     "sweep|grid|ablation|ablations|ablate|factors|variables|design|levels|conditions|arms|treatments|search_"
     "space|hyperparameters|param_grid|axes",
     "vary", other,
     "write `vary = subsets(inputs, memory)` of extensions, or `vary = grid(writer.rank = [8, 16])` of "
     "settings"},
    {Place::field, "lora|peft_model|adapters", "adapter", same, ""},
    {Place::field, "metrics|metric|column|measures|outcomes", "columns", same, ""},
    {Place::field, "cols", "columns", same, ""},
    {Place::field, "topp", "top_p", same, ""},
    {Place::field, "nucleus", "top_p", same, ""},
    {Place::field, "topk", "top_k", same, ""},
    {Place::field, "min_p", "", other,
     "there is no min_p: `top_p` is a share of the probability, `top_k` a number of tokens"},
    {Place::field,
     "repetition_penalty|presence_penalty|frequency_penalty|no_repeat_ngram_size|typical_p|logit_bias", "",
     other,
     "answers are drawn from the model's own distribution: `temperature`, `top_k` and `top_p` alone change "
     "it"},
    {Place::field,
     "stop_strings|stop_text|stop_seqs|stop_sequence|until|terminators|stop_sequences|stop_words", "stop",
     same, ""},
    {Place::field, "stop_token_ids|stop_token|eos_token|eos_token_id|pad_token|pad_token_id", "", other,
     "the model's own end tokens end an answer: `stop` names texts that end it, too"},
    {Place::field, "optim|optimizer|optimiser|optimizer_type|optim_args|optimizer_name", "", other,
     "the optimiser is AdamW always: leave it out"},
    {Place::field,
     "reward_fn|reward_func|reward_funcs|reward_function|reward_model|rewards|reward_type|score_fn|scorer|"
     "grader|judge|verifier",
     "", other, "write it as a formula: `reward(c) = if c.correct then 1 else 0`"},
    {Place::field, "loss", "", other,
     "the loss is the variant's: `train name : grpo { … }`; see `trl explain train`"},
    {Place::field, "algorithm|method|algo|type|variant|strategy|objective", "", other,
     "name it behind the `:`: `train name : grpo { … }`"},
    {Place::field, "lora_targets", "targets", same, ""},
    {Place::field,
     "mini_batch_size|per_device_batch_size|per_device_batch|per_gpu_batch_size|device_batch_size|micro_"
     "train_batch_size",
     "micro_batch", other,
     "`micro_batch` is the samples in one pass on a GPU, and `batch` those of an optimiser step over all "
     "GPUs"},
    {Place::field, "bias|lora_bias", "", other, "adapters have no biases: leave it out"},
    {Place::field,
     "save_steps|logging_steps|save_strategy|save_total_limit|save_interval|save_freq|save_every|save_model|"
     "logging_strategy|logging_dir|log_every|log_interval|log_freq|log_level|checkpoint_every|checkpoint_"
     "interval",
     "", other, "every stage's result and every step's figures are stored by themselves: leave it out"},
    {Place::field, "output_dir|output|out_dir|save_dir|save_path|ckpt_dir|checkpoint_dir|output_path", "",
     other, "`trl run --out FOLDER` says where tables are written"},
    {Place::field, "num_gpus|n_gpus|n_gpus_per_node|gpus_per_node|gpu_count", "gpus", other,
     "write `gpus` in a `machine`"},
    {Place::field,
     "n|k|group_size|num_return_sequences|num_samples|n_samples|samples|n_samples_per_prompt|num_samples_per_"
     "prompt|samples_per_prompt|samples_per_task|num_samples_per_task|n_samples_per_task|rollouts|num_"
     "rollouts|n_rollouts|rollout_n|rollouts_per_prompt|responses_per_prompt|num_responses|completions|num_"
     "completions|completions_per_prompt|generations|n_generations|num_answers|n_answers|answers|answers_per_"
     "task|best_of",
     "candidates", other, ""},
    {Place::field,
     "n|k|group_size|num_return_sequences|num_samples|n_samples|samples|n_samples_per_prompt|num_samples_per_"
     "prompt|samples_per_prompt|samples_per_task|num_samples_per_task|n_samples_per_task|rollouts|num_"
     "rollouts|n_rollouts|rollout_n|rollouts_per_prompt|responses_per_prompt|num_responses|completions|num_"
     "completions|completions_per_prompt|generations|n_generations|num_answers|n_answers|answers|answers_per_"
     "task|best_of|candidates|num_candidates|num_generations|num_eval_samples|eval_samples|num_trials|n_"
     "trials",
     "samples", other, ""},
    {Place::field, "test|benchmark", "evaluate", other, ""},
    {Place::field,
     "micro_batch_size|ppo_micro_batch_size|ppo_micro_batch_size_per_gpu|micro_batch_size_per_gpu|micro_"
     "batch_size_per_device",
     "micro_batch", same, ""},
    {Place::field,
     "per_device_eval_batch_size|eval_batch_size|infer_batch_size|micro_rollout_batch_size|log_prob_micro_"
     "batch_size|log_prob_micro_batch_size_per_gpu",
     "", other, "how many answers are decoded at once follows from the memory: leave it out"},
    {Place::field,
     "seq_len|seq_length|sequence_length|max_seq_len|max_seq_length|max_length|block_size|sequence_len",
     "sequence", other, ""},
    {Place::field, "ppo_mini_batch_size", "batch", other,
     "write `batch`, the samples of an optimiser step over all GPUs"},
    {Place::field,
     "rollout_batch_size|num_tasks|n_tasks|num_prompts|n_prompts|prompts_per_step|prompts_per_round|prompts_"
     "per_batch|tasks_per_step|tasks_per_batch|batch_tasks|num_questions",
     "tasks_per_round", other, "write `tasks_per_round`, each of which gets `candidates` answers"},
    {Place::field, "min_lr|min_lr_ratio|lr_min|lr_end|end_learning_rate|final_lr", "", other,
     "`cosine` and `linear` fall to 0, and `constant` stays: leave it out"},
    {Place::field, "use_kl_loss|use_kl_in_reward|use_kl", "", other,
     "`kl = 0.01` in grpo gives the divergence from the reference a weight; without it there is none"},
    {Place::field, "kl_penalty|kl_loss_type|kl_estimator", "", other,
     "grpo estimates the divergence by exp(d) - d - 1 (k3): leave it out; `kl` is its weight"},
    {Place::field, "target_kl|kl_target|kl_horizon|adaptive_kl", "", other,
     "the weight of the divergence stays as it is: leave it out; `kl = 0.01` in grpo gives it one"},
    {Place::field, "entropy_coef|entropy_coeff|ent_coef|entropy_bonus|entropy_loss_coef|entropy", "", other,
     "the losses reward no entropy: leave it out; `clip_higher = 28%` of grpo and `temperature` keep answers "
     "different"},
    {Place::field,
     "vf_coef|vf_coeff|value_loss_coef|critic|critic_lr|critic_learning_rate|critic_model|value_model|gae_"
     "lambda|lam|lambd|lambda_|value_clip|cliprange_value",
     "", other, "there is no critic: leave it out; `baseline` says which mean of rewards is subtracted"},
    {Place::field, "dual_clip|clip_ratio_c", "", other, "the loss has no second bound: leave it out"},
    {Place::field,
     "max_steps|num_steps|n_steps|total_steps|train_steps|training_steps|num_training_steps|total_training_"
     "steps|max_train_steps|total_timesteps|num_updates|max_iters",
     "rounds", other,
     "write `rounds`, of sampling, verifying and training; `epochs` and `batch` say how many steps a round "
     "has"},
    {Place::field, "num_beams|n_beams|beam_size|beam_width|use_beam_search|length_penalty", "", other,
     "answers are drawn token by token, without a search: `temperature = 0` takes the most likely one each "
     "time"},
    {Place::field,
     "val_split|validation_split|validation|validation_set|validation_data|validation_file|val_set|val_data|"
     "val_file|val_files|val_dataset|eval_dataset|eval_data|eval_split|dev_set|dev_split|test_set|test_data|"
     "test_dataset|test_tasks|eval_tasks|exam_tasks|prompts|problems|questions",
     "split", other, ""},
    {Place::field,
     "val_split|validation_split|validation|validation_set|validation_data|validation_file|val_set|val_data|"
     "val_file|val_files|val_dataset|eval_dataset|eval_data|eval_split|dev_set|dev_split|val",
     "dev", other, "declare `evaluation tuning { split = … }` on tasks of its own, and write `dev = tuning`"},
    {Place::field, "test_set|test_data|test_dataset", "", other, two_splits},
    {Place::field,
     "prompts|problems|questions|task_set|task_list|train_tasks|training_tasks|suite|suites|prompt_data",
     "tasks", other, ""},
    {Place::field,
     "eval_steps|eval_strategy|evaluation_strategy|evaluation_steps|eval_every|eval_interval|eval_freq|test_"
     "freq|val_check_interval|eval_on_start|do_eval|evaluate_every",
     "", other,
     "the experiment's `dev`, an evaluation, is asked before the first round and after each: declare "
     "`evaluation tuning { … }` and write `dev = tuning`"},
    {Place::field,
     "load_best_model_at_end|metric_for_best_model|early_stopping|early_stopping_patience|patience|greater_"
     "is_better",
     "", other,
     "the last state of training is examined: leave it out; to choose a length, vary it, `vary = "
     "grid(rl.rounds = [4, 8])`, with a `dev`"},
    {Place::field, "adam_epsilon|adam_eps|eps|optimizer_eps", "", other,
     "leave it out: AdamW adds 1e-8 in every way to train"},
    {Place::field, "model|model_name|model_id|deployment", "name", other,
     "write `name`, the model as the server calls it"},
    {Place::field, "tokenizer|tokenizer_name|tokenizer_path|tokenizer_name_or_path", "", other,
     "the tokenizer is the one beside the weights: leave it out"},
    {Place::field, "trust_remote_code", "", other,
     "models that bring their own code aren't run: leave it out"},
    {Place::field, "push_to_hub|hub_model_id|hub_strategy", "", other,
     "nothing is uploaded: `trl export adapter` writes a folder that `hf upload` takes"},
    {Place::field, "hf_token|token|use_auth_token|cache_dir|hf_home|local_files_only", "", other,
     "weights are read from Hugging Face's cache on this machine, where `hf download OWNER/NAME` puts them: "
     "leave it out"},
    {Place::field, "base_url|api_base|url|host|server_url|endpoint", "address", other, ""},
    {Place::field,
     "max_concurrency|max_parallel|num_concurrent|n_parallel|parallel|max_connections|max_workers|workers",
     "concurrency", other, ""},
    {Place::field, "rpm|max_rpm|rate_limit", "requests_per_minute", other, ""},
    {Place::field, "tpm|max_tpm", "tokens_per_minute", other, ""},
    {Place::field, "request_timeout|timeout_s|timeout_seconds", "timeout", other, ""},
    {Place::field, "retries|max_attempts", "attempts", other, ""},
    {Place::field, "system_prompt|system_message", "system", other,
     "write `system` in endpoint(…); a prompt of one's own is `prompt = \"…{task}…\"` of the model"},
    {Place::field,
     "prompt_template|prompt_format|prompt_text|instruction|instructions|template|system_prompt|system_"
     "message",
     "prompt", other, "write `prompt = \"…{task}…\"` in the model"},
    {Place::field, "chat_template", "", other,
     "the model's own is used: leave it out; `prompt = \"…{task}…\"` of the model says what is asked"},
    {Place::field, "few_shot|fewshot|num_shots|n_shots|n_shot|shots|num_fewshot|k_shot|examples", "prompt",
     other, "write `prompt = one_shot` in the model, or a text with {example} in it"},
    {Place::field,
     "deepspeed|fsdp|zero_stage|accelerate|ddp_find_unused_parameters|distributed|world_size|num_processes|"
     "tensor_parallel_size|tensor_model_parallel_size|pipeline_parallel_size|data_parallel_size|nnodes|num_"
     "nodes|gpu_ids|devices",
     "", other,
     "a run takes the GPUs that are there, or `--gpus` of them: leave it out; `gpus` of a `machine` says for "
     "how many it is meant"},
    {Place::field,
     "dataloader_num_workers|num_workers|pin_memory|packing|group_by_length|remove_unused_columns|shuffle|"
     "drop_last|streaming|dataset_num_proc|num_proc",
     "", other, "batches are made by themselves, in an order that the seed draws: leave it out"},
    {Place::field,
     "completion_only_loss|assistant_only_loss|train_on_prompt|train_on_inputs|mask_prompt|mask_inputs", "",
     other, "answers alone are trained on, and prompts never: leave it out"},
    {Place::field, "input_key|label_key|text_field|dataset_text_field|prompt_key", "", other,
     "a corpus knows the fields of its rows: leave it out"},
    {Place::field, "torch_compile|compile", "", other,
     "training and sampling have kernels of their own: leave it out; `second_baseline = compiled` of an "
     "evaluation compares answers with torch.compile"},
    {Place::field, "use_lora|peft|use_peft|peft_config|lora_config|lora_args", "", other,
     "declare `lora writer { rank = 16 }`, and write `adapter = writer` in the experiment"},
    {Place::field, "scaling|lora_scale|lora_scaling", "alpha", other,
     "the update is multiplied by alpha / rank: write `alpha = 32`"},
    {Place::field, "rslora", "use_rslora", same, ""},
    {Place::field, "dora", "use_dora", same, ""},
    {Place::field, "measure|outcome|dependent|column", "metric", other, ""},
    {Place::field, "confidence|confidence_level|conf_level|ci|ci_level", "alpha", other,
     "write `alpha`, the chance of a false claim: a confidence of 95% is `alpha = 5%`"},
    {Place::field, "power", "", other,
     "`smallest_effect` says which effect is to be found with a power of 80%; `trl power FILE` says how many "
     "seeds and samples that takes"},
    {Place::field, "test|correction|multiple_testing|bonferroni|fdr|holm|adjust", "", other,
     "hypotheses about an experiment are corrected together (Holm): leave it out"},
    {Place::field, "direction|alternative|sides", "expect", other,
     "write `expect = greater`, `less`, `different` or `same`"},
    {Place::field, "control|baseline|compare|compare_to|compared_to|compare_with|relative_to|versus|vs",
     "against", other, "write `against = …`, a control; what is varied is a `contrast = …`"},
    {Place::field, "treatment|factor|variable", "contrast", other, ""},
    {Place::field, "baselines|baseline|control", "controls", other, ""},
    {Place::field, "experiments", "of", other, ""},
    {Place::field, "trainer|training|stages|pipeline|recipe|phases", "train", other, ""},
    {Place::field, "hardware|device|gpu|gpu_type|gpu_name|accelerator|cluster", "machine", other,
     "declare `machine h100 { memory = 80 GiB }`, and write `machine = h100`"},
    {Place::field, "gpu_memory|vram|hbm", "memory", same, ""},
    {Place::field, "memory_bandwidth|mem_bandwidth", "bandwidth", same, ""},
    {Place::field, "cpus|num_cpus|n_cpus|cpu_cores|num_cores", "cores", same, ""},
    {Place::field, "flops|tflops|peak_flops", "compute", other,
     "write `compute`, operations per second: 989 TFLOPS are `compute = 989e12`"},
    {Place::field, "price|cost|hourly_price|hourly_cost|price_per_hour|cost_per_hour", "on_demand", other,
     "write `on_demand = 6.84 usd / 1 h`, or `spot`"},
    {Place::field,
     "price|cost|input_price|prompt_price|price_per_token|cost_per_token|price_per_1k|price_per_million|"
     "input_cost",
     "price_in", other, "write `price_in` and `price_out`, the prices of a million tokens, in endpoint(…)"},
    {Place::field, "output_price|completion_price|output_cost", "price_out", other,
     "write `price_out`, the price of a million tokens, in endpoint(…)"},
    {Place::field, "lang|kernel_language|target_language|backend|dsl", "language", other, ""},
    {Place::field, "features|augmentations", "extensions", other, ""},
    {Place::field, "augment|perturbations|transforms", "variations", other, ""},
    {Place::field, "shares|mix|mixture|proportions", "share", other, ""},
    {Place::field, "credits|partial_credit", "failing", other, ""},
    {Place::field, "keep_best|num_keep|n_keep|keep_top", "keep", other, ""},
    {Place::field, "reward_threshold|score_threshold|min_score|threshold", "min_reward", other, ""},
    {Place::field, "selection|select_by|selection_strategy", "keep_by", other, ""},
    {Place::field, "num_pairs|n_pairs|pairs_per_prompt", "pairs", other, ""},
    {Place::field, "title|heading", "caption", other, ""},
    {Place::field, "x_axis|xaxis", "x", other, ""},
    {Place::field, "y_axis|yaxis|metric", "y", other, ""},
    {Place::field, "sort_by|order_by|sort", "", other, "rows stand in the order of the design: leave it out"},
    {Place::field, "digits|decimals", "", other,
     "figures have the digits that their intervals allow: leave it out"},
    {Place::field, "min_tokens|min_new_tokens|min_length", "", other,
     "an answer ends where the model ends it: leave it out"},
    {Place::field, "reward_scale|reward_scaling|reward_clip", "", other,
     "a reward goes from 0 to 1: scale and clamp it in its formula, `reward(c) = min(c.speedup / 2, 1)`"},
    {Place::field,
     "logger|wandb|use_wandb|wandb_project|wandb_entity|wandb_run_name|tensorboard|mlflow|tracker", "", other,
     "`trl results export --wandb` or `--tensorboard` writes what was measured"},
    {Place::field, "resume|resume_from_checkpoint|load_checkpoint|overwrite_output_dir", "", other,
     "a run that was stopped goes on by itself, and a finished result is found again: leave it out"},
    {Place::field, "name|id|project|project_name|experiment_name|exp_name|run_name|job_name", "", other,
     "the name stands behind the kind: `experiment NAME { … }`"},
    {Place::field, "description|desc|doc|comment|notes|tags", "", other,
     "a comment of two signs documents what follows: `## What does it show?`"},

    {Place::field, "tf32|allow_tf32", "", other,
     "`precision = tf32` of a way to train and of an evaluation allows it to answers"},
    {Place::field, "author|version|date", "", other,
     "a comment of two signs documents what follows: `## What does it show?`"},
    {Place::field, "curriculum", "", other,
     "declare `extension pace : adaptive_curriculum { share { … } }`, and write `extensions = [pace]` or "
     "`vary = subsets(pace)`"},
    {Place::field, "hypothesis|hypotheses|claim|claims|contrast_with", "", other,
     "declare it beside the experiment: `hypothesis NAME { of = EXPERIMENT, contrast = … }`"},
    {Place::field, "table|tables|results|report", "", other,
     "declare it beside the experiment: `table NAME { of = EXPERIMENT, columns = [correct] }`"},
    {Place::field, "plot|plots|figure|figures|curves", "", other,
     "declare it beside the experiment: `plot NAME { of = EXPERIMENT, y = correct }`"},
    {Place::field, "cuda", "", other,
     "`language = cuda` of the experiment asks for CUDA kernels; `trl run --device cuda` names the device"},
    {Place::field, "format|file|filename|output_format", "", other,
     "`trl run --out FOLDER` writes each table as Markdown, LaTeX and JSON"},
    {Place::field, "xlabel|ylabel|x_label|y_label", "", other,
     "axes are named by what is on them: leave it out"},
    {Place::field, "gpu|gpu_type|gpu_name", "memory", other,
     "a GPU is described by what it has: `memory = 80 GiB, bandwidth = 3350e9 / 1024 ^ 3 * (1 GiB / 1 s), "
     "compute = 990e12` is an H100; `gpus` is how many there are"},
    {Place::field, "ram", "memory", other, "write `memory`, that of one GPU"},

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
    {Place::value, "4", "nf4", other, ""},
    {Place::value, "8", "int8", other, ""},
    {Place::value, "16", "bf16", other, ""},
    {Place::value, "32", "f32", other, ""},
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
    {Place::value, "passed|pass|success|succeeded|is_correct|correctness|ok|right|solved", "correct", other,
     ""},
    {Place::value,
     "step|steps|global_step|training_step|epoch|epochs|iteration|iterations|iter|update|updates", "round",
     other, ""},
    {Place::value, "sample|samples|answers|completions|rollouts|generations", "candidates", other, ""},
    {Place::value, "rewards|mean_reward|avg_reward|average_reward|returns|score|scores", "reward", other, ""},
    {Place::value, "reward|rewards|mean_reward|avg_reward|average_reward|returns|score|scores", "correct",
     other, "an exam measures no reward: write `correct`, the share of correct answers, or `speedup`"},
    {Place::value, "compiles|does_compile|compilation", "compiled", other, ""},
    {Place::value, "speed|faster|speed_up|ratio", "speedup", other, ""},
    {Place::value, "latency|runtime|duration|elapsed|time_us", "time", other, ""},
    {Place::value, "length|num_tokens|n_tokens|token_count|len", "tokens", other, ""},
    {Place::value, "num_kernels|kernels|num_launches|n_launches", "launches", other, ""},
    {Place::value, "higher|increase|increases|better|more|larger|bigger|improvement|positive", "greater",
     other, ""},
    {Place::value, "lower|decrease|decreases|worse|fewer|smaller|negative", "less", other, ""},
    {Place::value, "equal|equals|equivalent|no_difference|no_effect|unchanged|similar", "same", other, ""},
    {Place::value, "two_sided|unequal|not_equal|differs|any_difference", "different", other, ""},
    {Place::value, "all", "cells", other, "write `cells + controls`, or leave the field out"},
    {Place::value, "baseline|base|baselines|untrained", "cells", other,
     "the model before training is always the last row: leave it out, `rows = cells + controls`"},
    {Place::value, "constant_with_warmup|warmup_constant|constant_lr|flat", "constant", other,
     "write `constant`; the warm-up before it is a field of its own, `warmup = 10%`"},
    {Place::value,
     "cosine_with_restarts|cosine_with_min_lr|cosine_annealing|cosine_decay|warmup_cosine|cosine_with_"
     "warmup",
     "cosine", other, "write `cosine`: it falls to 0 once, behind a warm-up of `warmup = 10%` of the steps"},
    {Place::value, "linear_with_warmup|linear_decay|warmup_linear|polynomial|inverse_sqrt|wsd", "linear",
     other, "write `linear` or `cosine`: both fall to 0 behind a warm-up of `warmup = 10%` of the steps"},
    {Place::value, "sft|sft_model|initial|init|base_model|ref_model|imitation", "start", other,
     "write `start`: the policy as it was before this training"},
    {Place::value, "!=", "different", other, ""},
    {Place::value, ">", "greater", other, ""},
    {Place::value, "<", "less", other, ""},
    {Place::value, "==", "same", other, ""},
    {Place::value, "=", "same", other, ""},
    {Place::value, "pass@…", "pass_at", other, "write `pass_at(…)`"},
    {Place::value, "fast@…", "fast", other, "write `fast(…)`"},
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

    // Kinds of declarations, and words that begin a line in other languages.
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
    {Place::function, "product|cross|factorial", "grid", other,
     "`subsets(a) * grid(b.c = [1, 2])` crosses two designs: each cell of the one with each of the other"},
    {Place::function, "powerset", "subsets", same, ""},
    {Place::function, "filter", "where", same, ""},
    {Place::function, "choice", "sample", other, ""},
    // Operators, in conditions on tasks.
    {Place::function, "gemm|mm|dot|addmm|dense|einsum", "matmul", other,
     "write `has(matmul)` for products of matrices; `bmm` and `linear` are operators of their own"},
    {Place::function, "fc|fully_connected|projection", "linear", other, ""},
    {Place::function, "conv|convolution|conv2", "conv2d", other, ""},
    {Place::function, "attention|sdpa|flash_attention", "scaled_dot_product_attention", other, ""},
    {Place::function, "layernorm|ln", "layer_norm", other, ""},
    {Place::function, "rmsnorm", "rms_norm", other, ""},
    {Place::function, "batchnorm|bn", "batch_norm", other, ""},
    {Place::function, "max_reduce|reduce_max", "amax", other, ""},
    {Place::function, "swish", "silu", same, ""},
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

/// A notation of another language, found by a pattern on the line of the error. The error must lie within the
/// matched text or at its end. In the pattern, `<e>` stands for an expression with balanced brackets and
/// without a comma outside of them. `instead` is the replacement as a format of <regex>; null if no
/// replacement means the same.
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
    {R"re(^(\s*task\s+\w+)\(([^()]*=[^()]*)\)(\s*)(?=\())re", "$1[$2]$3", same,
     "sizes stand in brackets behind the name: `task t[N = 1024](x: f32[N]) = relu(x)`"},
    // Stages of training.
    {R"re((\btrain\s*=\s*[\w.]+(?:\s*->\s*[\w.]+)*)\s*(?:\||=>|>>|→)\s*(?=\w))re", "$1 -> ", other, stages},
    {R"re((\btrain\s*=\s*[\w.]+(?:\s*->\s*[\w.]+)*),\s*([\w.]+)(\s*)(?=\}|$))re", "$1 -> $2$3", other,
     stages},
    {R"re((\brows\s*=\s*[\w.]+(?:\s*\+\s*[\w.]+)*),\s*(cells|controls|baseline|imported|base)\b(?!\s*[=(]))re",
     "$1 + $2", other, "rows are joined by `+`: `rows = cells + controls`"},
    // Lists of fields that take one.
    {R"re((\b(?:columns|targets|variations|seeds|controls|extensions|licenses)\s*=\s*)([\w.]+(?:\([^()]*\))?(?:\s*,\s*[\w.]+(?:\([^()]*\))?)+)(\s*)(?=$|\}|,\s*\w+\s*[=({]))re",
     "$1[$2]$3", other, a_list},
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
    {R"re(^(\s*\w+\s+\w+)\s+(?:extends|inherits|derives|from)(?:\s+from)?\s+([\w.]+\s*)(?=\{))re", "$1 : $2",
     same, "write what it derives from behind a `:`, `train name : base { … }`"},
    {R"re(\b(?:extends|inherits|derives)\b)re", nullptr, other,
     "write what it derives from behind a `:`, `train name : base { … }`"},
    {R"re(^((?:model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot)\s+\w+)\s*=\s*([A-Za-z_][\w.]*\s*)(?=\{))re",
     "$1 : $2", same, "write what it derives from behind a `:`"},
    {R"re(^(?!(?:import|let|task|model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot))([A-Za-z_]\w*\s*)(?==(?!=)))re",
     "let $1", other, "name a value by `let`, and write a field inside of a declaration's braces"},
    {R"re(^(train\s+)["']?(sft|best_of_n|policy_gradient|weighted_sft|grpo|dpo|pretrain)["']?\s+["']?([A-Za-z_]\w*)["']?\s*(?=\{))re",
     "$1$3 : $2 ", other, "the name stands before the variant: `train NAME : grpo { … }`"},
    // Headers of HCL, `train "rl" "grpo" {`, and of assignments, `experiment "mine" = {`.
    {R"re(^((?:model|lora|split|suite|extension|train|evaluation|machine|experiment)\s+)["']?([A-Za-z_]\w*)["']?\s+["']?([A-Za-z_][\w.]*)["']?\s*(?=\{))re",
     "$1$2 : $3 ", other,
     "the variant or what is derived from stands behind a `:`: `train NAME : grpo { … }`"},
    {R"re(^((?:model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot)\s+)["']?([A-Za-z_]\w*)["']?(?:\s*=)?\s*(?=\{))re",
     "$1$2 ", same, "names have no quotes, and a block no `=`: `lora writer { rank = 8 }`"},
    {R"re(^\s*[A-Za-z_]\w*\s+["'])re", nullptr, other, "names have no quotes: `lora writer { rank = 8 }`"},
    {R"re(^\s*[A-Za-z_]\w*\s+\w+-)re", nullptr, other, "names have letters, digits and `_`: `my_adapter`"},
    {R"re(^(?:model|lora|split|suite|extension|train|evaluation|machine|experiment|hypothesis|table|plot)\s*(?=\{))re",
     nullptr, other, "a declaration has a name: `lora writer { rank = 8 }`"},
    {R"re(^((?:hypothesis|table|plot)\s+\w+)\s+(\w+\s*)(?=\{))re", "$1_$2", other,
     "a name is one word of letters, digits and `_`"},
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
    {R"re(\b(\d+(?:\.\d+)?)\s*(?:TFLOPS?|TFLOP/s|TOPS)\b)re", "$1e12", other,
     "operations per second are a number: 989 TFLOPS are `989e12`"},
    {R"re(\$\s?(\d+(?:\.\d+)?))re", "$1 usd", same, "write amounts of money in `usd`"},
    {R"re(\b(\d+(?:\.\d+)?) ?(?:dollars|USD)\b)re", "$1 usd", same, "write amounts of money in `usd`"},
    // Blocks, and functions without their brackets.
    {R"re((\b(?:share|failing|override)\s*)=\s*(?=\{))re", "$1", same, "a block has no `=`: `share { … }`"},
    {R"re(\b(scale|resize|cast|fast|pass_at|correct_after)\s+(\d+(?:\.\d+)?%?|[a-z]+\d+)(?=\s*[,\])}]))re",
     "$1($2)", other, "what a function takes stands in brackets: `scale(2)`"},
    {R"re(\b(\d+(?:\.\d+)?)[xX]\b)re", "$1", other, "a factor is the number alone: `1.5`, or `150%`"},
    {R"re([{,]\s*[A-Za-z_]\w*\s*[<>]=?\s*\d)re", nullptr, other,
     "a field has one value, written with `=`: `min_reward = 0.5`"},
    {R"re(\[\s*0?\s*:\s*(\d+)\s*\])re", "[1..$1]", other, both_ends},
    {R"re(([\w.]+(?:\([^()]*\))?)\s+as\s+("[^"]*"))re", "titled($1, $2)", other,
     "a column's own title stands behind it: `titled(correct, \"solved\")`"},
    // Ranges and lists.
    {R"re(\.\.\.|\.\.[=<])re", "..", other, both_ends},
    {R"re(\b\d+\s*:\s*-?\d*)re", nullptr, other, both_ends},
    {R"re(\bvary\s*=\s*(?:subsets|fractional|grid|zip)\([^()]*\)\s*,\s*(?:subsets|fractional|grid|zip)\(.*)re",
     nullptr, other,
     "`subsets(a) * grid(b.c = [1, 2])` crosses two designs: each cell of the one with each of the other"},
    {R"re((\bvary\s*=\s*)\{\s*([\w.]+)\s*[:=]\s*(\[[^\]]*\])\s*\})re", "$1grid($2 = $3)", other,
     "write what is varied as `grid(path = [8, 16])`"},
    {R"re((\bvary\s*=\s*)([\w.]+)\s+in\s+(\[[^\]]*\]))re", "$1grid($2 = $3)", other,
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

/// A notation's pattern with `<e>` written out.
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

/// Whether two words only differ in capitals and underscores: `batchSize` and `batch_size`.
bool alike(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  const auto next = [](std::string_view word, std::size_t& at) {
    while (at < word.size() && word[at] == '_') ++at;
    return at < word.size() ? std::tolower(static_cast<unsigned char>(word[at++])) : 0;
  };
  while (const int one = next(a, i))
    if (one != next(b, j)) return false;
  return next(b, j) == 0;
}

/// Whether a written word is one of the spellings in a table's entry, which `|` separates.
bool spells(std::string_view spellings, std::string_view written) {
  for (std::size_t at = 0, end = 0; at <= spellings.size(); at = end + 1) {
    end = std::min(spellings.find('|', at), spellings.size());
    if (alike(spellings.substr(at, end - at), written)) return true;
  }
  return false;
}

/// Returns the edit without the parts at its ends that it doesn't change.
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

/// Converts a size in other units to the language's units. Makers of GPUs call 80 GiB "80 GB"; elsewhere GB
/// are 1e9 bytes.
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
  // The sizes that cards are sold with; an H200's 141 GB are 140.4 GiB, an H100 NVL's 94 GB 93.6.
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
    // Here these are plain characters, although they have a meaning in LaTeX, in a shell or in a regular
    // expression.
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

/// Returns the notation at a column of a line. In the result, the edit's place is a column, too.
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
    if (word.place == place && spells(word.written, written)) out.push_back(&word);
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
  static const char* const samples = "leave it out: a temperature above 0 samples";
  static const char* const likeliest = "the most likely tokens alone";
  static const char* const not_quantised = "leave it out: weights are quantised where a model has `quantize`";
  static const char* const computed_in =
      "leave it out: a model without `precision` is computed in bf16, and "
      "`precision = f32` of the model says otherwise";
  static const std::vector<ForeignSetting> settings = {
      {"do_sample", "true", {}, samples},
      {"do_sample", "false", {{"temperature", "0"}}, likeliest},
      {"greedy", "true", {{"temperature", "0"}}, likeliest},
      {"greedy", "false", {}, samples},
      {"use_greedy", "true", {{"temperature", "0"}}, likeliest},
      {"use_greedy", "false", {}, samples},
      {"deterministic", "true", {{"temperature", "0"}}, likeliest},
      {"deterministic", "false", {}, samples},
      {"load_in_4bit", "false", {}, not_quantised},
      {"load_in_8bit", "false", {}, not_quantised},
      {"use_4bit", "false", {}, not_quantised},
      {"use_qlora", "false", {}, not_quantised},
      {"qlora", "false", {}, not_quantised},
      {"bf16", "false", {}, computed_in},
      {"use_bf16", "false", {}, computed_in},
      {"fp16", "false", {}, computed_in},
      {"use_fp16", "false", {}, computed_in},
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
