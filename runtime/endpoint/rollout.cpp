// The stage `rollout`: samples answers for training from a model on a server, into which it loads the
// adapter.
//
// Prompts are sent as tokens, so that the server reads the same tokens as training, whatever its chat
// template is. Answers are also taken as tokens if the server returns them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "base/contract/rows.hpp"
#include "base/contract/stages/rollout.hpp"
#include "base/contract/words.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/web_address.hpp"
#include "runtime/endpoint/answers.hpp"
#include "runtime/endpoint/loaded_adapter.hpp"
#include "runtime/endpoint/options.hpp"
#include "runtime/endpoint/rollout_api.hpp"
#include "runtime/model/config.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/sample/turns.hpp"
#include "runtime/train/prompt_format.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

/// The most seconds to wait for the server to unload an adapter. Ctrl-C waits for that, too.
constexpr double unload_seconds = 10;

/// The prompts of a stage.
struct RolloutPrompts {
  std::vector<WantedAnswer> wanted;
  std::vector<std::vector<Token>> tokens;  ///< the prompts' tokens, with an entry for each requested answer
  std::int64_t ended_by_context = 0;       ///< episodes
};

RolloutPrompts prompts_of(const Stage& stage, const contract::RolloutSpec& spec,
                          const std::vector<Task>& tasks, const PromptFormat& format, std::int64_t context) {
  const auto language = kernel_language(contract::word(spec.language));
  std::vector<std::string> own;
  for (const auto& task : tasks) own.push_back(asked(spec.prompt, prompt(task, language)));
  RolloutPrompts prompts;
  const auto add = [&](std::size_t task, std::int64_t sample, std::string text, std::vector<Token> tokens) {
    prompts.wanted.push_back({task, sample, std::move(text)});
    prompts.tokens.push_back(std::move(tokens));
  };
  if (spec.turn > 1) {
    auto next = next_turns(stage.input("candidates"), stage.input("verdicts"), own, spec.feedback, format,
                           context, spec.sampling.max_tokens);
    prompts.ended_by_context = next.ended_by_context;
    for (auto& one : next.prompts) add(one.task, one.sample, std::move(one.prompt), std::move(one.tokens));
    return prompts;
  }
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const auto tokens = format.prompt(own[task]);
    for (std::int64_t sample = 0; sample < spec.samples; ++sample) add(task, sample, own[task], tokens);
  }
  return prompts;
}

/// Returns an answer with the drawn tokens, ended where sampling here would have ended it. Later tokens are
/// left out.
Answer replayed(const GenerateSettings& settings, const contract::Drawn& drawn) {
  Answer answer;
  for (std::size_t i = 0; i < drawn.tokens.size(); ++i) {
    if (i < drawn.scores.size()) answer.scores.push_back(static_cast<float>(drawn.scores[i]));
    if (append(settings, static_cast<Token>(drawn.tokens[i]), answer)) break;
  }
  return answer;
}

/// Collects a server's answers.
class Taking {
 public:
  Taking(const contract::RolloutSpec& spec, const Tokenizer& tokenizer, const PromptFormat& format)
      : spec_(spec), tokenizer_(tokenizer), format_(format) {
    settings_.ends = format.ends();
    settings_.choices = tokenizer.size();
    if (!spec.sampling.stop.empty())
      settings_.stop = std::make_shared<const StopTexts>(tokenizer, spec.sampling.stop);
  }

  /// Makes a candidate from an answer to a prompt of `prompt_tokens` tokens. Fills in the counts that the
  /// server leaves out. Throws UserError if the answer has tokens that the model here doesn't have.
  contract::Candidate take(WantedAnswer& wanted, const Task& task, std::size_t prompt_tokens) {
    auto& asked = *wanted.answer;
    contract::Candidate candidate;
    candidate.task = wanted.task, candidate.name = task.name, candidate.group = task.suite;
    candidate.sample = wanted.sample, candidate.turn = spec_.turn, candidate.prompt = wanted.prompt;
    candidate.answer = asked.answer, candidate.finish = asked.finish == "length" ? "length" : "stop";
    ++answers_;
    const auto sent = static_cast<std::int64_t>(prompt_tokens);
    other_prompts_ += asked.prompt_tokens.value_or(sent) != sent;
    if (!asked.prompt_tokens) asked.prompt_tokens = sent;
    if (asked.drawn) {
      take_tokens(asked, candidate);
    } else {
      ++without_tokens_;
      candidate.tokens =
          asked.answer_tokens.value_or(static_cast<std::int64_t>(format_.answer(candidate.answer).size()));
    }
    asked.answer_tokens = candidate.tokens;
    return candidate;
  }

  /// Tells the user how many answers lack tokens or log-probabilities, or disagree with the prompt or the
  /// text here.
  void remark(Stage& stage) const {
    for (const Lack& lack : lacks())
      if (lack.count > 0)
        stage.note(
            fmt::format("{} {} of {}{}", lack.before, lack.count, counted(answers_, "answer"), lack.after));
  }

  /// Adds the number of candidates to a stage's summary, and for each lack the number of answers that have
  /// it.
  void summarise(nlohmann::json& summary) const {
    summary["candidates"] = answers_;
    for (const Lack& lack : lacks())
      if (lack.count > 0) summary[lack.name] = lack.count;
  }

 private:
  /// Something that some answers lack: its name in the summary, the number of these answers, and the words of
  /// a sentence before and after "3 of 32 answers".
  struct Lack {
    const char* name;
    std::size_t count;
    const char *before, *after;
  };
  std::array<Lack, 4> lacks() const {
    return {{{"without_tokens", without_tokens_, "the server gives no tokens of",
              ": their text is encoded here, and their log-probabilities are computed here alone"},
             {"without_scores", without_scores_, "the server gives no log-probabilities of",
              ": training computes its own, and for these `mismatch` has nothing to compare"},
             {"other_prompts", other_prompts_, "the server counts other prompts than it was sent for",
              ": it changes prompts that are tokens"},
             {"other_texts", other_texts_, "the tokens of",
              " spell another text there than here: the text by the tokenizer here counts"}}};
  }

  void take_tokens(const contract::Asked& asked, contract::Candidate& candidate) {
    for (const auto token : asked.drawn->tokens)
      if (token >= settings_.choices)
        throw UserError(fmt::format("the server's answer has the token {}, and the model here has {} tokens",
                                    token, settings_.choices),
                        "The server has another model under the name " + spec_.model.name +
                            ": serve the folder of the model that is trained, or correct `name`.");
    const auto answer = replayed(settings_, *asked.drawn);
    candidate.answer = text_of(tokenizer_, answer);
    candidate.tokens = static_cast<std::int64_t>(answer.tokens.size());
    if (answer.stopped) candidate.finish = "stop";
    // Half a character at an answer's end becomes U+FFFD there.
    other_texts_ += dumped(nlohmann::json(candidate.answer)) != dumped(nlohmann::json(asked.answer));
    const bool scored = asked.drawn->scores.size() == asked.drawn->tokens.size();
    if (!spec_.scores) return;
    without_scores_ += !scored;
    if (!scored) return;
    candidate.drawn = contract::Drawn{{answer.tokens.begin(), answer.tokens.end()}, {}};
    if (const auto end = answer.end_token()) candidate.drawn->tokens.push_back(*end);
    // Rounded to six digits after the decimal point, like the scores of answers that are sampled here.
    for (const float score : answer.scores)
      candidate.drawn->scores.push_back(std::round(static_cast<double>(score) * 1e6) / 1e6);
  }

  const contract::RolloutSpec& spec_;
  const Tokenizer& tokenizer_;
  const PromptFormat& format_;
  GenerateSettings settings_;
  std::size_t answers_ = 0, without_tokens_ = 0, without_scores_ = 0, other_prompts_ = 0, other_texts_ = 0;
};

}  // namespace

nlohmann::json run_rollout(Stage& stage) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spec = spec_as<contract::RolloutSpec>(stage.spec);
  if (spec.samples < 1 || spec.sampling.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");
  require_server(stage);
  const auto server = spec.model.server;
  const auto model = stage.input("model");
  const auto config = read_config(model);
  const auto tokenizer = Tokenizer::load(model / "tokenizer.json");
  const auto format = format_of(model, config, tokenizer);
  const bool adapted = stage.inputs.contains("adapter");
  // The stage's key is made from the adapter's bytes and everything else that matters, so no two stages share
  // a name.
  const auto adapter = adapted ? "trl-" + stage.checkpoint->key.substr(0, 16) : "";

  std::vector<Task> tasks;
  for (const auto& task : read_json(stage.input("tasks") / "tasks.json")) tasks.push_back(Task::parse(task));
  auto prompts = prompts_of(stage, spec, tasks, *format, config.context);
  const std::vector<std::int64_t> ends(format->ends().begin(), format->ends().end());
  for (std::size_t i = 0; i < prompts.wanted.size(); ++i) {
    auto& one = prompts.wanted[i];
    const auto& key = tasks[one.task].key;
    const auto room = config.context - static_cast<std::int64_t>(prompts.tokens[i].size());
    RolloutPrompt sent{{prompts.tokens[i].begin(), prompts.tokens[i].end()},
                       adapter,
                       std::clamp<std::int64_t>(room, 1, spec.sampling.max_tokens),
                       seed_of_answer(spec.seed, spec.purpose, key, spec.round, one.sample, spec.turn)};
    auto body = rollout_request(spec, sent, ends);
    one.body = dumped(body);
    for (const char* tokens : {"prompt", "input_ids"}) body.erase(tokens);  // beside the prompt's text
    one.kept = std::move(body);
    one.id = sha256_hex(fmt::format("{}\n{}\n{}", one.body, key, one.sample));
    one.tokens = static_cast<double>(sent.tokens.size()) + static_cast<double>(sent.max_tokens);
    one.may_be_long = spec.turn > 1;
  }

  std::optional<LoadedAdapter> loaded;
  gather(stage, prompts.wanted, name_of(server, ServerCall::sample), [&] {
    auto options = ask_options(stage);
    const auto path = [&](ServerCall call) {
      return path_of(server, call, read_address(options.endpoint.address).address->path);
    };
    const auto stop = stop_of(stage);
    options.transport = transport_for(options, path(ServerCall::sample), options.endpoint.timeout, stop);
    options.read = [server](const std::string& body) { return rollout_answer(server, body); };
    options.call = name_of(server, ServerCall::sample);
    options.help = [server, adapted](int status) -> std::string {
      const bool vllm = server == contract::ServerKind::vllm;
      if (status == 404)
        return std::string(adapted
                               ? "If it was started again, it has lost the adapter: the same command loads "
                                 "it again. Else correct"
                               : "Correct") +
               " `name`, the address, which usually ends with /v1, or `server`, which is " +
               (vllm ? "vllm." : "sglang.");
      if (status == 400 || status == 422)
        return std::string("Look at its version and at `body` of endpoint(…). ") +
               (vllm ? "If it is SGLang, say so: `server = sglang`."
                     : "If it is vLLM, leave `server = sglang` out.");
      return "";
    };
    if (adapted) {
      LoadedAdapter::Server into{server, options, {}, {}, stop};
      into.load = transport_for(options, path(ServerCall::load), options.endpoint.timeout, stop);
      into.unload = transport_for(options, path(ServerCall::unload), unload_seconds, [] { return false; });
      try {
        loaded.emplace(std::move(into), adapter, stage.input("adapter"));
      } catch (const Stopped&) {
        stage.check_cancelled();
        throw;
      }
    }
    return options;
  });
  loaded.reset();

  Taking taking(spec, tokenizer, *format);
  AnswerSums sums;
  std::string candidates, answers;
  for (std::size_t i = 0; i < prompts.wanted.size(); ++i) {
    auto& one = prompts.wanted[i];
    // A lost answer isn't a wrong one: no candidate is made of it.
    if (one.answer && !one.answer->no_text) {
      const auto candidate = taking.take(one, tasks[one.task], prompts.tokens[i].size());
      // An answer may end inside a UTF-8 character: such bytes become U+FFFD.
      candidates += candidate.ordered().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    // For a rollout, a server reports the adapter's name as the model's name. That says nothing, so it is
    // left out.
    if (one.answer && one.answer->model == adapter) one.answer->model.clear();
    if (one.answer) answers += dumped(one.answer->write()) + "\n";
    sums.add(one, spec.sampling.max_tokens);
  }
  sums.remark(stage);
  taking.remark(stage);
  write_text(stage.output / "candidates.jsonl", candidates);
  write_text(stage.output / "answers.jsonl", answers);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  auto summary = sums.summary(elapsed.count());
  taking.summarise(summary);
  if (prompts.ended_by_context > 0)
    summary["ended_by_context"] =
        summary.value("ended_by_context", std::int64_t{0}) + prompts.ended_by_context;
  return summary;
}

}  // namespace trl::runtime
