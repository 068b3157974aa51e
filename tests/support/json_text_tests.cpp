#include "base/support/json_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "tests/support/scratch.hpp"

namespace trl {
namespace {

using nlohmann::json;

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonText, OfBytesThatAreNoUtf8SaysSo) {
  const json document = {{"a", "x\xff"}};
  EXPECT_THROW(document.dump(), json::exception);
  EXPECT_EQ(dumped(document), "{\"a\":\"x\xEF\xBF\xBD\"}");
  EXPECT_EQ(dumped(document, 1), "{\n \"a\": \"x\xEF\xBF\xBD\"\n}");
}

TEST(JsonText, AFileThatIsNoJsonIsNamed) {
  const test::Scratch scratch;
  write_text(scratch.path / "file", "{\"a\": 1}");
  EXPECT_EQ(read_json(scratch.path / "file")["a"], 1);
  write_text(scratch.path / "file", "{\"a\": ");
  EXPECT_EQ(
      error_of([&] { read_json(scratch.path / "file"); }).find((scratch.path / "file: not JSON").string()),
      0u);
  EXPECT_THROW(read_json(scratch.path / "nowhere"), ReadError);
}

TEST(JsonText, RowsAreReadThroughTheirBlocks) {
  const test::Scratch scratch;
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += json{{"number", i}, {"text", std::string(static_cast<std::size_t>(i % 50), 'x')}}.dump() + "\n";
    if (i % 7 == 0) text += "\n";
  }
  text.pop_back();  // the last line need not end
  write_text(scratch.path / "rows", text);
  int next = 0;
  for_each_row(scratch.path / "rows", [&](const json& row) { ASSERT_EQ(row["number"], next++); });
  EXPECT_EQ(next, 20'000);
  next = 0;
  for_each_row(text, "rows", [&](const json& row) { ASSERT_EQ(row["number"], next++); });
  EXPECT_EQ(next, 20'000);
}

TEST(JsonText, AnErrorNamesItsLine) {
  const auto nothing = [](const json&) {};
  EXPECT_EQ(error_of([&] { for_each_row("1\n\n[\n2\n", "rows", nothing); }).find("rows:3: not JSON: "), 0u);
  EXPECT_EQ(error_of([&] { for_each_row("1\n{", "rows", nothing); }).find("rows:2: not JSON: "), 0u);
  const auto wanting = [](const json& row) { row.at("task"); };
  EXPECT_EQ(error_of([&] { for_each_row("{\"task\": 1}\n{}\n", "rows", wanting); }).find("rows:2: [json."),
            0u);
}

}  // namespace
}  // namespace trl
