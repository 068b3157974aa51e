// The stage `ask`: answers to tasks by a model that a server has.
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>

#include "base/contract/asked.hpp"
#include "base/contract/endpoint.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/ask.hpp"
#include "base/contract/words.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "runtime/endpoint/asker.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/journal.hpp"
#include "runtime/endpoint/options.hpp"
#include "runtime/sample/turns.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

/// One answer that is wanted.
struct Wanted {
  std::size_t task = 0;
  std::int64_t sample = 0;
  std::string prompt;
  nlohmann::json body;
  std::string id;  ///< names it in the journal
  std::optional<contract::Asked> answer;
  bool too_long = false;  ///< the model's context doesn't hold the prompt
};

/// A seed for the server: 31 bits, since some take no more.
std::uint32_t seed_of(const contract::AskSpec& spec, const std::string& task, std::int64_t sample) {
  const auto turn = spec.turn > 1 ? fmt::format("/turn {}", spec.turn) : "";
  const auto key = random_key(
      fmt::format("{}/{}/{}/0/{}{}", static_cast<std::int64_t>(spec.seed), spec.purpose, task, sample, turn));
  return static_cast<std::uint32_t>(key.value & 0x7fffffff);
}

std::vector<Wanted> wanted_answers(const Stage& stage, const contract::AskSpec& spec,
                                   const std::vector<Task>& tasks) {
  const auto language = kernel_language(contract::word(spec.language));
  std::vector<std::string> prompts;
  for (const auto& task : tasks) prompts.push_back(asked(spec.prompt, prompt(task, language)));
  std::vector<Wanted> all;
  if (spec.turn > 1) {
    for (auto& next :
         failed_turns(stage.input("candidates"), stage.input("verdicts"), prompts, spec.feedback))
      all.push_back({next.task, next.sample, std::move(next.prompt), {}, "", {}});
  } else {
    for (std::size_t task = 0; task < tasks.size(); ++task)
      for (std::int64_t sample = 0; sample < spec.samples; ++sample)
        all.push_back({task, sample, prompts[task], {}, "", {}});
  }
  for (auto& one : all) {
    const auto& key = tasks[one.task].key;
    one.body = chat_request(spec, one.prompt, seed_of(spec, key, one.sample));
    one.id = sha256_hex(fmt::format("{}\n{}\n{}", dumped(one.body), key, one.sample));
  }
  return all;
}

/// What the answers of a stage come to.
struct Sums {
  std::int64_t answers = 0, tokens = 0, prompt_tokens = 0, uncounted = 0, cut_off = 0, too_long = 0;
  std::int64_t requests = 0;
  std::map<contract::NoText, std::size_t> no_text;  ///< answers without text by cause
  std::map<std::string, std::int64_t> models;       ///< answers by what the server calls their model
};

/// Counts answers without text, and ends the stage where there are too many.
class WithoutText {
 public:
  WithoutText(const contract::Endpoint& endpoint, std::size_t answers)
      : endpoint_(endpoint),
        answers_(answers),
        most_(std::max<std::size_t>(
            1, static_cast<std::size_t>(endpoint.max_without_text * static_cast<double>(answers)))) {}

  /// Throws UserError once a larger share than `max_without_text` of all answers has none; a single answer is
  /// always allowed.
  void count(const contract::Asked& answer) {
    if (!answer.no_text) return;
    if (*answer.no_text == contract::NoText::reasoning && endpoint_.judge_reasoning) return;
    ++causes_[*answer.no_text];
    if (!answer.trouble.empty()) trouble_ = answer.trouble;
    if (++count_ <= most_) return;
    const auto place = endpoint_.place.empty() ? "" : endpoint_.place + ": ";
    throw UserError(
        fmt::format("{}{} of {} have no text ({}), more than `max_without_text` of endpoint(…) allows", place,
                    count_, counted(answers_, "answer"), contract::counted_causes(causes_)),
        remedy());
  }

 private:
  std::string remedy() const {
    using enum contract::NoText;
    const auto most = std::max_element(causes_.begin(), causes_.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
    return remedy_for(most) +
           " What came is kept, and isn't asked for again; `max_without_text = 100%` goes on.";
  }

  std::string remedy_for(contract::NoText cause) const {
    using enum contract::NoText;
    switch (cause) {
      case reasoning:
        return "The server takes all of the model's text for reasoning. Start it with the reasoning parser "
               "of this model, or without one; or leave reasoning out, such as by body = "
               "[field(\"chat_template_kwargs.enable_thinking\", false)]; or have the last code block of the "
               "reasoning judged: judge_reasoning = true.";
      case tool_call:
        return "The model calls tools where it is to write. Start the server without its parser of tool "
               "calls, or say in `system` or `prompt` that the answer is text.";
      case cut_off:
        return "The model reasons until its tokens are used up: raise `max_tokens` of the evaluation, or "
               "have it reason less, such as by body = [field(\"reasoning_effort\", \"low\")].";
      case refusal:
      case filtered:
        return "Ask otherwise, by `system` or by `prompt` of the model; `trl generate` with the server's "
               "address shows what it says.";
      case unreadable:
        return "The last time it " + trouble_ +
               ". Look at the address: it is what /chat/completions is appended to, and usually ends with "
               "/v1.";
      case empty:
        break;
    }
    return "The model ends its answer at once: look at its chat template, at `stop` and at `max_tokens`.";
  }

  const contract::Endpoint& endpoint_;
  std::size_t answers_, most_, count_ = 0;
  std::map<contract::NoText, std::size_t> causes_;
  std::string trouble_;
};

/// What people are told once of a stage.
void remark(Stage& stage, const Sums& sums, const std::string& doubt) {
  if (sums.uncounted > 0)
    stage.note(fmt::format("the server counts no tokens for {}: tokens and usd leave {} out",
                           counted(static_cast<std::size_t>(sums.uncounted), "answer"),
                           sums.uncounted == 1 ? "it" : "them"));
  if (!doubt.empty()) stage.note("the server " + doubt + ", so its counts, and usd by them, are in doubt");
  if (!sums.no_text.empty())
    stage.note(fmt::format("some of {} have no text: {}",
                           counted(static_cast<std::size_t>(sums.answers), "answer"),
                           contract::counted_causes(sums.no_text)));
  if (sums.models.size() > 1) {
    std::string names;
    for (const auto& [name, count] : sums.models) names += (names.empty() ? "" : ", ") + name;
    stage.note("answers are of several models, as the server calls them: " + names);
  }
}

}  // namespace

nlohmann::json run_ask(Stage& stage) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spec = spec_as<contract::AskSpec>(stage.spec);
  if (spec.samples < 1 || spec.sampling.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");
  if (!stage.endpoint)
    throw UserError("the request names no `endpoint`", "see docs/interfaces.md, section 3");
  if (!stage.checkpoint)
    throw UserError("the request names no `checkpoint`, where answers are kept",
                    "see docs/interfaces.md, section 3");
  const auto& endpoint = *stage.endpoint;
  std::vector<Task> tasks;
  for (const auto& task : read_json(stage.input("tasks") / "tasks.json")) tasks.push_back(Task::parse(task));
  auto all = wanted_answers(stage, spec, tasks);

  const auto patient_until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Journal journal(stage.checkpoint->folder, stage.checkpoint->key, [&] {
    stage.check_cancelled();
    return std::chrono::steady_clock::now() < patient_until;
  });
  WithoutText without_text(endpoint, all.size());
  std::vector<Question> questions;
  std::vector<std::size_t> places;  // of the questions
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto* known = journal.find(all[i].id)) {
      all[i].answer = *known;
      without_text.count(*known);
      continue;
    }
    auto body = dumped(all[i].body);
    // About four bytes are a token.
    const double tokens =
        static_cast<double>(body.size()) / 4 + static_cast<double>(spec.sampling.max_tokens);
    questions.push_back({std::move(body), tokens, spec.turn > 1});
    places.push_back(i);
  }
  const auto total = static_cast<std::int64_t>(all.size());
  std::atomic<std::int64_t> done = total - static_cast<std::int64_t>(questions.size());
  if (journal.damaged() > 0)
    stage.note(counted(journal.damaged(), "stored answer") + " can't be read, and must be asked for again");
  if (done > 0)
    stage.note(fmt::format("{} of {} are there from before, and aren't asked for again", done.load(),
                           counted(all.size(), "answer")));
  stage.progress(done, total, "answers");

  if (!questions.empty()) {
    const auto options = ask_options(stage);
    AskEvents events;
    events.stop = stop_of(stage);
    events.answered = [&](std::size_t question, contract::Asked answer) {
      auto& one = all[places[question]];
      answer.asked = sha256_hex(questions[question].body);
      answer.body = one.body;
      // A lost answer is asked for again by a run that goes on.
      if (answer.no_text != contract::NoText::unreadable) journal.add(one.id, answer);
      one.answer = std::move(answer);
      ++done;
      without_text.count(*one.answer);
    };
    events.too_long = [&](std::size_t question) { all[places[question]].too_long = true; };
    events.tick = [&](const std::vector<std::string>& notes) {
      for (const auto& sentence : notes) stage.note(sentence);
      stage.check_cancelled();
      stage.progress(done, total, "answers");
    };
    ask(questions, options, events);
  }

  Sums sums;
  std::string candidates, answers, doubt;
  for (const auto& one : all) {
    sums.too_long += one.too_long;
    if (!one.answer) continue;
    const auto& answer = *one.answer;
    const bool cut_off = is_cut_off(answer.finish);
    ++sums.answers, sums.cut_off += cut_off, sums.requests += answer.attempts;
    const bool came = answer.no_text != contract::NoText::unreadable;
    sums.uncounted += came && (!answer.answer_tokens || !answer.prompt_tokens);
    sums.tokens += answer.answer_tokens.value_or(0), sums.prompt_tokens += answer.prompt_tokens.value_or(0);
    if (!answer.model.empty()) ++sums.models[answer.model];
    if (answer.no_text) ++sums.no_text[*answer.no_text];
    if (doubt.empty()) doubt = doubt_about_counts(answer, spec.sampling.max_tokens);
    const contract::Candidate candidate{one.task,
                                        tasks[one.task].name,
                                        tasks[one.task].suite,
                                        one.sample,
                                        one.prompt,
                                        answer.answer,
                                        answer.answer_tokens.value_or(0),
                                        cut_off ? "length" : "stop",
                                        std::nullopt,
                                        spec.turn,
                                        answer.no_text,
                                        answer.no_text ? answer.reasoning : ""};
    candidates += candidate.ordered().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    answers += dumped(answer.write()) + "\n";
  }
  remark(stage, sums, doubt);
  write_text(stage.output / "candidates.jsonl", candidates);
  write_text(stage.output / "answers.jsonl", answers);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  nlohmann::json summary = {
      {"candidates", sums.answers}, {"tokens", sums.tokens},   {"prompt_tokens", sums.prompt_tokens},
      {"requests", sums.requests},  {"cut_off", sums.cut_off}, {"seconds", elapsed.count()}};
  if (sums.uncounted > 0) summary["uncounted"] = sums.uncounted;
  if (sums.too_long > 0) summary["ended_by_context"] = sums.too_long;
  for (const auto& [cause, count] : sums.no_text) summary["no_text"][contract::word(cause)] = count;
  if (!sums.models.empty()) summary["models"] = sums.models;
  return summary;
}

}  // namespace trl::runtime
