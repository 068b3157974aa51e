// What can be said of the kernels without a GPU. The compiler comes with torch.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/support/random.hpp"
#include "runtime/decode/sources.hpp"
#include "runtime/decode/step.hpp"
#include "tests/compiles.hpp"
#include "tests/decode/models.hpp"
#include "tests/long_tests.hpp"

namespace trl::runtime::decode {
namespace {

// An H100 or H200, and a GPU with as little shared memory as any of capability 9 or later may have.
constexpr Gpu kHopper{90, 132, 232448};
constexpr Gpu kSmall{120, 48, 101376};

using testing::expect_compiles;

TEST(Device, KernelsCompileForPublishedModels) {
  // Two at 10 columns, the others one width each; with TRL_LONG_TESTS all of them at all widths.
  const bool all = trl::long_tests();
  const std::vector<std::int64_t> widths = {10, 1, 24, 64, 640};
  std::set<KernelSource> sources;
  const auto models = testing::published();
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto& config = models[m];
    ASSERT_EQ(reason_against(config), "");
    for (std::size_t w = 0; w < widths.size(); ++w) {
      if (!all && w != m % widths.size()) continue;
      auto storage = std::array{Storage::int8, Storage::nf4, Storage::bf16}[w % 3];
      if (!reason_against(config, storage).empty()) storage = Storage::bf16;
      const auto tails = m % 2 ? Tails{} : Tails{64, 32, 32, 32};
      const auto of =
          step_sources(config, storage, tails, config.vocabulary, kHopper, widths[w], w % 3 ? 1 : 4);
      // Small models' kernels take as long to compile as large ones'; of most models the products are enough
      // here.
      for (const auto& source : of) {
        if (all || m == 0 || m == 6 || source.file.ends_with("product.cu")) sources.insert(source);
      }
    }
    if (all || m == 0) sources.insert(prompt_source(config));
  }
  for (const auto& source : sources) expect_compiles(source);
}

TEST(Device, ErrorsOfTheCompilerNameFileAndLine) {
  try {
    compile_device({"norm.cu", {{"HIDDEN", "32"}}}, "sm_90");
    FAIL() << "it compiled without its macros";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("norm.cu("), std::string::npos) << error.what();
  }
}

TEST(Products, FitIntoSharedMemoryAndCoverEveryRow) {
  RandomStream random("products");
  const std::vector<std::int64_t> widths = {1, 8, 9, 16, 17, 32, 33, 64, 640};
  for (int i = 0; i < 4000; ++i) {
    ProductShape shape;
    shape.epilogue = static_cast<Epilogue>(random.below(4));
    // Rows as long as any published model has: the widest feed-forward layers, the widest hidden states.
    const std::uint64_t longest = shape.epilogue == Epilogue::parts ? 900 : 500;
    shape.k = 32 * static_cast<std::int64_t>(1 + random.below(i % 2 ? 40 : longest));
    if (i % 3 == 0) {
      shape.bits = i % 2 ? 8 : 4;
      shape.k = (shape.k + shape.step() - 1) / shape.step() * shape.step();
    }
    if (i % 5 == 0) shape.tail = 32 * static_cast<std::int64_t>(1 + random.below(6));
    shape.rows = static_cast<std::int64_t>(1 + random.below(160000));
    const auto columns = widths[random.below(widths.size())];
    for (const auto& gpu : {kHopper, kSmall}) {
      const auto choice = choose_product(shape, columns, gpu);
      EXPECT_LE(choice.shared_bytes(shape), gpu.shared_memory);
      EXPECT_GE(choice.stages, 3);
      EXPECT_EQ(choice.columns % 8, 0);
      EXPECT_TRUE(choice.slices == 16 || choice.slices == 4 || choice.slices == 1);
      EXPECT_TRUE(!choice.cluster || choice.slices == 4);
      EXPECT_TRUE(!choice.serial || choice.slices >= 4);
      EXPECT_TRUE(!choice.wide || gpu.capability == 90);
      // Only sums that another kernel adds up may be left in parts.
      if (shape.epilogue != Epilogue::parts) {
        EXPECT_EQ(choice.parts(), 1);
      }
      EXPECT_LE(choice.warps(), 32);
    }
  }
}

TEST(Products, OfAnyShapeTheChoiceCompiles) {
  RandomStream random("compiled products");
  for (int i = 0; i < 6; ++i) {
    const int bits = 16 >> i % 3;
    const ProductShape shape{512 / bits * static_cast<std::int64_t>(1 + random.below(60)), 1000,
                             static_cast<Epilogue>(i % 5), bits, i % 2 * 32};
    const auto columns = std::int64_t{1} << random.below(7);
    expect_compiles(product_source(shape, choose_product(shape, columns, i % 2 ? kHopper : kSmall)));
  }
}

TEST(Models, ThatDoNotFitAreNamed) {
  auto config = testing::published().front();
  config.hidden = 3600;
  EXPECT_NE(reason_against(config).find("hidden_size = 3600"), std::string::npos);
  config = testing::published().front();
  config.head_size = 256;
  EXPECT_NE(reason_against(config).find("head_dim = 256"), std::string::npos);
  config = testing::published().front();
  config.kv_heads = 1;
  EXPECT_NE(reason_against(config).find("28 query heads"), std::string::npos);
}

}  // namespace
}  // namespace trl::runtime::decode
