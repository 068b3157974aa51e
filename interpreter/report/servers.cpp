#include "interpreter/report/servers.hpp"

#include <map>
#include <set>

#include "base/contract/declared_endpoint.hpp"
#include "base/support/counted.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Sums over the stages that asked for answers of one model.
struct ServedAnswers {
  std::size_t count = 0, uncounted = 0;
  double prompt_tokens = 0, tokens = 0;
  std::set<std::string> called;  ///< what the server calls its model
  std::optional<contract::Price> price;
};

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
    if (declared.price) answers.price = declared.price;
  }
  std::vector<std::string> sentences;
  for (const auto& [model, answers] : models) sentences.push_back(sentence(model, answers));
  return sentences;
}

}  // namespace trl::interpreter
