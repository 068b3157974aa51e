// The stage `sample`: samples answers of a model to tasks.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/contract/adapter.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/words.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/spec.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "base/tensors/made_on.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/group/group.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/sample/drift.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/sample/generate_on_gpu.hpp"
#include "runtime/sample/policy.hpp"
#include "runtime/sample/share.hpp"
#include "runtime/sample/turns.hpp"
#include "runtime/train/documents.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

// Returns how many sequences fit into 40 GiB. Each needs its keys and values, two bytes per entry, and while
// prompts are read the feed-forward layer's activations.
std::int64_t rows_on_gpu(const ModelConfig& config, const std::vector<Prompt>& prompts,
                         std::int64_t max_tokens) {
  std::int64_t longest = 0;
  for (const auto& prompt : prompts)
    longest = std::max(longest, static_cast<std::int64_t>(prompt.tokens.size()));
  const auto cache = 4 * config.layers * config.kv_heads * config.head_size * (longest + max_tokens);
  const auto reading = 8 * (config.intermediate + config.hidden) * longest;
  return std::clamp<std::int64_t>((std::int64_t{40} << 30) / (cache + reading), 64, 1024);
}

// Returns the first answer to each task, as the model read and wrote it.
std::vector<Document> first_answers(const std::vector<Prompt>& prompts,
                                    const std::vector<std::vector<Answer>>& answers) {
  std::vector<Document> documents;
  for (std::size_t t = 0; t < prompts.size(); ++t) {
    const auto& answer = answers[t].front();
    Document document{prompts[t].tokens, prompts[t].tokens.size()};
    document.tokens.insert(document.tokens.end(), answer.tokens.begin(), answer.tokens.end());
    if (const auto end = answer.end_token()) document.tokens.push_back(*end);
    documents.push_back(std::move(document));
  }
  return documents;
}

/// What the stage asks: the prompts, and for each prompt what its answers are about.
struct Asked {
  std::vector<Prompt> prompts;
  std::vector<std::size_t> tasks;     ///< of each prompt, in tasks.json
  std::vector<std::int64_t> samples;  ///< the number of each prompt's first sample
  std::vector<std::string> texts;     ///< of the prompts
  std::int64_t ended_by_context = 0;  ///< episodes
};

RandomKey stream_of(const contract::SampleSpec& spec, const std::string& task, std::int64_t sample) {
  const auto turn = spec.turn > 1 ? fmt::format("/turn {}", spec.turn) : "";
  return random_key(fmt::format("{}/{}/{}/{}/{}{}", static_cast<std::int64_t>(spec.seed), spec.purpose, task,
                                spec.round, sample, turn));
}

/// Makes the prompts. In a first turn, one prompt for each task serves all samples; in a later turn, each
/// episode that goes on has its own prompt.
Asked asked(Stage& stage, const contract::SampleSpec& spec, const std::vector<Task>& tasks,
            const PromptFormat& format, std::int64_t context) {
  const auto language = kernel_language(contract::word(spec.language));
  std::vector<std::string> own;
  for (const auto& task : tasks) own.push_back(trl::asked(spec.prompt, prompt(task, language)));
  Asked asked;
  if (spec.turn > 1) {
    auto next = next_turns(stage.input("candidates"), stage.input("verdicts"), own, spec.feedback, format,
                           context, spec.sampling.max_tokens);
    asked.ended_by_context = next.ended_by_context;
    for (auto& one : next.prompts) {
      asked.prompts.push_back({std::move(one.tokens), {stream_of(spec, tasks[one.task].key, one.sample)}});
      asked.tasks.push_back(one.task), asked.samples.push_back(one.sample);
      asked.texts.push_back(std::move(one.prompt));
    }
    return asked;
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Prompt entry{format.prompt(own[t]), {}};
    for (std::int64_t sample = 0; sample < spec.samples; ++sample)
      entry.samples.push_back(stream_of(spec, tasks[t].key, sample));
    asked.prompts.push_back(std::move(entry));
    asked.tasks.push_back(t), asked.samples.push_back(0);
  }
  asked.texts = std::move(own);
  return asked;
}

contract::Drawn drawn_of(const Answer& answer) {
  contract::Drawn drawn{{answer.tokens.begin(), answer.tokens.end()}, {}};
  if (const auto end = answer.end_token()) drawn.tokens.push_back(*end);
  // Rounded to six digits after the decimal point, about as precise as f32.
  for (const float score : answer.scores)
    drawn.scores.push_back(std::round(static_cast<double>(score) * 1e6) / 1e6);
  return drawn;
}

nlohmann::json sample(Stage& stage, const Group& group) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spec = spec_as<contract::SampleSpec>(stage.spec);
  GenerateSettings settings;
  settings.temperature = spec.sampling.temperature;
  settings.top_k = spec.sampling.top_k;
  settings.top_p = spec.sampling.top_p;
  settings.max_tokens = spec.sampling.max_tokens;
  settings.threads = std::max(1, stage.threads);
  settings.scores = spec.scores;
  if (spec.samples < 1 || settings.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");

  const auto folder = stage.input("model");
  const auto device = open_device(stage.device);
  note_device(stage.made_on, device);
  require_alike(group, stage.made_on);
  const auto model =
      load_frozen(folder, device, compute_type(device, spec.precision), storage_named(spec.quantize));
  const auto tokenizer = Tokenizer::load(folder / "tokenizer.json");
  const auto format = format_of(folder, model->config(), tokenizer);
  settings.ends = format->ends();
  settings.choices = tokenizer.size();
  if (!spec.sampling.stop.empty())
    settings.stop = std::make_shared<const StopTexts>(tokenizer, spec.sampling.stop);
  const Policy policy(model,
                      stage.inputs.contains("adapter")
                          ? std::optional(read_adapter(stage.input("adapter"), model->config()))
                          : std::nullopt,
                      spec.adapter == contract::Sampled::merged);

  std::vector<Task> tasks;
  for (const auto& task : read_json(stage.input("tasks") / "tasks.json")) tasks.push_back(Task::parse(task));
  const auto asked = runtime::asked(stage, spec, tasks, *format, model->config().context);
  const auto& prompts = asked.prompts;

  const auto count_of = [](const std::vector<Prompt>& some) {
    std::int64_t count = 0;
    for (const auto& prompt : some) count += static_cast<std::int64_t>(prompt.samples.size());
    return count;
  };
  const bool loops = device.is_cpu() && !policy.needs_tensors();
  const bool kernels = !loops && policy.reason_against_kernels().empty();
  // With tensor operations, an answer's bits may depend on which answers are sampled beside it, so rank 0
  // samples all of them.
  auto shares = sample_shares(prompts, loops || kernels ? group.size() : 1);
  shares.resize(static_cast<std::size_t>(group.size()));
  const auto& own = shares[static_cast<std::size_t>(group.rank())].prompts;
  const auto total = count_of(prompts), of_own = count_of(own);
  std::int64_t reported = -1;
  const GenerateProgress progress = [&](std::int64_t done, std::int64_t) {
    stage.check_cancelled();
    // The progress of all processes is estimated from this one's.
    if (done != reported) stage.progress((reported = done) * total / of_own, total, "candidates");
  };
  std::vector<std::vector<Answer>> answers;
  if (own.empty()) {
    // This process has nothing to sample: every episode is over, there are fewer answers than processes, or
    // rank 0 samples all of them.
  } else if (loops) {
    answers = model->quantised() || policy.unmerged()
                  ? generate(*model, policy.adapter(), own, settings, progress)
                  : generate(model->config(), policy.weights(), own, settings, progress);
  } else if (kernels) {
    settings.rows = kMostColumns;
    answers = generate_on_gpu(policy.merged(), own, settings, progress, decode_storage(*model),
                              policy.unmerged() ? policy.adapter() : nullptr);
  } else {
    if (!device.is_cpu()) settings.rows = rows_on_gpu(model->config(), own, settings.max_tokens);
    answers = generate_by_tensors(policy.merged(), own, settings, progress, policy.unmerged());
  }
  answers = all_answers(group, shares, prompts, std::move(answers));
  nlohmann::json drifted;
  // In later turns, prompts mostly consist of answers, so a measurement on them couldn't be compared with one
  // on first turns.
  if (spec.purpose == "train" && spec.turn == 1 && !prompts.empty()) {
    const auto drift = measure_drift(
        policy.merged(), policy.adapter() ? model.get() : nullptr, first_answers(prompts, answers),
        [&] { stage.check_cancelled(); }, kDriftBudget, policy.unmerged(), group);
    drifted = {{"entropy", drift.entropy}, {"kl", drift.kl}};
  }

  std::string out;
  std::int64_t tokens = 0;
  for (std::size_t p = 0; p < answers.size(); ++p) {
    const auto t = asked.tasks[p];
    for (std::size_t s = 0; s < answers[p].size(); ++s) {
      const auto& answer = answers[p][s];
      tokens += static_cast<std::int64_t>(answer.tokens.size());
      const contract::Candidate candidate{t,
                                          tasks[t].name,
                                          tasks[t].suite,
                                          asked.samples[p] + static_cast<std::int64_t>(s),
                                          asked.texts[p],
                                          text_of(tokenizer, answer),
                                          static_cast<std::int64_t>(answer.tokens.size()),
                                          answer.stopped ? "stop" : "length",
                                          spec.scores ? std::optional(drawn_of(answer)) : std::nullopt,
                                          spec.turn};
      // An answer may end inside a UTF-8 character: such bytes become U+FFFD.
      out += candidate.ordered().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
  }
  if (group.first()) write_text(stage.output / "candidates.jsonl", out);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  nlohmann::json summary = {{"candidates", total}, {"tokens", tokens}, {"seconds", elapsed.count()}};
  if (drifted.is_object()) summary.update(drifted);
  if (asked.ended_by_context > 0) summary["ended_by_context"] = asked.ended_by_context;
  return summary;
}

}  // namespace

nlohmann::json run_sample(Stage& stage) {
  return in_group(stage, [&](const Group& group) { return sample(stage, group); });
}

}  // namespace trl::runtime
