// `trl export adapter` and `trl export model`, by the real trl with the fake worker.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

namespace {

class ExportCommandTest : public ::testing::Test {
 protected:
  ExportCommandTest() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {}
  std::string text(const std::string& file) const { return read_text(folder_.path() / file); }
  std::set<std::string> names(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path() / folder))
      names.insert(entry.path().filename().string());
    return names;
  }
  TrlFolder folder_;
};

}  // namespace

TEST_F(ExportCommandTest, ARowsAdapterLeavesWithTheTokenizer) {
  const auto early = folder_.trl("export adapter study.trl 'none/seed 1' --to adapter");
  EXPECT_EQ(early.status, 1) << early.err;
  EXPECT_TRUE(has(early.err, "trl run study.trl --only")) << early.err;
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);

  const auto done = folder_.trl("export adapter study.trl 'none/seed 1' --to adapter");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(names("adapter"),
            (std::set<std::string>{"adapter_config.json", "adapter_model.safetensors", "tokenizer.json"}));
  EXPECT_TRUE(has(done.out, "adapter_model.safetensors")) << done.out;
  // Whoever loads it finds the model that it is of.
  const auto base = nlohmann::json::parse(text("adapter/adapter_config.json"))
                        .at("base_model_name_or_path")
                        .get<std::string>();
  EXPECT_TRUE(fs::exists(fs::path(base) / "config.json")) << base;
  // Two cells can train alike, where every verdict agrees; a control without rounds never does.
  const auto other =
      folder_.trl("export adapter study.trl 'imitate/seed 1' --out other");  // as other commands write
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_NE(text("adapter/adapter_model.safetensors"), text("other/adapter_model.safetensors"));

  EXPECT_TRUE(has(folder_.trl("export adapter study.trl nobody --to x").err, "Its rows are"));
  EXPECT_TRUE(has(folder_.trl("export adapter study.trl base --to x").err, "trains no adapter"));
  const auto again = folder_.trl("export adapter study.trl 'none/seed 1' --to adapter");
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(has(again.err, "isn't empty")) << again.err;
}

TEST_F(ExportCommandTest, AModelIsMergedWithARowsAdapterOrAFoldersOne) {
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  ASSERT_EQ(folder_.trl("export adapter study.trl 'none/seed 1' --to adapter").status, 0);
  const auto of_row = folder_.trl("export model study.trl 'none/seed 1' --to merged");
  ASSERT_EQ(of_row.status, 0) << of_row.err;
  EXPECT_EQ(names("merged"), (std::set<std::string>{"config.json", "model.safetensors", "tokenizer.json"}));
  // The fake worker's weights depend on every file, and an exported adapter says where its model is.
  fs::remove(folder_.path() / "adapter/tokenizer.json");
  write_text(folder_.path() / "adapter/adapter_config.json", "{}");
  const auto of_folder = folder_.trl("export model windtunnel.base --adapter adapter --to merged2");
  ASSERT_EQ(of_folder.status, 0) << of_folder.err;
  EXPECT_EQ(text("merged/model.safetensors"), text("merged2/model.safetensors"));

  EXPECT_TRUE(has(folder_.trl("export model windtunnel.base --to x").err, "--adapter"));
  EXPECT_TRUE(has(folder_.trl("export model study.trl --to x").err, "a row says which adapter"));
  const auto refused = [&](const std::string& adapter) {
    return folder_.trl("export model windtunnel.base --adapter " + adapter + " --to x").err;
  };
  EXPECT_TRUE(has(refused("merged"), "is a model's folder, not an adapter's")) << refused("merged");
  EXPECT_TRUE(has(refused("nowhere"), "there is no folder nowhere"));
  EXPECT_TRUE(has(refused("adapter/adapter_config.json"), "Name the folder in which it lies: adapter"));
  fs::create_directory(folder_.path() / "outer");
  EXPECT_TRUE(has(refused("outer"), "adapter_config.json doesn't exist"));
  fs::rename(folder_.path() / "adapter", folder_.path() / "outer/checkpoint-5");
  EXPECT_TRUE(has(refused("outer"), "name outer/checkpoint-5")) << refused("outer");
  fs::remove(folder_.path() / "outer/checkpoint-5/adapter_model.safetensors");
  EXPECT_TRUE(has(refused("outer/checkpoint-5"), "copy the folder whole"));
  write_text(folder_.path() / "outer/checkpoint-5/adapter_model.bin", "");
  EXPECT_TRUE(has(refused("outer/checkpoint-5"), "is a pickle"));
  EXPECT_FALSE(fs::exists(folder_.path() / "x"));
}
