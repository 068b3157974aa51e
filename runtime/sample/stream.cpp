// The request `generate`: answers of a model to prompts, passed on as they are written.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "base/contract/stages/generate.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "base/tensors/made_on.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/sample/generate_on_gpu.hpp"
#include "runtime/sample/policy.hpp"
#include "runtime/train/prompt_format.hpp"

namespace trl::runtime {
namespace {

// Returns the number of a text's bytes without a UTF-8 character that is incomplete at its end.
std::size_t whole_characters(const std::string& text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;  // the inside of a character
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

// Replaces bytes that aren't UTF-8 by U+FFFD.
std::string valid_utf8(const std::string& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

// Passes on the new part of each answer's text.
class Follower {
 public:
  /// `stop` may be null.
  Follower(const Tokenizer& tokenizer, const StopTexts* stop, Stage& stage)
      : tokenizer_(tokenizer), stop_(stop), stage_(stage) {}

  void operator()(std::size_t prompt, std::size_t sample, const Answer& answer, bool finished) {
    stage_.check_cancelled();
    auto& told = told_[{prompt, sample}];
    const std::string text = text_of(tokenizer_, answer);
    auto whole = text.size();
    if (!finished) whole = std::min(whole_characters(text), whole - (stop_ ? stop_->undecided(text) : 0));
    const std::string fresh = whole > told ? text.substr(told, whole - told) : "";
    if (fresh.empty() && !finished) return;
    told = std::max(told, whole);
    const char* finish = !finished ? "" : answer.stopped ? "stop" : "length";
    stage_.answer(static_cast<std::int64_t>(prompt), static_cast<std::int64_t>(sample), valid_utf8(fresh),
                  finish);
  }

 private:
  const Tokenizer& tokenizer_;
  const StopTexts* stop_;
  Stage& stage_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> told_;  // bytes of the text that were passed on
};

}  // namespace

nlohmann::json run_generate(Stage& stage) {
  const auto spec = spec_as<contract::GenerateSpec>(stage.spec);
  if (spec.samples < 1 || spec.sampling.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");
  const auto folder = stage.input("model");
  const auto device = open_device(stage.device);
  note_device(stage.made_on, device);
  const auto model =
      load_frozen(folder, device, compute_type(device, spec.precision), storage_named(spec.quantize));
  const Policy policy(model,
                      stage.inputs.contains("adapter")
                          ? std::optional(read_adapter(stage.input("adapter"), model->config()))
                          : std::nullopt,
                      /*merge=*/true);
  stage.check_cancelled();
  const auto tokenizer = Tokenizer::load(folder / "tokenizer.json");
  const auto asked = format_of(folder, model->config(), tokenizer);
  const auto format = spec.raw ? plain_format(tokenizer, {}, asked->ends()) : nullptr;

  const auto begin = std::chrono::steady_clock::now();
  std::vector<Prompt> prompts;
  for (const std::string& text : spec.prompts) {
    Prompt entry{(format ? *format : *asked).prompt(text), {}};
    if (entry.tokens.empty())
      throw UserError("a prompt is empty", "--raw needs at least one token to go on from");
    if (static_cast<std::int64_t>(entry.tokens.size()) >= model->config().context)
      throw UserError(fmt::format("a prompt has {} tokens; the model's context is {}", entry.tokens.size(),
                                  model->config().context),
                      "shorten it");
    for (std::int64_t sample = 0; sample < spec.samples; ++sample)
      entry.samples.push_back(
          random_key(fmt::format("{}/generate/{}/{}/{}", spec.seed, text, spec.round, sample)));
    prompts.push_back(std::move(entry));
  }
  GenerateSettings settings;
  settings.temperature = spec.sampling.temperature;
  settings.top_k = spec.sampling.top_k;
  settings.top_p = spec.sampling.top_p;
  settings.max_tokens = spec.sampling.max_tokens;
  if (!spec.sampling.stop.empty())
    settings.stop = std::make_shared<const StopTexts>(tokenizer, spec.sampling.stop);
  settings.ends = asked->ends();
  settings.choices = tokenizer.size();
  settings.threads = stage.threads;
  settings.stream = Follower(tokenizer, settings.stop.get(), stage);
  const bool merged = policy.adapter() && !policy.unmerged();
  const auto answers = device.is_cpu() && !policy.needs_tensors()
                           ? merged ? generate(model->config(), policy.weights(), prompts, settings, {})
                                    : generate(*model, policy.adapter(), prompts, settings, {})
                       : policy.reason_against_kernels().empty()
                           ? generate_on_gpu(policy.merged(), prompts, settings, {}, decode_storage(*model),
                                             policy.unmerged() ? policy.adapter() : nullptr)
                           : generate_by_tensors(policy.merged(), prompts, settings, {}, policy.unmerged());
  std::int64_t tokens = 0;
  for (const auto& of_prompt : answers)
    for (const auto& answer : of_prompt) tokens += static_cast<std::int64_t>(answer.tokens.size());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {{"tokens", tokens}, {"seconds", elapsed.count()}};
}

}  // namespace trl::runtime
