#include "interpreter/plan/model_folder.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "ground/error.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

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

}  // namespace

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
