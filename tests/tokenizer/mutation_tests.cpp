// Damaged files are refused with a UserError, or give a tokenizer and a template that work.
#include <gtest/gtest.h>

#include <random>

#include "runtime/chat/chat_template.hpp"
#include "runtime/tokenizer/tokenizer.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/tokenizer/support.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// A tokenizer.json without the vocabulary's bulk, so that mutations hit the components.
json everything() {
  json document = testing::of_characters();
  document["pre_tokenizer"] = {
      {"type", "Sequence"},
      {"pretokenizers",
       json::array(
           {{{"type", "Split"},
             {"pattern", {{"Regex", R"((?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\s+(?!\S)|\s+)"}}},
             {"behavior", "MergedWithNext"},
             {"invert", false}},
            {{"type", "Digits"}, {"individual_digits", true}},
            {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "never"}, {"split", true}}})}};
  document["normalizer"]["normalizers"].push_back({{"type", "NFKC"}});
  document["normalizer"]["normalizers"].push_back(
      {{"type", "Strip"}, {"strip_left", true}, {"strip_right", false}});
  return document;
}

TEST(TokenizerMutations, AreRefusedOrWork) {
  const std::vector<json> seeds = {testing::trained(), testing::of_characters(), everything()};
  const std::string text = "ab  x_ptr+1 <s> é\u0301 가 <unk>\n\n'S \xff\xc3 ٣";
  int worked = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    json document = seeds[seed % 3];
    if (seed % 2) {
      // Mutate everything but the vocabulary, which has most of the nodes.
      json vocabulary = std::exchange(document["model"]["vocab"], nullptr),
           merges = std::exchange(document["model"]["merges"], nullptr);
      document = fuzz::mutated_json(document, seeds[seed * 7 % 3], seed * 2654435761U);
      if (document.is_object() && document.contains("model") && document["model"].is_object()) {
        if (document["model"].contains("vocab") && document["model"]["vocab"].is_null())
          document["model"]["vocab"] = vocabulary;
        if (document["model"].contains("merges") && document["model"]["merges"].is_null())
          document["model"]["merges"] = merges;
      }
    } else {
      document = fuzz::mutated_json(document, seeds[seed * 7 % 3], seed * 2654435761U);
    }
    try {
      const auto tokenizer = Tokenizer::parse(document, "t.json");
      const auto tokens = tokenizer.with_surroundings(tokenizer.encode(text));
      tokenizer.decode(tokens, true);
      tokenizer.decode(tokenizer.encode_ordinary(text));
      for (const Token token : tokens) EXPECT_GE(token, 0);
      ++worked;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
  EXPECT_GT(worked, 100);
  EXPECT_LT(worked, 1400);
}

TEST(ChatTemplateMutations, AreRefusedOrWork) {
  const std::string sound =
      "{%- macro m(a, b='x') %}{{ a|trim ~ b[1:] }}{% endmacro -%}\n{% set ns = namespace(n=0) %}{# note #}\n"
      "{% for message in messages if message.content is not none %}\n  {{- m(message['content'], b=\"y\\n\") "
      "+ message.role|upper }}\n"
      "  {% if loop.first and not loop.last or ns.n // 2 == 1 %}{% set ns.n = ns.n + 1 %}{% elif x is "
      "defined %}{{ x|tojson(indent=2) }}"
      "{% else %}{{ [1, {'a': none}, (2.5,)]|list }}{% endif %}\n{% endfor %}{% set c %}{{ "
      "messages[::-1]|map(attribute='role')|join }}"
      "{% endset %}{{ c }}{% raw %}{{ }}{% endraw %}\n";
  const nlohmann::ordered_json variables = nlohmann::ordered_json::parse(
      R"({"messages": [{"role": "user", "content": " ü "}, {"role": "assistant", "content": null}, {"role": "b", "content": "c"}], "x": [1, "é"]})");
  static const char* const pieces[] = {
      "{%",       "%}",   "{{", "}}", "{#",     "#}",    "-",    "+",    "|",      "(",    ")",     "[",
      "]",        "{",    "}",  "'",  "\"",     ".",     "~",    " if ", " else ", " in ", " not ", " is ",
      "messages", "loop", "m",  "1",  "endfor", "endif", "set ", "for ", "\\",     "ü",    "%",     "**"};
  std::minstd_rand random(7);
  int worked = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string source = sound;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (source.size() + 1),
                        length = std::min<std::size_t>(random() % 12, source.size() - at);
      switch (random() % 3) {
        case 0:
          source.erase(at, length);
          break;
        case 1:
          source.insert(at, pieces[random() % std::size(pieces)]);
          break;
        default:
          source.insert(at, source.substr(random() % source.size(), length));
      }
    }
    try {
      ChatTemplate(source, "t").render(variables, std::tm{});
      ++worked;
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 2), "t:") << error.what();
    }
  }
  EXPECT_GT(worked, 300);
}

TEST(ChatTemplateMutations, DeepAndEndlessTemplatesAreRefused) {
  const auto rendered = [](const std::string& source) {
    return testing::message_of(
        [&] { ChatTemplate(source, "t").render(nlohmann::ordered_json::object(), std::tm{}); });
  };
  const auto many = [](const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  for (const char* part : {"(", "[", "not ", "-", "{1:", "a if ", "{% if a %}", "{% for a in b %}"}) {
    const std::string source = part[1] == '%' ? many(part, 100'000) : "{{ " + many(part, 100'000);
    EXPECT_NE(rendered(source), "") << part;
  }
  EXPECT_NE(rendered("{{ a" + many(".a", 100'000) + " }}"), "");
  EXPECT_NE(rendered("{{ 1" + many("+1", 100'000) + " }}"), "");
  EXPECT_NE(rendered("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").find("more than 100 deep"),
            std::string::npos);
  EXPECT_NE(rendered("{{ 'a' * 1000000000 }}").find("8 MiB"), std::string::npos);
  const std::string loop = "{% for i in range(100000) %}";
  EXPECT_NE(rendered(loop + loop + "{% endfor %}{% endfor %}").find("5 million steps"), std::string::npos);
  const std::string twice = "{% set a = a ~ a %}";
  EXPECT_NE(rendered("{% set a = 'aa' %}" + many(twice, 40)).find("8 MiB"), std::string::npos);
  EXPECT_NE(rendered("{% set a = [] %}" + many("{% set a = [a, a] %}", 100) + "{{ a }}"), "");
  EXPECT_NE(rendered("{% set a = [] %}{% set b = [] %}" +
                     many("{% set a = [a, a] %}{% set b = [b, b] %}", 100) + "{{ a == b }}"),
            "");
  EXPECT_NE(rendered("{% set a = [1] %}" + many("{% set a = a + a %}", 40)).find("a million items"),
            std::string::npos);
}

}  // namespace
}  // namespace trl::runtime
