// Chat templates by jinja2: the settings, the limits, and what errors say. tests/parity/chat.py compares with
// transformers.
#include "runtime/chat/chat.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/support/files.hpp"
#include "base/support/home.hpp"

namespace trl::runtime {
namespace {

using nlohmann::ordered_json;

template <typename Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string rendered(const std::string& source, const ordered_json& variables = ordered_json::object()) {
  static TemplateRenderer renderer;
  return renderer.render({source, "t"}, variables, "2025-01-04");
}

std::string message(const std::string& source) {
  return message_of([&] { rendered(source); });
}

std::string many(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

TEST(ChatTemplateTest, TagsTakeTheWhiteSpaceOfTheirLine) {
  EXPECT_EQ(rendered("a\n  {% if true %}\n  b\n  {% endif %}\nc\n"), "a\n  b\nc");
  EXPECT_EQ(rendered("a  {%- if true -%}  b  {%- endif +%}\nc"), "ab\nc");
  EXPECT_EQ(rendered("{{ 1 }}\n{{- 2 }}\n"), "12");
}

TEST(ChatTemplateTest, LoopsAreLeftAndAnswersMayBeMarked) {
  EXPECT_EQ(rendered("{% for i in range(9) %}{% if i == 1 %}{% continue %}{% elif i == 3 %}{% break %}{% "
                     "endif %}{{ i }}{% endfor %}"),
            "02");
  EXPECT_EQ(rendered("{% generation %}a{% set v = 1 %}{% endgeneration %}{{ v }}"), "a");
}

TEST(ChatTemplateTest, JsonIsPythons) {
  EXPECT_EQ(rendered("{{ x | tojson }}", {{"x", {{"b", {1, 2.0, nullptr}}, {"a", "<ü>\n"}}}}),
            R"({"b": [1, 2.0, null], "a": "<ü>\n"})");
  EXPECT_EQ(rendered("{{ x | tojson(indent=1) }}", {{"x", {{"b", 1}}}}), "{\n \"b\": 1\n}");
  EXPECT_EQ(rendered("{{ strftime_now('%d %b %Y') }}"), "04 Jan 2025");
}

TEST(ChatTemplateTest, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(message("a\n  {{ x.y.z }}"), "t:2: 'x' is undefined");
  EXPECT_EQ(message("\n{{ x | nl2br }}"), "t:2: No filter named 'nl2br'.");
  EXPECT_EQ(message("\n\n{{ 'a' + 1 }}"), "t:3: TypeError: can only concatenate str (not \"int\") to str");
  EXPECT_EQ(message("{% macro m() %}\n{{ raise_exception('no system message') }}{% endmacro %}\n{{ m() }}"),
            "t:2: the template refuses this conversation: no system message");
  EXPECT_EQ(message("ü{% if x %}").substr(0, 5), "t:1: ");
  EXPECT_EQ(message("{% include 'a' %}").substr(0, 5), "t:1: ");
  EXPECT_NE(message("\xff").find("t: the template or the conversation is no UTF-8"), std::string::npos);
}

TEST(HostileTemplateTest, ReachesNothingOfPythonAndChangesNothing) {
  for (const char* source :
       {"{{ ''.__class__.__mro__[1].__subclasses__() }}", "{{ raise_exception.__globals__.x }}",
        "{{ '{0.__class__.x}'.format(1) }}", "{% set a = [1] %}{{ a.append(2) }}", "{{ range(1000000) }}"})
    EXPECT_EQ(message(source).substr(0, 5), "t:1: ") << source << message(source);
}

TEST(HostileTemplateTest, DeepAndLongOnesAreRefused) {
  for (const char* part : {"(", "[", "not ", "-", "{1:", "a if ", "{% if a %}", "{% for a in b %}"}) {
    const std::string source = part[1] == '%' ? many(part, 20'000) : "{{ " + many(part, 20'000);
    EXPECT_EQ(message(source).substr(0, 2), "t:") << part;
  }
  EXPECT_EQ(message("{{ a" + many(".a", 20'000) + " }}").substr(0, 2), "t:");
  EXPECT_EQ(message("{{ 1" + many("+1", 20'000) + " }}").substr(0, 2), "t:");
  EXPECT_EQ(message("{% macro m() %}\n{{ m() }}{% endmacro %}{{ m() }}"),
            "t:2: RecursionError: maximum recursion depth exceeded");
  EXPECT_EQ(message("{{ 'ab' * 5000000 }}"), "t: the template writes more than 8 MiB");
  const std::string loop = "{% for i in range(100000) %}";
  EXPECT_EQ(message(loop + "{{ 'a' * 100 }}{% endfor %}"), "t: the template writes more than 8 MiB");
  EXPECT_EQ(message("{{ 'a' * 10000000000 }}"), "t:1: the template needs more than 1 GiB of memory");
  EXPECT_EQ(message("{% set a = [1] %}" + many("{% set a = a + a %}", 40)),
            "t:1: the template needs more than 1 GiB of memory");
  EXPECT_LT(message("{{ raise_exception('a' * 1000000) }}").size(), 3000u);
  EXPECT_EQ(rendered("{{ 1 }}"), "1");
}

TEST(HostileTemplateTest, EndlessOnesAreEndedAndOthersGoOn) {
  const std::string loop = "{% for i in range(100000) %}";
  EXPECT_EQ(message(many(loop, 3) + many("{% endfor %}", 3)), "t: the template takes more than 5 seconds");
  EXPECT_EQ(rendered("{{ 1 }}"), "1");
  // Python itself never comes back from this to where it could be interrupted.
  EXPECT_EQ(message("{% set a = [] %}{% set b = [] %}" +
                    many("{% set a = [a, a] %}{% set b = [b, b] %}", 100) + "{{ a == b }}"),
            "t: the template takes more than 5 seconds");
  EXPECT_EQ(rendered("{{ 2 }}"), "2");
}

TEST(TemplateRendererTest, ThreadsTakeTurns) {
  TemplateRenderer renderer;
  std::array<std::string, 4> written;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < written.size(); ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; round < 50; ++round)
          written[i] += renderer.render({"{{ i }}", "t"}, {{"i", i}}, "2025-01-04");
      });
  }
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(written[i], many(std::to_string(i), 50));
}

TEST(TemplateRendererTest, WithoutJinjaAnErrorSaysWhatToInstall) {
  const std::filesystem::path python = find_python(find_home("runtime/chat/render.py"));
  std::string pattern = (std::filesystem::temp_directory_path() / "trl-chat-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  write_text(folder / "python", "#!/bin/sh\nexec " + python.string() + " -S \"$@\"\n");
  std::filesystem::permissions(folder / "python", std::filesystem::perms::owner_all);
  ::setenv("TRL_PYTHON", (folder / "python").c_str(), 1);
  std::string what, help, other;
  try {
    TemplateRenderer().render({"a", "t"}, ordered_json::object(), "2025-01-04");
  } catch (const UserError& error) {
    what = error.what();
    help = error.help;
  }
  ::setenv("TRL_PYTHON", "/bin/false", 1);
  other = message_of([] { TemplateRenderer().render({"a", "t"}, ordered_json::object(), "2025-01-04"); });
  ::setenv("TRL_PYTHON", python.c_str(), 1);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(what, (folder / "python").string() + " can't render chat templates: No module named 'jinja2'");
  EXPECT_EQ(other, "/bin/false can't render chat templates: it ended with exit status 1. ");
  EXPECT_NE(help.find("install it, or set TRL_PYTHON"), std::string::npos);
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
    options.today = "2025-01-04";
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

TEST_F(ChatTest, MistakesNameTheFile) {
  write_text(folder_ / "chat_template.jinja", "\n{{ raise_exception('no') }}");
  EXPECT_EQ(message_of([&] { render(); }),
            (folder_ / "chat_template.jinja").string() + ":2: the template refuses this conversation: no");
  std::filesystem::remove(folder_ / "chat_template.jinja");
  config({{"chat_template", 1}});
  EXPECT_EQ(message_of([&] { render(); }).find((folder_ / "tokenizer_config.json").string()), 0u);
}

TEST_F(ChatTest, WithoutATemplateAnErrorSaysSo) {
  EXPECT_TRUE(Chat::load(folder_).empty());
  EXPECT_EQ(message_of([&] { render(); }), folder_.string() + ": the model has no chat template");
}

}  // namespace
}  // namespace trl::runtime
