#include "runtime/train/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "verifier/answer/source.hpp"

namespace trl::runtime {

Document make_document(const PromptFormat& format, const std::string& prompt, const std::string& answer,
                       Ending ending) {
  Document document{format.prompt(prompt)};
  document.answer_begin = document.tokens.size();
  const auto tokens = format.answer(answer);
  document.tokens.insert(document.tokens.end(), tokens.begin(), tokens.end());
  if (ending == Ending::stopped) document.tokens.push_back(format.ends().front());
  return document;
}

std::int64_t answer_tokens(const Document& document, std::int64_t context) {
  const auto length = std::min<std::int64_t>(static_cast<std::int64_t>(document.tokens.size()) - 1, context);
  const auto begin = std::max<std::int64_t>(static_cast<std::int64_t>(document.answer_begin) - 1, 0);
  return std::max<std::int64_t>(length - begin, 0);
}

std::int64_t plan_tokens(const Document& document) {
  const auto begin =
      std::max<std::size_t>(document.answer_begin, 1);  // nothing predicts the first token of all
  return document.plan && document.code_begin > begin ? static_cast<std::int64_t>(document.code_begin - begin)
                                                      : 0;
}

std::size_t tokens_within(const PromptFormat& format, const std::vector<Token>& answer, std::size_t bytes) {
  std::size_t within = 0, beyond = answer.size() + 1;  // so many tokens are, and aren't
  while (beyond - within > 1) {
    const auto middle = within + (beyond - within) / 2;
    const std::vector<Token> first(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(middle));
    (format.text(first).size() <= bytes ? within : beyond) = middle;
  }
  return within;
}

namespace {

/// Takes scores only if encoding the answer's text gives the tokens that were drawn, since many texts can
/// also be spelt in other tokens.
void take_scores(const nlohmann::json& drawn, Document& document) {
  const auto tokens = drawn.at("tokens").get<std::vector<Token>>();
  const auto begin = document.tokens.begin() + static_cast<std::ptrdiff_t>(document.answer_begin);
  if (std::equal(begin, document.tokens.end(), tokens.begin(), tokens.end()))
    document.sampled = drawn.at("scores").get<std::vector<float>>();
}

void take_plan(const PromptFormat& format, const nlohmann::json& row, Document& document) {
  const auto plan = row.find("plan");
  if (plan == row.end()) return;
  document.plan = plan->get<float>();
  const std::vector<Token> answer(
      document.tokens.begin() + static_cast<std::ptrdiff_t>(document.answer_begin), document.tokens.end());
  document.code_begin =
      document.answer_begin +
      tokens_within(format, answer, bytes_of_plan(row.at("answer").get_ref<const std::string&>()));
}

void pair_up(std::vector<Document>& documents, const std::map<std::int64_t, std::vector<std::size_t>>& pairs,
             const std::filesystem::path& file) {
  for (const auto& [name, rows] : pairs) {
    const auto weighs = [&](float weight) {
      return std::any_of(rows.begin(), rows.end(), [&](auto row) { return documents[row].weight == weight; });
    };
    if (rows.size() != 2 || !weighs(1) || !weighs(-1))
      throw UserError(fmt::format("{}: pair {} is not a right and a wrong answer", file.string(), name),
                      "give each pair two rows, one with \"weight\": 1 and one with \"weight\": -1");
    documents[rows[0]].other = rows[1];
    documents[rows[1]].other = rows[0];
  }
}

}  // namespace

std::vector<Document> read_documents(const std::filesystem::path& file, const PromptFormat& format,
                                     const std::function<void()>& checkpoint) {
  std::vector<Document> documents;
  std::map<std::int64_t, std::vector<std::size_t>> pairs;
  for_each_row(file, [&](const nlohmann::json& row) {
    const auto ending = row.value("finish", "stop") == "length" ? Ending::cut_off : Ending::stopped;
    documents.push_back(make_document(format, row.at("prompt").get<std::string>(),
                                      row.at("answer").get<std::string>(), ending));
    documents.back().weight = row.value("weight", 1.0F);
    take_plan(format, row, documents.back());
    if (const auto drawn = row.find("drawn"); drawn != row.end()) take_scores(*drawn, documents.back());
    if (const auto pair = row.find("pair"); pair != row.end())
      pairs[pair->get<std::int64_t>()].push_back(documents.size() - 1);
    if (documents.size() % 256 == 0) checkpoint();
  });
  pair_up(documents, pairs, file);
  return documents;
}

std::vector<std::vector<std::size_t>> units_of(const std::vector<Document>& documents) {
  std::vector<std::vector<std::size_t>> units;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto& other = documents[i].other;
    if (!other) units.push_back({i});
    if (other && *other > i) units.push_back({i, *other});
  }
  return units;
}

std::vector<std::size_t> shuffled(std::size_t count, RandomStream random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

std::vector<std::vector<std::size_t>> micro_batches(const std::vector<Document>& documents,
                                                    const std::vector<std::size_t>& chosen,
                                                    std::size_t budget) {
  auto sorted = chosen;
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return documents[a].tokens.size() < documents[b].tokens.size();
  });
  std::vector<std::vector<std::size_t>> batches;
  for (const auto i : sorted) {
    if (batches.empty() || (batches.back().size() + 1) * documents[i].tokens.size() > budget)
      batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

}  // namespace trl::runtime
