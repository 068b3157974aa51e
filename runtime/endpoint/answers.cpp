#include "runtime/endpoint/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>

#include "base/contract/endpoint.hpp"
#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/journal.hpp"
#include "runtime/endpoint/options.hpp"

namespace trl::runtime {
namespace {

/// Counts answers without text, and ends the stage if there are too many.
class WithoutText {
 public:
  WithoutText(const contract::Endpoint& endpoint, const char* call, std::size_t answers)
      : endpoint_(endpoint),
        call_(call),
        answers_(answers),
        most_(std::max<std::size_t>(
            1, static_cast<std::size_t>(endpoint.max_without_text * static_cast<double>(answers)))) {}

  /// Throws UserError once the share of answers without text exceeds `max_without_text`. A single answer
  /// without text is always allowed.
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
               fmt::format(". Look at the address: it is what {} is appended to, and usually ends with /v1.",
                           call_);
      case empty:
        break;
    }
    return "The model ends its answer at once: look at its chat template, at `stop` and at `max_tokens`.";
  }

  const contract::Endpoint& endpoint_;
  const char* call_;
  std::size_t answers_, most_, count_ = 0;
  std::map<contract::NoText, std::size_t> causes_;
  std::string trouble_;
};

}  // namespace

std::uint32_t seed_of_answer(std::uint64_t seed, const std::string& purpose, const std::string& task,
                             int round, std::int64_t sample, int turn) {
  const auto later = turn > 1 ? fmt::format("/turn {}", turn) : "";
  const auto key = random_key(
      fmt::format("{}/{}/{}/{}/{}{}", static_cast<std::int64_t>(seed), purpose, task, round, sample, later));
  return static_cast<std::uint32_t>(key.value & 0x7fffffff);
}

void require_server(const Stage& stage) {
  if (!stage.endpoint)
    throw UserError("the request names no `endpoint`", "see docs/interfaces.md, section 3");
  if (!stage.checkpoint)
    throw UserError("the request names no `checkpoint`, where answers are kept",
                    "see docs/interfaces.md, section 3");
}

void gather(Stage& stage, std::vector<WantedAnswer>& all, const char* call,
            const std::function<AskOptions()>& open) {
  const auto patient_until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Journal journal(stage.checkpoint->folder, stage.checkpoint->key, [&] {
    stage.check_cancelled();
    return std::chrono::steady_clock::now() < patient_until;
  });
  WithoutText without_text(*stage.endpoint, call, all.size());
  std::vector<Question> questions;
  std::vector<std::size_t> places;  // of the questions
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto* known = journal.find(all[i].id)) {
      all[i].answer = *known;
      without_text.count(*known);
      continue;
    }
    questions.push_back({std::move(all[i].body), all[i].tokens, all[i].may_be_long});
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
    const auto options = open();
    AskEvents events;
    events.stop = stop_of(stage);
    events.answered = [&](std::size_t question, contract::Asked answer) {
      auto& one = all[places[question]];
      answer.asked = sha256_hex(questions[question].body);
      answer.body = std::move(one.kept);
      // A lost answer isn't kept in the journal, so that a run that goes on asks for it again.
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
}

void AnswerSums::add(const WantedAnswer& wanted, std::int64_t max_tokens) {
  too_long_ += wanted.too_long;
  if (!wanted.answer) return;
  const auto& answer = *wanted.answer;
  const bool came = answer.no_text != contract::NoText::unreadable;
  ++answers_, cut_off_ += is_cut_off(answer.finish), requests_ += answer.attempts;
  uncounted_ += came && (!answer.answer_tokens || !answer.prompt_tokens);
  tokens_ += answer.answer_tokens.value_or(0), prompt_tokens_ += answer.prompt_tokens.value_or(0);
  if (!answer.model.empty()) ++models_[answer.model];
  if (answer.no_text) ++no_text_[*answer.no_text];
  if (doubt_.empty()) doubt_ = doubt_about_counts(answer, max_tokens);
}

void AnswerSums::remark(Stage& stage) const {
  if (uncounted_ > 0)
    stage.note(fmt::format("the server counts no tokens for {}: tokens and usd leave {} out",
                           counted(static_cast<std::size_t>(uncounted_), "answer"),
                           uncounted_ == 1 ? "it" : "them"));
  if (!doubt_.empty()) stage.note("the server " + doubt_ + ", so its counts, and usd by them, are in doubt");
  if (!no_text_.empty())
    stage.note(fmt::format("some of {} have no text: {}",
                           counted(static_cast<std::size_t>(answers_), "answer"),
                           contract::counted_causes(no_text_)));
  if (models_.size() > 1) {
    std::string names;
    for (const auto& [name, count] : models_) names += (names.empty() ? "" : ", ") + name;
    stage.note("answers are of several models, as the server calls them: " + names);
  }
}

nlohmann::json AnswerSums::summary(double seconds) const {
  nlohmann::json summary = {
      {"candidates", answers_}, {"tokens", tokens_},   {"prompt_tokens", prompt_tokens_},
      {"requests", requests_},  {"cut_off", cut_off_}, {"seconds", seconds}};
  if (uncounted_ > 0) summary["uncounted"] = uncounted_;
  if (too_long_ > 0) summary["ended_by_context"] = too_long_;
  for (const auto& [cause, count] : no_text_) summary["no_text"][contract::word(cause)] = count;
  if (!models_.empty()) summary["models"] = models_;
  return summary;
}

}  // namespace trl::runtime
