#include "interpreter/report/servers.hpp"

#include <map>
#include <set>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/no_text.hpp"
#include "base/support/counted.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Sums over the stages that requested answers of one model.
struct ServedAnswers {
  std::size_t count = 0, uncounted = 0;
  double prompt_tokens = 0, tokens = 0;
  std::set<std::string> called;  ///< the names by which servers call the model
  std::optional<contract::Price> price;
  std::map<contract::NoText, std::size_t> no_text;
  bool judge_reasoning = false;
};

/// The sums by model and revision.
std::map<std::string, ServedAnswers> served_models(const Evidence& evidence) {
  std::map<std::string, ServedAnswers> models;
  for (const auto& [key, declared] : evidence.plan().endpoints) {
    if (!evidence.store().has(key)) continue;
    const auto summary = evidence.store().stage(key).at("summary");
    const auto& model = declared.model;
    auto& answers = models[model.name + (model.revision.empty() ? "" : ", revision " + model.revision)];
    answers.count += summary.value("candidates", std::size_t{0});
    answers.uncounted += summary.value("uncounted", std::size_t{0});
    answers.prompt_tokens += summary.value("prompt_tokens", 0.0),
        answers.tokens += summary.value("tokens", 0.0);
    const auto called = summary.value("models", nlohmann::json::object());
    for (const auto& [name, count] : called.items()) answers.called.insert(name);
    const auto no_text = summary.value("no_text", nlohmann::json::object());
    for (const auto& [cause, count] : no_text.items())
      answers.no_text[contract::value_of_word<contract::NoText>(cause)] += count.get<std::size_t>();
    answers.judge_reasoning = declared.endpoint.judge_reasoning;
    if (declared.price) answers.price = declared.price;
  }
  return models;
}

std::string sentence(const std::string& model, const ServedAnswers& answers) {
  auto text =
      fmt::format("a server answered as {}: {}, {:.0f} tokens of prompts and {:.0f} of answers by its count",
                  model, counted(answers.count, "answer"), answers.prompt_tokens, answers.tokens);
  if (answers.uncounted > 0)
    text += fmt::format(", of which {} {} left out, since it counts no tokens for {}", answers.uncounted,
                        answers.uncounted == 1 ? "is" : "are", answers.uncounted == 1 ? "it" : "them");
  if (answers.price)
    text += fmt::format("; declared prices of a million tokens: {:g} usd and {:g} usd", answers.price->in,
                        answers.price->out);
  if (!answers.called.empty()) {
    std::string names;
    for (const auto& name : answers.called) names += (names.empty() ? "" : ", ") + name;
    text += "; it calls its model " + names;
  }
  return text;
}

}  // namespace

std::vector<std::string> server_sentences(const Evidence& evidence) {
  std::vector<std::string> sentences;
  for (const auto& [model, answers] : served_models(evidence)) sentences.push_back(sentence(model, answers));
  return sentences;
}

std::vector<std::string> without_text_sentences(const Evidence& evidence) {
  using enum contract::NoText;
  std::vector<std::string> sentences;
  for (const auto& [model, answers] : served_models(evidence)) {
    std::size_t all = 0;
    for (const auto& [cause, count] : answers.no_text) all += count;
    if (all == 0) continue;
    auto text = fmt::format("{} of {} of {} {} no text: {}", all, counted(answers.count, "answer"), model,
                            all == 1 ? "has" : "have", contract::counted_causes(answers.no_text));
    const auto number = [&](contract::NoText cause) {
      const auto found = answers.no_text.find(cause);
      return found == answers.no_text.end() ? 0 : found->second;
    };
    const auto judged = answers.judge_reasoning ? number(reasoning) : 0;
    const auto wrong = number(cut_off) + number(refusal) + number(empty);
    std::vector<std::string> how;
    if (wrong > 0) how.emplace_back("refusals, empty and cut-off ones count as wrong");
    if (judged > 0) how.emplace_back("one that is only reasoning is judged by its last code block");
    if (const auto rest = all - wrong - judged; rest > 0)
      how.push_back(how.empty() ? rest == 1 ? "no column counts it" : "no column counts them"
                                : "no column counts the others");
    text += fmt::format("; {}", fmt::join(how, ", "));
    sentences.push_back(text + ".");
  }
  return sentences;
}

}  // namespace trl::interpreter
