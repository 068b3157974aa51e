#include "runtime/chat/chat_template.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/support/files.hpp"
#include "tests/tokenizer/support.hpp"

namespace trl::runtime {
namespace {

using nlohmann::ordered_json;
using testing::message_of;

std::string rendered(const std::string& source, const ordered_json& variables = ordered_json::object()) {
  std::tm now{};
  now.tm_year = 125;
  now.tm_mday = 4;
  return ChatTemplate(source, "t").render(variables, now);
}

TEST(ChatTemplateTest, TagsTakeTheWhiteSpaceOfTheirLine) {
  EXPECT_EQ(rendered("a\n  {% if true %}\n  b\n  {% endif %}\nc\n"), "a\n  b\nc");
  EXPECT_EQ(rendered("a  {%- if true -%}  b  {%- endif +%}\nc"), "ab\nc");
  EXPECT_EQ(rendered("{{ 1 }}\n{{- 2 }}\n"), "12");
  EXPECT_EQ(rendered("{% raw %}{{ x }}{% endraw %}"), "{{ x }}");
}

TEST(ChatTemplateTest, LoopsHaveAScopeAndConditionsHaveNone) {
  EXPECT_EQ(rendered("{% set v = 1 %}{% for i in [1, 2] %}{% set v = v + i %}{{ v }}{% endfor %}{{ v }}"),
            "231");
  EXPECT_EQ(rendered("{% if true %}{% set v = 1 %}{% endif %}{{ v }}"), "1");
  EXPECT_EQ(
      rendered(
          "{% set n = namespace(v=0) %}{% for i in [1, 2] %}{% set n.v = n.v + i %}{% endfor %}{{ n.v }}"),
      "3");
  // A name that its scope sets first isn't seen from outside.
  EXPECT_EQ(rendered("{% for i in [1] %}{{ x }}{% endfor %}{% set x = 2 %}", {{"x", 1}}), "");
}

TEST(ChatTemplateTest, JsonIsPythons) {
  EXPECT_EQ(rendered("{{ x | tojson }}", {{"x", {{"b", {1, 2.0, nullptr}}, {"a", "ü\n"}}}}),
            R"({"b": [1, 2.0, null], "a": "ü\n"})");
  EXPECT_EQ(rendered("{{ x | tojson(indent=1) }}", {{"x", {{"b", 1}}}}), "{\n \"b\": 1\n}");
  EXPECT_EQ(rendered("{{ strftime_now('%d %b %Y') }}"), "04 Jan 2025");
}

TEST(ChatTemplateTest, MistakesAreNamedWithLineAndColumn) {
  const auto message = [](const std::string& source) { return message_of([&] { rendered(source); }); };
  EXPECT_EQ(message("a\n  {{ x.y.z }}"), "t:2:7: 'x' is undefined");
  EXPECT_EQ(message("{% if x %}"), "t:1:11: endif is missing for the tag before");
  EXPECT_EQ(message("{{ x | nl2br }}"), "t:1:8: the filter nl2br is not supported");
  EXPECT_EQ(message("ü{% include 'a' %}"), "t:1:5: the tag include is not supported");
  EXPECT_EQ(message("{{ raise_exception('no system message') }}"),
            "t:1:19: the template refuses this conversation: no system message");
  EXPECT_EQ(message("{{ 'ü' | upper }}"), "t:1:10: upper of text beyond ASCII is not supported");
}

class ChatTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "trl-chat-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void config(const ordered_json& value) { write_text(folder_ / "tokenizer_config.json", value.dump()); }
  std::string render(Chat::Options options = {}) const {
    return Chat::load(folder_).render({{{"role", "user"}, {"content", "hi"}}}, options);
  }
  std::filesystem::path folder_;
};

TEST_F(ChatTest, SpecialTokensAreTextsOrObjects) {
  config({{"bos_token", {{"content", "<s>"}, {"lstrip", false}}},
          {"eos_token", "</s>"},
          {"pad_token", nullptr},
          {"chat_template",
           "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ pad_token is defined }}"}});
  write_text(folder_ / "special_tokens_map.json", R"({"eos_token": "other", "pad_token": "<pad>"})");
  EXPECT_EQ(render(), "<s>hi</s>False");
}

TEST_F(ChatTest, AFileComesBeforeTheConfiguration) {
  config({{"chat_template", "config"}});
  EXPECT_EQ(render(), "config");
  write_text(folder_ / "chat_template.jinja", "file\n");
  EXPECT_EQ(render(), "file");
}

TEST_F(ChatTest, OneOfSeveralTemplatesIsForTools) {
  config({{"chat_template",
           {{{"name", "default"}, {"template", "plain"}}, {{"name", "tool_use"}, {"template", "tools"}}}}});
  EXPECT_EQ(render(), "plain");
  Chat::Options options;
  options.tools = ordered_json::array();
  EXPECT_EQ(render(options), "tools");
  options.name = "rag";
  EXPECT_EQ(message_of([&] { render(options); }), folder_.string() + ": there is no chat template rag");
}

TEST_F(ChatTest, WithoutATemplateAnErrorSaysSo) {
  EXPECT_TRUE(Chat::load(folder_).empty());
  EXPECT_EQ(message_of([&] { render(); }), folder_.string() + ": the model has no chat template");
}

}  // namespace
}  // namespace trl::runtime
