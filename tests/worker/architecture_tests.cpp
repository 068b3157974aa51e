// What the language estimates of a model agrees with what the runtime loads.
#include <gtest/gtest.h>

#include <set>

#include "language/estimate/architecture.hpp"
#include "language/modules/library.hpp"
#include "runtime/model/modules.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

const language::Schema& schema() {
  static language::Sources sources;
  static const auto library = language::read_library(sources);
  return library.schema;
}

/// What the language makes of a config.json.
language::Architecture estimated(const nlohmann::ordered_json& config) {
  language::Value weights;
  weights.kind = language::Value::Kind::call;
  weights.name = "path";
  weights.items.emplace_back();
  weights.items[0].kind = language::Value::Kind::plain;
  weights.items[0].plain = "model";
  language::CheckOptions options;
  options.read = [&](const std::string&) { return std::optional(config.dump()); };
  return language::architecture_of(weights, schema(), options, "").value();
}

TEST(ArchitectureTest, SizesAndMatricesOfEveryFamilyAreTheRuntimes) {
  const testing::TemporaryFolder folder;
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    for (const bool varied : {false, true}) {
      auto config = testing::tiny_config(family);
      if (varied) {
        config.head_size = 14;
        config.tied_embeddings = !config.tied_embeddings;
        config.heads = config.kv_heads = 3;
      }
      auto json = to_json(config);
      if (varied && family != Family::llama)
        json.update({{"sliding_window", 50}, {"use_sliding_window", true}, {"max_window_layers", 1}});
      if (family == Family::starcoder2) json.erase("use_sliding_window"), json.erase("max_window_layers");
      write_text(folder / "config.json", json.dump());
      const auto read = read_config(folder / "");
      const auto found = estimated(json);
      double matrices = 0, embeddings = 0;
      for (const auto& [name, shape] : weight_shapes(read)) {
        if (shape.size() != 2) continue;
        const auto entries = static_cast<double>(shape[0] * shape[1]);
        (name.starts_with("model.layers.") ? matrices : embeddings) += entries;
      }
      EXPECT_EQ(found.matrix_weights(), matrices) << json.dump(2);
      EXPECT_EQ(found.embedding_weights(), embeddings) << json.dump(2);
      EXPECT_EQ(found.context, static_cast<double>(read.context)) << json.dump(2);
      std::vector<std::string> names;
      for (const auto projection : projections(family))
        names.emplace_back(projection_name(family, projection));
      EXPECT_EQ(found.matrices, names);
      EXPECT_EQ(found.all_matrices(), names);
      for (const auto projection : projections(family)) {
        EXPECT_EQ(language::Architecture::path(3, std::string(projection_name(family, projection))),
                  module_path(family, 3, projection));
        const auto [out, in] = projection_shape(read, projection);
        const auto shape = found.shape(std::string(projection_name(family, projection)));
        EXPECT_EQ(shape, (std::pair<double, double>(in, out))) << projection_name(family, projection);
      }
    }
  }
}

TEST(ArchitectureTest, TheTargetsOfTheLanguageAreTheNamesOfModules) {
  std::set<std::string> names = {"all_linear"}, running;
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    ASSERT_TRUE(schema().families.contains(std::string(name_of(family))));
    for (const auto projection : projections(family)) names.emplace(projection_name(family, projection));
    running.emplace(name_of(family));
  }
  for (const auto& [name, family] : schema().families) EXPECT_EQ(family.runs, running.contains(name)) << name;
  const auto* targets = language::find(schema().kinds.at("lora").fields, "targets");
  ASSERT_TRUE(targets && targets->type.args.size() == 1);
  const auto& choices = targets->type.args[0].choices;
  EXPECT_EQ(std::set<std::string>(choices.begin(), choices.end()), names);
}

}  // namespace
}  // namespace trl::runtime
