#include "runtime/train/packing.hpp"

#include <algorithm>

namespace trl::runtime {

std::int64_t rows_of(const Document& document, std::int64_t context) {
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(document.tokens.size()) - 1, 0, context);
}

Packed pack_documents(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                      const std::vector<RandomKey>& keys, std::int64_t context, std::int64_t multiple) {
  Packed packed;
  packed.begins.push_back(0);
  packed.answer_begins.push_back(0);
  const auto end = [&](std::int64_t length) {
    packed.longest = std::max(packed.longest, length);
    packed.begins.push_back(static_cast<std::int32_t>(packed.tokens.size()));
  };
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& document = documents[chosen[i]];
    const auto length = rows_of(document, context);
    for (std::int64_t t = 0; t < length; ++t) {
      const auto at = static_cast<std::size_t>(t);
      if (at + 1 >= document.answer_begin) {
        packed.answers.push_back(packed.rows());
        packed.targets.push_back(document.tokens[at + 1]);
        packed.weights.push_back(document.weight);
      }
      packed.tokens.push_back(document.tokens[at]);
      packed.positions.push_back(static_cast<std::int32_t>(t));
      packed.keys.push_back(keys[i].value);
    }
    packed.documents.push_back(static_cast<std::int64_t>(chosen[i]));
    packed.answer_begins.push_back(static_cast<std::int64_t>(packed.answers.size()));
    if (length > 0) end(length);
  }
  const auto missing = (multiple - packed.rows() % multiple) % multiple;
  for (std::int64_t t = 0; t < missing; ++t) {
    packed.tokens.push_back(0);
    packed.positions.push_back(static_cast<std::int32_t>(t));
    packed.keys.push_back(0);
  }
  if (missing > 0) end(missing);
  return packed;
}

std::int64_t rows_of_leaf(std::int64_t rows) {
  return std::clamp<std::int64_t>(rows / 32, 2048, kMostLeafRows);
}

std::vector<std::vector<std::size_t>> packs(const std::vector<Document>& documents,
                                            const std::vector<std::size_t>& chosen, std::int64_t context,
                                            std::int64_t budget, std::int64_t full) {
  std::vector<std::vector<std::size_t>> result;
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto length = rows_of(documents[chosen[i]], context);
    if (result.empty() || rows >= full || rows + length > budget) {
      result.emplace_back();
      rows = 0;
    }
    result.back().push_back(i);
    rows += length;
  }
  return result;
}

}  // namespace trl::runtime
