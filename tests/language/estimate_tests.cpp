// Estimates before a run: power and memory.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "language/estimate/memory.hpp"
#include "language/estimate/power.hpp"

namespace trl::language {
namespace {

TEST(Power, AnswersOfOneTaskAreWorthLess) {
  Comparison design;
  design.tasks = 20;
  design.answers = 10;
  EXPECT_NEAR(design.independent_answers(), 20 * 10 / (1 + 9 * 0.6), 1e-9);
  design.answers = 1;
  EXPECT_DOUBLE_EQ(design.independent_answers(), 20);
  design.answers = 1e9;
  EXPECT_NEAR(design.independent_answers(), 20 / 0.6, 1e-3);
}

TEST(Power, QuantilesAreTheTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(normal_quantile(0.8), 0.841621, 1e-6);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
}

TEST(Power, WhatWouldDoDoes) {
  Comparison design;
  design.tasks = 60;
  design.answers = 3;
  for (const double effect : {0.02, 0.05, 0.1, 0.2}) {
    Comparison larger = design;
    larger.tasks = design.tasks_for(effect);
    EXPECT_LE(larger.detectable(), effect);
    larger.tasks -= 1;
    EXPECT_GT(larger.detectable(), effect);
    if (const auto answers = design.answers_for(effect); answers && *answers > 1) {
      larger = design;
      larger.answers = *answers;
      EXPECT_LE(larger.detectable(), effect);
      larger.answers -= 1;
      EXPECT_GT(larger.detectable(), effect);
    }
  }
  EXPECT_FALSE(design.answers_for(0.02)) << "60 tasks are worth at most 100 answers";
}

TEST(Power, ASimulationFindsTheStandardError) {
  // A simulation: answers to a task share a normal component of variance `correlation`, half of which is the
  // same on both sides.
  Comparison design;
  design.tasks = 40;
  design.answers = 4;
  const double r = Comparison::intra_class_correlation, unit = Comparison::share * (1 - Comparison::share);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  double squares = 0;
  const int runs = 4000;
  for (int run = 0; run < runs; ++run) {
    double difference = 0;
    for (int task = 0; task < 40; ++task) {
      // The mean of a side has variance unit · (r + (1 − r) / answers), of which pairing shares a part.
      const double mean = std::sqrt(unit * (r + (1 - r) / design.answers));
      difference += mean * std::sqrt(1 - Comparison::pairing) * (normal(random) - normal(random)) / 40;
    }
    squares += difference * difference;
  }
  EXPECT_NEAR(std::sqrt(squares / runs), design.standard_error(), 0.03 * design.standard_error());
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
}

TEST(Memory, KeysAndValuesGrowWithCandidatesAndTokens) {
  MemoryQuestion q;
  q.architecture = coder_7b();
  q.candidates = 10;
  q.sequence = 2048;
  EXPECT_DOUBLE_EQ(modelled_memory(q).cache, 10.0 * 2048 * 2 * 28 * 512 * 2);
}

}  // namespace
}  // namespace trl::language
