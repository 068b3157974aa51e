#include "base/support/model_files.hpp"

#include <gtest/gtest.h>

#include "base/support/files.hpp"
#include "tests/support/scratch.hpp"

using namespace trl;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A model's folder with an embedding of 4 × 2 and a tokenizer of 4 tokens.
class ModelFilesTest : public ::testing::Test {
 protected:
  ModelFilesTest() {
    write(), write_text(folder_ / "config.json", config_.dump());
    write_text(folder_ / "tokenizer.json", tokenizer_.dump());
  }

  /// Writes matrices of bytes, [rows, 2] each, into one file.
  void write(const std::map<std::string, std::string>& matrices = {{"model.embed_tokens.weight", "abcdefgh"}},
             const std::string& file = "model.safetensors") {
    json header;
    std::string data;
    for (const auto& [name, bytes] : matrices) {
      header[name] = {{"dtype", "U8"},
                      {"shape", {bytes.size() / 2, 2}},
                      {"data_offsets", {data.size(), data.size() + bytes.size()}}};
      data += bytes;
    }
    const std::string text = header.dump();
    const std::uint64_t size = text.size();
    write_text(folder_ / file, std::string(reinterpret_cast<const char*>(&size), 8) + text + data);
  }
  void set(const char* name, const json& value, const char* file = "config.json") {
    auto object = file == std::string("config.json") ? config_ : json::object();
    object[name] = value;
    write_text(folder_ / file, object.dump());
  }

  std::string problem() const {
    try {
      require_fitting_files(folder_);
    } catch (const UserError& error) {
      return std::string(error.what()) + "\n" + error.help;
    }
    return "";
  }
  void expect(const std::vector<std::string>& parts) const {
    const auto text = problem();
    for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }

  test::Scratch scratch_;
  const fs::path folder_ = scratch_.path;
  const json config_ = {
      {"vocab_size", 4}, {"hidden_size", 2}, {"tie_word_embeddings", true}, {"eos_token_id", 3}};
  json tokenizer_ = {{"model", {{"vocab", {{"a", 0}, {"b", 1}, {"c", 2}}}, {"merges", json::array({"a b"})}}},
                     {"added_tokens", json::array({{{"id", 3}, {"content", "<end>"}}})}};
};

}  // namespace

TEST_F(ModelFilesTest, ThatFitAreFine) {
  EXPECT_EQ(problem(), "");
  // An embedding is often larger than its tokenizer, and some files have the one matrix twice.
  write({{"model.embed_tokens.weight", "abcdefghijkl"}, {"lm_head.weight", "abcdefghijkl"}});
  set("vocab_size", 6);
  EXPECT_EQ(problem(), "");
  set("pad_token_id", -1);
  write({{"model.embed_tokens.weight", "abcdefgh"}});
  EXPECT_EQ(problem(), "") << "-1 stands for no token";
}

TEST_F(ModelFilesTest, TokensWithoutARowAreNamed) {
  for (int id : {4, 5})
    tokenizer_["added_tokens"].push_back({{"id", id}, {"content", "<new " + std::to_string(id) + ">"}});
  write_text(folder_ / "tokenizer.json", tokenizer_.dump());
  expect(
      {"ids up to 5, and the embedding has 4 rows", "2 tokens", "`<new 4>` (4)", "resize_token_embeddings"});
  tokenizer_["added_tokens"] = json::array();
  tokenizer_["model"]["vocab"]["d"] = 9;
  write_text(folder_ / "tokenizer.json", tokenizer_.dump());
  expect({"ids up to 9", "`d` (9)"});
  fs::remove(folder_ / "model.safetensors");
  expect({"the embedding has 4 rows"});
}

TEST_F(ModelFilesTest, AnotherOutputMatrixBesideTiedEmbeddingsIsNotLost) {
  write({{"model.embed_tokens.weight", "abcdefgh"}, {"lm_head.weight", "abcdefgX"}});
  expect({"lm_head.weight differs from the embedding", "Set `tie_word_embeddings` to false"});
  write({{"model.embed_tokens.weight", "abcdefgh"}, {"lm_head.weight", "abcdefghij"}});
  expect({"lm_head.weight differs from the embedding"});
  fs::remove(folder_ / "model.safetensors");
  write({{"model.embed_tokens.weight", "abcdefgh"}}, "one.safetensors");
  write({{"lm_head.weight", "XXXXXXXX"}}, "two.safetensors");
  write_text(folder_ / "model.safetensors.index.json",
             R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  expect({"lm_head.weight differs from the embedding"});
}

TEST_F(ModelFilesTest, MatricesOfOtherSizesAreNamed) {
  set("vocab_size", 5);
  expect({"says vocab_size = 5, and model.embed_tokens.weight has 4 rows"});
  set("hidden_size", 3);
  expect({"says hidden_size = 3, and model.embed_tokens.weight has 2 columns"});
  set("tie_word_embeddings", false);
  expect({"has no lm_head.weight"});
  write({{"model.embed_tokens.weight", "abcdefgh"}, {"lm_head.weight", "abcdef"}});
  expect({"lm_head.weight is 3 × 2, and model.embed_tokens.weight is 4 × 2"});
}

TEST_F(ModelFilesTest, AnOutputMatrixAloneIsTheEmbeddingWhereBothAreOne) {
  write({{"lm_head.weight", "abcdefgh"}});
  EXPECT_EQ(problem(), "") << "safetensors' save_model keeps the first name of the alphabet";
  set("tie_word_embeddings", false);
  expect({"has lm_head.weight and no model.embed_tokens.weight", "Set `tie_word_embeddings` to true"});
}

TEST_F(ModelFilesTest, AResizedEmbeddingHasARemedy) {
  write({{"model.embed_tokens.weight", "abcdefghij"}});
  expect({"has 5 rows", "write `vocab_size` = 5"});
}

TEST_F(ModelFilesTest, NamesOfAWrappingAreNamedWithAWayOut) {
  for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
           {"_orig_mod.model.embed_tokens.weight", "save `model._orig_mod`"},
           {"module.model.embed_tokens.weight", "save `model.module`"},
           {"base_model.model.model.embed_tokens.weight", "merge_and_unload"},
           {"_fsdp_wrapped_module.model.embed_tokens.weight", "full state"},
           {"embed_tokens.weight", "AutoModelForCausalLM"}}) {
    write({{name, "abcdefgh"}});
    expect({name, part});
  }
}

TEST_F(ModelFilesTest, IdsOfTheConfigurationHaveRows) {
  for (const char* name : {"eos_token_id", "bos_token_id", "pad_token_id"}) {
    set(name, 4);
    expect({std::string("`") + name + "` names the token 4, and the embedding has 4 rows"});
  }
  set("eos_token_id", json::array({3, -1}));
  expect({"`eos_token_id` names the token -1"});
  write_text(folder_ / "config.json", config_.dump());
  set("eos_token_id", json::array({3, 151645}), "generation_config.json");
  expect({"generation_config.json: `eos_token_id` names the token 151645"});
}
