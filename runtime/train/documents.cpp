#include "runtime/train/documents.hpp"

#include <algorithm>

#include "ground/json_text.hpp"
#include "ground/random.hpp"

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

std::vector<Document> read_documents(const std::filesystem::path& file, const PromptFormat& format,
                                     const std::function<void()>& checkpoint) {
  std::vector<Document> documents;
  for_each_row(file, [&](const nlohmann::json& row) {
    const auto ending = row.value("finish", "stop") == "length" ? Ending::cut_off : Ending::stopped;
    documents.push_back(make_document(format, row.at("prompt").get<std::string>(),
                                      row.at("answer").get<std::string>(), ending));
    documents.back().weight = row.value("weight", 1.0F);
    if (documents.size() % 256 == 0) checkpoint();
  });
  return documents;
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
