// Estimates before a run: power and memory.
#include <gtest/gtest.h>

#include <cmath>

#include "language/estimate/memory.hpp"
#include "language/estimate/power.hpp"

namespace trl::language {
namespace {

/// A design of so many extensions, on or off.
Design complete(std::size_t factors) {
  Design design;
  static const Resolved extension = [] {
    Resolved out;
    out.name = "x";
    return out;
  }();
  for (std::size_t f = 0; f < factors; ++f)
    design.factors.push_back({"x", {}, &extension, {{"off", {}, {}}, {"on", {}, {}}}});
  for (std::size_t cell = 0; cell < std::size_t{1} << factors; ++cell) {
    design.cells.emplace_back();
    for (std::size_t f = 0; f < factors; ++f) design.cells.back().push_back(cell >> f & 1);
  }
  return design;
}

TEST(Power, OneSeedNeedsInteractions) {
  const Design two = complete(2), three = complete(3);
  auto planned = *planned_comparison(&two, "a.x");
  planned.size = {60, 1, 4};
  EXPECT_FALSE(planned.decidable());
  EXPECT_FALSE(planned.detectable());
  planned.size.seeds = 3;
  EXPECT_TRUE(planned.detectable());
  planned = *planned_comparison(&three, "x");
  planned.size = {60, 1, 4};
  EXPECT_TRUE(planned.detectable());
  planned = *planned_comparison(&three, "");
  planned.size = {60, 1, 4};
  EXPECT_FALSE(planned.decidable()) << "a control has no interactions";
  EXPECT_FALSE(planned_comparison(&three, "y"));
  EXPECT_FALSE(planned_comparison(nullptr, "x"));
}

TEST(Power, CoefficientsAreThoseOfTheDifference) {
  const Design three = complete(3);
  EXPECT_DOUBLE_EQ(planned_comparison(&three, "x")->question.squared_coefficients, 0.5);
  EXPECT_DOUBLE_EQ(planned_comparison(&three, "")->question.squared_coefficients, 1 + 1.0 / 8);
  EXPECT_DOUBLE_EQ(planned_comparison(nullptr, "")->question.squared_coefficients, 2);
}

TEST(Power, WhatWouldDoDoes) {
  const Design two = complete(2);
  auto planned = *planned_comparison(&two, "x");
  planned.size = {60, 2, 1};
  for (const double effect : {0.05, 0.1, 0.2}) {
    const auto size = planned.size_for(effect);
    if (!size) continue;
    auto larger = planned;
    larger.size = *size;
    EXPECT_LE(*larger.detectable(), effect);
    EXPECT_EQ(size->tasks, 60);
  }
  EXPECT_TRUE(planned.size_for(0.2));
  EXPECT_FALSE(planned.size_for(0.001)) << "tasks alone vary by more";
}

Architecture coder_7b() {
  Architecture a;
  a.hidden = 3584, a.layers = 28, a.heads = 28, a.kv_heads = 4, a.intermediate = 18944, a.vocabulary = 152064;
  a.head_width = 128;
  return a;
}

const std::vector<std::string> all = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                      "gate_proj", "up_proj", "down_proj"};

TEST(Memory, CountsTheWeightsOfThePublishedModel) {
  // The published count is 7,615,616,512; biases and norms, 0.0001 of it, are not counted.
  const Architecture a = coder_7b();
  EXPECT_NEAR(a.matrix_weights() + a.embedding_weights(), 7.6156e9, 0.001e9);
}

TEST(Memory, CountsTheAdapterOfThePublishedRecipe) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  q.targets = all;
  EXPECT_DOUBLE_EQ(modelled_memory(q).optimiser / 16, 40370176);
}

TEST(Memory, ComesCloseToWhatWasMeasured) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  q.targets = all;
  q.micro_batch = 2;
  q.sequence = 2048;
  const double gib = 1024.0 * 1024 * 1024;
  EXPECT_NEAR(modelled_memory(q).training() / gib, 60, 3);
  EXPECT_LT(modelled_memory(q).least_training() / gib, 30);
}

// tests/benchmarks/train: 17.3 GiB for 2 × 2,048 tokens with every layer computed again.
TEST(Memory, TheLeastOfTrainingIsWhatWasMeasuredWithEveryLayerComputedAgain) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  q.targets = all;
  q.dropout = true;
  q.sequence = 4096;
  const double gib = 1024.0 * 1024 * 1024;
  EXPECT_NEAR(least_to_train(q).all() / gib, 17.3, 0.4);
  EXPECT_LT(least_to_train(q).all(), modelled_memory(q).training());
  EXPECT_EQ(least_to_sample(q).tokens, 2 * 4096 * 2 * 28 * 512 * 2.0) << "two answers";
  EXPECT_EQ(least_to_sample(q).trained, 0);
}

TEST(Memory, QuantisedWeightsTakeLess) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  const double bf16 = modelled_memory(q).weights;
  q.quantize = "int8";
  const double int8 = modelled_memory(q).weights;
  q.quantize = "nf4";
  const double nf4 = modelled_memory(q).weights;
  EXPECT_LT(nf4, int8);
  EXPECT_LT(int8, bf16);
  EXPECT_GT(nf4, q.architecture.embedding_weights() * 2) << "embeddings are not quantised";
  q.quantize = "llm_int8";
  EXPECT_EQ(modelled_memory(q).weights, int8) << "the weights are the same";

  // One matrix of each kind, with a size that is no multiple of a block.
  q.architecture = {};
  q.architecture.layers = 3, q.architecture.hidden = 10, q.architecture.heads = 2,
  q.architecture.kv_heads = 1;
  q.architecture.head_width = 5, q.architecture.intermediate = 7, q.architecture.matrices = {{"down_proj"}};
  double rows = 0, numbers = 0, blocks = 0;
  for (const auto& matrix : q.architecture.all_matrices()) {
    const auto [in, out] = q.architecture.shape(matrix);
    rows += out, numbers += in * out, blocks += std::ceil(in * out / 64);
  }
  EXPECT_EQ(modelled_memory(q).weights, 3 * (numbers + 4 * rows)) << "a scale for each row";
  q.quantize = "nf4";
  EXPECT_EQ(modelled_memory(q).weights, 3 * (numbers / 2 + 4 * blocks)) << "a scale for each block of 64";
}

TEST(Memory, KeysAndValuesGrowWithCandidatesAndTokens) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  q.candidates = 10;
  q.sequence = 2048;
  EXPECT_DOUBLE_EQ(modelled_memory(q).cache, 10.0 * 2048 * 2 * 28 * 512 * 2);
}

TEST(MemoryEstimate, ModulesHaveTheRanksOfTheirPatterns) {
  MemoryQuestion q;
  auto& a = q.architecture;
  a.hidden = 100, a.layers = 3, a.heads = a.kv_heads = 4, a.head_width = 25, a.intermediate = 200,
  a.vocabulary = 1000;
  q.rank = 8, q.targets = {"q_proj", "down_proj"};
  EXPECT_EQ(modelled_memory(q).trained(), 3 * 8 * (200 + 300));
  q.patterns = ModulePatterns({{"layers\\.1\\..*", 2, {}}, {"down_proj", 64, 32}, {"q_proj", {}, 4}});
  EXPECT_EQ(modelled_memory(q).trained(), 2 * (200 + 300) + 2 * (8 * 200 + 64 * 300));
}

}  // namespace
}  // namespace trl::language
