#include "interpreter/plan/model_folder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "base/support/digest.hpp"

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const json base = {{"call", "windtunnel.base"}, {"args", json::array()}, {"named", json::object()}};

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

/// A cache with one repository; files are links to blobs, as huggingface_hub makes them where it can.
class HubCacheTest : public ::testing::Test {
 protected:
  fs::path folder() const { return scratch_.path / "hub/models--owner--name"; }
  HubCache cache() const { return {scratch_.path / "hub", "HF_HUB_CACHE is hub"}; }
  json weights(const std::string& revision = "main") const {
    return {{"call", "huggingface"}, {"args", {"owner/name"}}, {"named", {{"revision", revision}}}};
  }

  /// Makes a snapshot whose weights' blob has the right name, or another one.
  void add(const std::string& commit, const std::string& contents, const std::string& blob = "") {
    Scratch source;
    write_model(source.path, contents);
    const auto snapshot = folder() / "snapshots" / commit;
    fs::create_directories(snapshot);
    fs::create_directories(folder() / "blobs");
    for (const auto& entry : fs::directory_iterator(source.path / "stdlib/windtunnel")) {
      const auto file = entry.path().filename();
      const auto digest = sha256_of_file(entry.path());
      const auto name = file != "model.safetensors" ? digest.substr(0, 40) : blob.empty() ? digest : blob;
      if (!fs::exists(folder() / "blobs" / name)) fs::copy_file(entry.path(), folder() / "blobs" / name);
      fs::create_symlink("../../blobs/" + name, snapshot / file);
    }
  }
  void refer(const std::string& name, const std::string& commit) {
    fs::create_directories(folder() / "refs");
    write_text(folder() / "refs" / name, commit + "\n");
  }
  ModelFolder find(const json& weights) const { return find_model(weights, {}, {}, {}, cache()); }

  Scratch scratch_;
};

}  // namespace

TEST_F(HubCacheTest, AModelIsFoundByRevisionAndKeyedByItsContents) {
  add("aaaa", "12345678"), add("bbbb", "87654321");
  refer("main", "aaaa"), refer("v2", "bbbb");
  const auto first = find(weights());
  EXPECT_EQ(first.path, fs::absolute(folder() / "snapshots/aaaa"));
  EXPECT_EQ(find(weights("aaaa")).key, first.key) << "a commit is a revision too";
  EXPECT_NE(find(weights("v2")).key, first.key);
  refer("main", "bbbb");
  EXPECT_EQ(find(weights()).key, find(weights("v2")).key) << "the revision moved on";
  Scratch same;
  write_model(same.path);
  EXPECT_EQ(find_model(base, same.path, {}).key, first.key) << "the same files in a folder of their own";
}

TEST_F(HubCacheTest, TheNameOfALargeFilesBlobIsItsDigest) {
  const std::string name(64, 'a');
  add("aaaa", "12345678", name);
  refer("main", "aaaa");
  const auto found = find(weights());
  EXPECT_EQ(found.files.at("model.safetensors"), name) << "it isn't read";
  EXPECT_EQ(found.files.at("config.json"), sha256_of_file(folder() / "snapshots/aaaa/config.json"));
  fs::resize_file(folder() / "blobs" / name, 20);
  EXPECT_NE(message_of([&] { find(weights()); }).find("model.safetensors"), std::string::npos)
      << "an incomplete file is found all the same";
}

TEST_F(HubCacheTest, WhatIsAbsentIsNamedWithItsPlaceAndTheCommandThatGetsIt) {
  const auto error_of = [&](const json& named) {
    try {
      find(named);
    } catch (const UserError& error) {
      return std::string(error.what()) + "\n" + error.help;
    }
    return std::string();
  };
  const auto expect = [&](const std::string& text, const std::vector<std::string>& parts) {
    for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  expect(error_of(weights()),
         {"huggingface(\"owner/name\")", cache().folder.string(), folder().filename().string(),
          "`hf download owner/name`", "HF_HUB_CACHE is hub"});
  add("aaaa", "12345678");
  expect(error_of(weights()), {(folder() / "snapshots/main").string()});
  refer("main", "cccc");
  expect(error_of(weights()), {(folder() / "snapshots/cccc").string(), (folder() / "refs/main").string(),
                               "The commit aaaa is there: `revision = \"aaaa\"`"});
  expect(error_of(weights("v2")), {"revision = \"v2\"", (folder() / "snapshots/v2").string(),
                                   "`hf download owner/name --revision v2`"});
  refer("main", "aaaa");
  // The branch moved on, and its tokenizer alone was asked for.
  add("dddd", "12345678");
  refer("main", "dddd");
  fs::remove(folder() / "snapshots/dddd/model.safetensors");
  expect(error_of(weights()),
         {(folder() / "snapshots/dddd/model.safetensors").string(), "`revision = \"aaaa\"`"});
  write_text(folder() / "snapshots/dddd/pytorch_model.bin", "");
  expect(error_of(weights()), {"pytorch_model.bin, a pickle", "writes safetensors"});
  fs::remove_all(folder() / "snapshots/dddd");
  refer("main", "aaaa");
  fs::remove(folder() / "snapshots/aaaa/tokenizer.json");
  expect(error_of(weights()), {(folder() / "snapshots/aaaa/tokenizer.json").string(), "hf download"});
  fs::remove(folder() / "blobs" / sha256_of_file(folder() / "snapshots/aaaa/model.safetensors"));
  expect(error_of(weights()), {(folder() / "snapshots/aaaa/model.safetensors").string(), "hf download"});
  for (const char* bad : {"../x", "a/b/c", "", "a b", "a/..", "a\"; rm -r"})
    expect(error_of({{"call", "huggingface"}, {"args", {bad}}, {"named", json::object()}}),
           {"no name of a repository"});
  expect(error_of(weights("../../etc")), {"no revision"});
}

TEST_F(HubCacheTest, EveryShardOfTheIndexIsNeededAndDetermineTheKey) {
  add("aaaa", "12345678");
  refer("main", "aaaa");
  const auto snapshot = folder() / "snapshots/aaaa";
  const auto alone = find(weights()).key;
  fs::rename(snapshot / "model.safetensors", snapshot / "model-00001-of-00002.safetensors");
  write_text(
      snapshot / "model.safetensors.index.json",
      R"({"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}})");
  EXPECT_NE(message_of([&] { find(weights()); }).find("model-00002-of-00002.safetensors"), std::string::npos);
  fs::copy_file(snapshot / "model-00001-of-00002.safetensors", snapshot / "model-00002-of-00002.safetensors");
  const auto sharded = find(weights());
  EXPECT_NE(sharded.key, alone);
  EXPECT_EQ(sharded.files.count("model.safetensors.index.json"), 1u);
  write_text(snapshot / "model.safetensors.index.json", R"({"weight_map": {"a": "../x.safetensors"}})");
  EXPECT_NE(message_of([&] { find(weights()); }).find("has no file in the folder"), std::string::npos);
}

TEST_F(HubCacheTest, WhatChangesPromptsOrEndsOfAnswersDeterminesTheKey) {
  Scratch a;
  write_model(a.path);
  std::set<std::string> keys = {find_model(base, a.path, {}).key};
  fs::create_directories(a.path / "stdlib/windtunnel/additional_chat_templates");
  for (const char* name : {"generation_config.json", "tokenizer_config.json", "special_tokens_map.json",
                           "chat_template.jinja", "additional_chat_templates/tools.jinja"}) {
    write_text(a.path / "stdlib/windtunnel" / name, "{}");
    EXPECT_TRUE(keys.insert(find_model(base, a.path, {}).key).second) << name;
  }
  write_text(a.path / "stdlib/windtunnel/README.md", "other");
  EXPECT_FALSE(keys.insert(find_model(base, a.path, {}).key).second);
}

// The order of huggingface_hub's constants.py.
TEST(HubCacheFolder, VariablesOfTheEnvironmentDetermineIt) {
  using Variables = std::map<std::string, std::string>;
  const auto folder = [](const Variables& variables) {
    return hub_cache([&](const char* name) {
             const auto found = variables.find(name);
             return found == variables.end() ? nullptr : found->second.c_str();
           })
        .folder.string();
  };
  Variables variables = {{"HOME", "/home/a"}};
  EXPECT_EQ(folder(variables), "/home/a/.cache/huggingface/hub");
  variables["XDG_CACHE_HOME"] = "/x";
  EXPECT_EQ(folder(variables), "/x/huggingface/hub");
  variables["HF_HOME"] = "~/hf/";
  EXPECT_EQ(folder(variables), "/home/a/hf/hub");
  variables["HUGGINGFACE_HUB_CACHE"] = "/old/";
  EXPECT_EQ(folder(variables), "/old");
  variables["HF_HUB_CACHE"] = "/c";
  EXPECT_EQ(folder(variables), "/c");
  variables["HF_HUB_CACHE"] = "";
  EXPECT_EQ(folder(variables), "/old") << "an empty variable counts as unset";
}

TEST(ModelFolder, KeyIsOfTheContentsNotThePlace) {
  Scratch a, b, c;
  write_model(a.path), write_model(b.path), write_model(c.path, "87654321");
  EXPECT_EQ(find_model(base, a.path, {}).key, find_model(base, b.path, {}).key);
  EXPECT_NE(find_model(base, a.path, {}).key, find_model(base, c.path, {}).key);
}

TEST(ModelFolder, PathIsRelativeToTheFile) {
  Scratch a;
  write_model(a.path);
  const json named = {{"call", "path"}, {"args", {"stdlib/windtunnel"}}, {"named", json::object()}};
  EXPECT_EQ(find_model(named, {}, a.path).key, find_model(base, a.path, {}).key);
}

TEST(ModelFolder, ACutOrMissingFileIsNamed) {
  Scratch a;
  write_model(a.path);
  const auto folder = a.path / "stdlib" / "windtunnel";
  std::filesystem::resize_file(folder / "model.safetensors",
                               std::filesystem::file_size(folder / "model.safetensors") - 3);
  EXPECT_NE(message_of([&] { find_model(base, a.path, {}); }).find("model.safetensors"), std::string::npos);
  std::filesystem::resize_file(folder / "model.safetensors", 4);
  EXPECT_NE(message_of([&] { find_model(base, a.path, {}); }).find("model.safetensors"), std::string::npos);
  std::filesystem::remove(folder / "model.safetensors");
  EXPECT_NE(message_of([&] { find_model(base, a.path, {}); }).find("model.safetensors"), std::string::npos);
  write_model(a.path);
  std::filesystem::remove(folder / "tokenizer.json");
  EXPECT_NE(message_of([&] { find_model(base, a.path, {}); }).find("tokenizer.json"), std::string::npos);
}
