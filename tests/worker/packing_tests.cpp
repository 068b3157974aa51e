// Documents packed after each other.
#include "runtime/train/packing.hpp"

#include <gtest/gtest.h>

namespace trl::runtime {
namespace {

std::vector<Document> documents(const std::vector<std::pair<int, int>>& sizes) {
  std::vector<Document> result;
  Token next = 1;
  for (const auto& [length, answer] : sizes) {
    Document document;
    for (int i = 0; i < length; ++i) document.tokens.push_back(next++);
    document.answer_begin = static_cast<std::size_t>(answer);
    document.weight = static_cast<float>(result.size() + 1);
    result.push_back(document);
  }
  return result;
}

TEST(Packing, PutsEveryAnswerTokenOnceBesideItsPosition) {
  const auto all = documents({{5, 2}, {1, 0}, {9, 4}, {3, 3}});
  const auto packed = pack_documents(all, {2, 0, 1, 3}, {{7}, {8}, {9}, {10}}, 96, 16);
  EXPECT_EQ(packed.rows(), 16);
  EXPECT_EQ(packed.begins, (std::vector<std::int32_t>{0, 8, 12, 14, 16}));  // one token has no row
  EXPECT_EQ(packed.longest, 8);
  EXPECT_EQ(packed.answer_begins, (std::vector<std::int64_t>{0, 5, 8, 8, 8}));
  EXPECT_EQ(packed.documents, (std::vector<std::int64_t>{2, 0, 1, 3}));
  EXPECT_EQ(packed.answers, (std::vector<std::int64_t>{3, 4, 5, 6, 7, 9, 10, 11}));
  EXPECT_EQ(packed.weights, (std::vector<float>{3, 3, 3, 3, 3, 1, 1, 1}));
  for (std::size_t i = 0; i < packed.answers.size(); ++i)
    EXPECT_EQ(packed.targets[i], packed.tokens[static_cast<std::size_t>(packed.answers[i])] + 1);
  EXPECT_EQ(packed.positions, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 0, 1}));
  EXPECT_EQ(packed.keys[0], 7U);
  EXPECT_EQ(packed.keys[8], 8U);
  EXPECT_EQ(packed.keys[15], 0U);
}

TEST(Packing, CutsDocumentsAtTheModelsContext) {
  const auto all = documents({{9, 4}});
  const auto packed = pack_documents(all, {0}, {{7}}, 6, 4);
  EXPECT_EQ(packed.begins, (std::vector<std::int32_t>{0, 6, 8}));
  EXPECT_EQ(packed.answers, (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(pack_documents(all, {0}, {{7}}, 96, 4).begins,
            (std::vector<std::int32_t>{0, 8}));  // nothing to fill up
}

TEST(Packing, SplitsByRows) {
  const auto all = documents({{5, 2}, {4, 1}, {9, 4}, {3, 3}, {2, 1}});
  using Runs = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(packs(all, {0, 1, 2, 3, 4}, 96, 8), (Runs{{0, 1}, {2}, {3, 4}}));
  EXPECT_EQ(packs(all, {2, 0}, 96, 3), (Runs{{0}, {1}}));  // a single one may exceed the budget
  EXPECT_EQ(packs(all, {}, 96, 3), Runs{});
  EXPECT_EQ(packs(all, {0, 1, 2, 3, 4}, 96, 20, 6), (Runs{{0, 1}, {2}, {3, 4}}));
  EXPECT_EQ(packs(all, {0, 1, 2, 3, 4}, 96, 7, 1), (Runs{{0}, {1}, {2}, {3}, {4}}));
}

TEST(Packing, LeavesAreEnoughForSeveralGpusAndNeitherTinyNorHuge) {
  EXPECT_EQ(rows_of_leaf(0), 2048);
  EXPECT_EQ(rows_of_leaf(16 * 1024), 2048);
  EXPECT_EQ(rows_of_leaf(640 * 600), 12'000);
  EXPECT_EQ(rows_of_leaf(640 * 1500), 16'384);
}

}  // namespace
}  // namespace trl::runtime
