// The stage `ask`: answers to tasks by a model that a server has.
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
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
#include "base/support/web_address.hpp"
#include "runtime/endpoint/asker.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/journal.hpp"
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

std::string key_of(const contract::Endpoint& endpoint) {
  if (endpoint.key_env.empty()) return {};
  const char* key = std::getenv(endpoint.key_env.c_str());
  const std::string text = key == nullptr ? "" : key;
  const auto place = endpoint.place.empty() ? "" : endpoint.place + ": ";
  if (text.empty())
    throw UserError(
        place + "the environment variable " + endpoint.key_env + ", which `key_env` names, isn't set",
        "Put the server's key in it: export " + endpoint.key_env + "=…");
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c >= 127; }))
    throw UserError(
        place + "the environment variable " + endpoint.key_env + " holds blanks or letters that no key has",
        "Set it to the key alone.");
  return text;
}

/// What the answers of a stage come to.
struct Sums {
  std::int64_t answers = 0, tokens = 0, prompt_tokens = 0, uncounted = 0, cut_off = 0, too_long = 0;
  std::int64_t requests = 0;
  std::map<std::string, std::int64_t> models;  ///< answers by what the server calls their model
};

/// What people are told once of a stage.
void remark(Stage& stage, const Sums& sums, const std::string& doubt) {
  if (sums.uncounted > 0)
    stage.note(fmt::format("the server counts no tokens for {}: tokens and usd leave {} out",
                           counted(static_cast<std::size_t>(sums.uncounted), "answer"),
                           sums.uncounted == 1 ? "it" : "them"));
  if (!doubt.empty()) stage.note("the server " + doubt + ", so its counts, and usd by them, are in doubt");
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
  const auto read = read_address(endpoint.address);
  if (!read.address) throw UserError("the address \"" + endpoint.address + "\" " + read.problem);
  const auto address = *read.address;

  std::vector<Task> tasks;
  for (const auto& task : read_json(stage.input("tasks") / "tasks.json")) tasks.push_back(Task::parse(task));
  auto all = wanted_answers(stage, spec, tasks);

  const auto patient_until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Journal journal(stage.checkpoint->folder, stage.checkpoint->key, [&] {
    stage.check_cancelled();
    return std::chrono::steady_clock::now() < patient_until;
  });
  std::vector<Question> questions;
  std::vector<std::size_t> places;  // of the questions
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto* known = journal.find(all[i].id)) {
      all[i].answer = *known;
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
    AskOptions options{endpoint, key_of(endpoint), {}, &real_clock(), {}};
    RandomStream draws(random_secret());  // for waits alone: nothing that is stored depends on it
    options.draw = [&draws] { return draws.uniform(); };
    const auto stopped = [&stage] {
      try {
        stage.check_cancelled();
        return false;
      } catch (const Cancelled&) {
        return true;
      }
    };
    options.transport = [&] {
      return web_transport(address, address.path + chat_path, options.key, endpoint.timeout, stopped);
    };
    AskEvents events;
    events.stop = stopped;
    events.answered = [&](std::size_t question, contract::Asked answer) {
      auto& one = all[places[question]];
      answer.asked = sha256_hex(questions[question].body);
      answer.body = one.body;
      journal.add(one.id, answer);
      one.answer = std::move(answer);
      ++done;
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
    sums.uncounted += !answer.answer_tokens || !answer.prompt_tokens;
    sums.tokens += answer.answer_tokens.value_or(0), sums.prompt_tokens += answer.prompt_tokens.value_or(0);
    if (!answer.model.empty()) ++sums.models[answer.model];
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
                                        spec.turn};
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
  if (!sums.models.empty()) summary["models"] = sums.models;
  return summary;
}

}  // namespace trl::runtime
