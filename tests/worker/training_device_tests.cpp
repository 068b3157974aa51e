// What can be said of the training step's kernels without a GPU.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/train/kernel_step.hpp"
#include "tests/compiles.hpp"
#include "tests/decode/models.hpp"
#include "tests/long_tests.hpp"

namespace trl::runtime {
namespace {

TEST(TrainingDevice, KernelsCompileForPublishedModels) {
  // Of a 7B model the most important ones, and of Qwen3 those that normalise queries and keys; with
  // TRL_LONG_TESTS all of them, for several models and ranks.
  const bool all = trl::long_tests();
  std::set<KernelSource> sources;
  for (const auto& config : testing::published()) {
    if (config.feed_forward != FeedForwardKind::gated_silu) continue;
    if (!all && !sources.empty() && !config.qk_norm) continue;
    for (const std::int64_t rank : {16, 8, 64, 128}) {
      const auto settings = lora_settings(
          {{"rank", rank}, {"alpha", 32}, {"dropout", rank == 8 ? 0.0 : 0.05}, {"targets", "all_linear"}},
          config.family);
      auto patterned = settings;
      patterned.patterns = ModulePatterns({{"up_proj", 40, {}}, {"layers\\.1\\..*down_proj", 20, {}}});
      auto both = KernelStep::sources(config, settings);
      const auto by_pattern = KernelStep::sources(config, patterned);
      // The second layer has another number of units than the others.
      const auto feed_forward = std::count_if(by_pattern.begin(), by_pattern.end(), [](const auto& source) {
        return source.file == "feed_forward.cu";
      });
      EXPECT_EQ(feed_forward, rank > 64 ? 1 : 2);  // of so many units none is fused
      both.insert(both.end(), by_pattern.begin(), by_pattern.end());
      for (const auto& source : both) {
        const auto units = source.macros.find("UNITS");
        if (!all && config.qk_norm && source.file != "layers.cu") continue;
        if (all || units == source.macros.end() ||
            (units->second == "3" && source.macros.at("MASKED") == "1"))
          sources.insert(source);
      }
      if (!all) break;
    }
  }
  EXPECT_GE(sources.size(), 7U);
  for (const auto& source : sources) testing::expect_compiles(source);
}

}  // namespace
}  // namespace trl::runtime
