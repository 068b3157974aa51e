// The stage `ask`: has tasks answered by a model on a server.
#include <fmt/format.h>
#include <chrono>
#include <optional>

#include "base/contract/asked.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/ask.hpp"
#include "base/contract/words.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/endpoint/answers.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/options.hpp"
#include "runtime/sample/turns.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

std::vector<WantedAnswer> wanted_answers(const Stage& stage, const contract::AskSpec& spec,
                                         const std::vector<Task>& tasks) {
  const auto language = kernel_language(contract::word(spec.language));
  std::vector<std::string> prompts;
  for (const auto& task : tasks) prompts.push_back(asked(spec.prompt, prompt(task, language)));
  std::vector<WantedAnswer> all;
  if (spec.turn > 1) {
    for (auto& next :
         failed_turns(stage.input("candidates"), stage.input("verdicts"), prompts, spec.feedback))
      all.push_back({next.task, next.sample, std::move(next.prompt)});
  } else {
    for (std::size_t task = 0; task < tasks.size(); ++task)
      for (std::int64_t sample = 0; sample < spec.samples; ++sample)
        all.push_back({task, sample, prompts[task]});
  }
  for (auto& one : all) {
    const auto& key = tasks[one.task].key;
    one.kept = chat_request(spec, one.prompt,
                            seed_of_answer(spec.seed, spec.purpose, key, 0, one.sample, spec.turn));
    one.body = dumped(one.kept);
    one.id = sha256_hex(fmt::format("{}\n{}\n{}", one.body, key, one.sample));
    // A token is taken to have about four bytes.
    one.tokens = static_cast<double>(one.body.size()) / 4 + static_cast<double>(spec.sampling.max_tokens);
    one.may_be_long = spec.turn > 1;
  }
  return all;
}

}  // namespace

nlohmann::json run_ask(Stage& stage) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spec = spec_as<contract::AskSpec>(stage.spec);
  if (spec.samples < 1 || spec.sampling.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");
  require_server(stage);
  std::vector<Task> tasks;
  for (const auto& task : read_json(stage.input("tasks") / "tasks.json")) tasks.push_back(Task::parse(task));
  auto all = wanted_answers(stage, spec, tasks);

  gather(stage, all, chat_path, [&] { return ask_options(stage); });

  AnswerSums sums;
  std::string candidates, answers;
  for (const auto& one : all) {
    sums.add(one, spec.sampling.max_tokens);
    if (!one.answer) continue;
    const auto& answer = *one.answer;
    const contract::Candidate candidate{one.task,
                                        tasks[one.task].name,
                                        tasks[one.task].suite,
                                        one.sample,
                                        one.prompt,
                                        answer.answer,
                                        answer.answer_tokens.value_or(0),
                                        is_cut_off(answer.finish) ? "length" : "stop",
                                        std::nullopt,
                                        spec.turn,
                                        answer.no_text,
                                        answer.no_text ? answer.reasoning : ""};
    candidates += candidate.ordered().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    answers += dumped(answer.write()) + "\n";
  }
  sums.remark(stage);
  write_text(stage.output / "candidates.jsonl", candidates);
  write_text(stage.output / "answers.jsonl", answers);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return sums.summary(elapsed.count());
}

}  // namespace trl::runtime
