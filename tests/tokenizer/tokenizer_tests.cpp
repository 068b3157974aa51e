#include "runtime/tokenizer/tokenizer.hpp"

#include <gtest/gtest.h>

#include "base/support/random.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "tests/tokenizer/support.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::of_characters;
using testing::trained;
using Tokens = std::vector<Token>;

std::string random_bytes(RandomStream& random) {
  std::string text;
  for (auto n = random.below(200); n > 0; --n) text += static_cast<char>(random.below(256));
  return text;
}

TEST(TokenizerTest, EveryStringOfBytesComesBack) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  RandomStream random("tokenizer");
  for (int i = 0; i < 300; ++i) {
    const auto text = random_bytes(random);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode_ordinary(text)), text);
  }
}

TEST(TokenizerTest, FrequentPiecesBecomeOneToken) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  EXPECT_EQ(tokenizer.encode(" mask").size(), 1U);
  EXPECT_LT(tokenizer.encode("x = tl.load(x_ptr + offs, mask=mask)").size(), 25U);
}

TEST(TokenizerTest, SpecialTokensAreZeroAndOne) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  EXPECT_EQ(tokenizer.special(kEndOfText), 0);
  EXPECT_EQ(tokenizer.special(kAnswer), 1);
  EXPECT_EQ(tokenizer.encode("<|answer|>x").front(), 1);
  EXPECT_GT(tokenizer.encode_ordinary("<|answer|>").size(), 1U);
  EXPECT_EQ(tokenizer.decode({1, tokenizer.encode("x")[0], 0}), "x");
  EXPECT_EQ(tokenizer.decode({0}, true), kEndOfText);
}

TEST(TokenizerTest, MergesMayBeStringsOrPairs) {
  auto document = trained();
  const auto expected = Tokenizer::parse(document, "pairs").encode("tl.load(mask)");
  for (auto& merge : document["model"]["merges"]) {
    merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  }
  EXPECT_EQ(Tokenizer::parse(document, "strings").encode("tl.load(mask)"), expected);
}

TEST(TokenizerTest, TrainingDependsOnTheCountsAlone) {
  TokenizerTrainer a, b;
  for (const char* text : {"one two", "two three", "one two"}) a.add(text);
  for (const char* text : {"two three", "one two", "one two"}) b.add(text);
  EXPECT_EQ(a.train(270).dump(), b.train(270).dump());
}

TEST(TokenizerTest, LongRunsTakeLinearMemoryAndNoStack) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  const std::string text(200'000, 'x');
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
}

TEST(TokenizerTest, ATooSmallVocabularyIsAnError) {
  EXPECT_EQ(message_of([] { trained(257); }), "a vocabulary of 257 is too small");
}

// transformers sets both anew in every call, so that a file's own say nothing.
TEST(TokenizerTest, TruncationAndPaddingOfAFileChangeNothing) {
  auto document = trained();
  document["truncation"] = {
      {"max_length", 2}, {"strategy", "LongestFirst"}, {"stride", 0}, {"direction", "Right"}};
  document["padding"] = {
      {"strategy", {{"Fixed", 64}}}, {"direction", "Right"}, {"pad_id", 0}, {"pad_token", "x"}};
  const std::string text = "one two three four five";
  EXPECT_EQ(Tokenizer::parse(document, "t.json").encode(text),
            Tokenizer::parse(trained(), "t.json").encode(text));
}

/// The message for `document` after `change`.
template <typename Change>
std::string refusal(json document, Change&& change) {
  change(document);
  return message_of([&] { Tokenizer::parse(document, "t.json"); });
}

TEST(TokenizerTest, WhatIsNotSupportedIsNamed) {
  EXPECT_EQ(refusal(trained(),
                    [](json& d) {
                      d["pre_tokenizer"] = {{"type", "UnicodeScripts"}};
                    }),
            "t.json: pre_tokenizer: the pre_tokenizer UnicodeScripts is not supported");
  EXPECT_EQ(refusal(trained(), [](json& d) { d["pre_tokenizer"]["later"] = 1; }),
            "t.json: pre_tokenizer: the field later isn't known, so that it can't be carried out");
  EXPECT_EQ(refusal(trained(),
                    [](json& d) {
                      d["model"]["merges"].push_back({"no", "where"});
                    }),
            "t.json: model: merge 31 (\"no\" \"where\"): a part or the whole is not in the vocabulary");
  EXPECT_EQ(refusal(trained(), [](json& d) { d["model"]["dropout"] = 0.1; }),
            "t.json: model: dropout is not supported, since its tokens are random");
  EXPECT_EQ(refusal(trained(),
                    [](json& d) {
                      d["normalizer"] = {{"type", "Lowercase"}};
                    }),
            "t.json: normalizer: the normalizer Lowercase is not supported");
  EXPECT_EQ(refusal(trained(), [](json& d) { d["added_tokens"][1]["content"] = "<other>"; }),
            "t.json: added_tokens[1]: token \"<other>\" has the id 1, but tokenizers would give it 289");
  EXPECT_EQ(refusal(of_characters(), [](json& d) { d["decoder"]["decoders"][3]["stop"] = 1; }),
            "t.json: decoder.decoders[3]: Strip at the end of a token is not supported");
  EXPECT_EQ(refusal(of_characters(), [](json& d) { d["model"]["vocab"]["b"] = 259; }),
            "t.json: model: two entries of the vocabulary have the id 259");
}

/// The message for a pattern of a Split.
std::string pattern_refusal(const std::string& pattern) {
  return message_of([&] { RegularExpression{pattern}; });
}

TEST(RegularExpressionTest, WhatPcre2WouldReadOtherwiseIsRefused) {
  // In Oniguruma a line's border, a repetition of a repetition, a class inside of a class, and an optional
  // count.
  for (const char* pattern :
       {"^a",      "a$",     "a{2}+",          "[a[b]]", "[a&&b]",       "a{,2}",     "a{2}?",
        R"(\w+)",  R"(\ba)", R"(\h)",          "(?m:a)", R"(\p{Greek})", R"(\p{Cn})", R"([^\S])",
        "(?i:ss)", "(?i:ﬁ)", R"((?i:\p{Lu}))", "(a",     "a)",           "[a",        "a**",
        "(?<=a)b", "a*",     R"(\x41)",        R"(\1)",  "(?<n>a)",      "[b-",       R"([\s-a])"})
    EXPECT_NE(pattern_refusal(pattern), "") << pattern;
  EXPECT_EQ(
      pattern_refusal("a{2}+"),
      "the pattern a{2}+ isn't supported: + after a count (a repetition in Oniguruma, possessive in PCRE2)");
}

TEST(RegularExpressionTest, CategoriesAreThoseOfUnicode16) {
  const auto matches = [](const char* pattern, char32_t code) {
    return RegularExpression(pattern).found_in(utf8(code));
  };
  EXPECT_TRUE(matches(R"(\p{L})", 0x1C89));  // since 16.0
  EXPECT_TRUE(matches(R"([^\p{N}])", 0x1C89));
  EXPECT_FALSE(matches(R"([^\s\p{L}])", 0x1C89));
  EXPECT_FALSE(matches(R"(\P{L})", 0x1C89));
  EXPECT_TRUE(matches(R"(\p{N})", 0x10D40));   // since 16.0
  EXPECT_FALSE(matches(R"(\p{N})", 0x11DE0));  // since 17.0
  EXPECT_TRUE(RegularExpression::digit().found_in(utf8(0x11DE0)));
  EXPECT_TRUE(matches("(?i:'s)", 'x') == false && RegularExpression("(?i:'s)").found_in("'ſ"));
  EXPECT_FALSE(matches(R"(\s)", 0x180E));
}

TEST(UnicodeTest, NormalFormsAreThoseOfUnicode9) {
  EXPECT_EQ(normal_form("e\u0301a\u0327\u0301", NormalForm::NFC), "\u00e9\u00e1\u0327");
  EXPECT_EQ(normal_form("a\u0301\u0327", NormalForm::NFD), "a\u0327\u0301");
  EXPECT_EQ(normal_form("\ufb01\u2460", NormalForm::NFKC), "fi1");
  EXPECT_EQ(normal_form("\u1100\u1161\u11a8", NormalForm::NFC), "\uac01");
  EXPECT_EQ(normal_form("\uac00\u11a7", NormalForm::NFC), "\uac00\u11a7");  // no trailing consonant
  EXPECT_EQ(normal_form("\U00011935\U00011930", NormalForm::NFC), "\U00011935\U00011930");  // since 13.0
  EXPECT_EQ(normal_form("\U0001d15e", NormalForm::NFC), "\U0001d157\U0001d165");            // never composed
}

TEST(UnicodeTest, LongRunsOfMarksAreSortedFast) {
  std::string text = "a";
  for (int i = 0; i < 200'000; ++i) text += i % 2 ? "\u0327" : "\u0301";
  EXPECT_EQ(normal_form(text, NormalForm::NFC).size(), text.size() - 1);  // "á" is one character
}

TEST(TokenizerTest, CharactersFallBackToBytes) {
  const auto tokenizer = Tokenizer::parse(of_characters(), "test");
  EXPECT_EQ(tokenizer.encode("ab a"), (Tokens{262, 261}));
  EXPECT_EQ(tokenizer.encode("é"), (Tokens{258, 2 + 0xC3, 2 + 0xA9}));
  EXPECT_EQ(tokenizer.encode("a<s>a"), (Tokens{261, 1, 261}));
  EXPECT_EQ(tokenizer.with_surroundings(tokenizer.encode("a")), (Tokens{1, 261}));
  EXPECT_EQ(tokenizer.decode({1, 262, 261, 2 + 0xC3, 2 + 0xA9, 2 + 0xC3}), "ab a\ufffd\ufffd\ufffd");
  EXPECT_EQ(tokenizer.decode({1, 262, 261, 2 + 0xC3, 2 + 0xA9}), "ab aé");
}

TEST(TokenizerTest, UnknownCharactersAreFused) {
  auto document = of_characters();
  document["model"]["byte_fallback"] = false;
  EXPECT_EQ(Tokenizer::parse(document, "test").encode("xyaz"), (Tokens{258, 0, 259, 0}));
  document["model"]["fuse_unk"] = false;
  EXPECT_EQ(Tokenizer::parse(document, "test").encode("xyaz"), (Tokens{258, 0, 0, 259, 0}));
}

TEST(TokenizerTest, TheLongestOfTheLeftmostAddedTokensIsFound) {
  auto document = trained();
  auto next = document["model"]["vocab"].size();
  const auto add = [&](const char* content, const char* flag) {
    json token = document["added_tokens"][0];
    token["content"] = content;
    token["id"] = next++;
    token["special"] = false;
    if (*flag) token[flag] = true;
    if (document["model"]["vocab"].contains(content)) token["id"] = document["model"]["vocab"][content];
    document["added_tokens"].push_back(token);
    return token["id"].get<Token>();
  };
  const Token mask = add("<mask>", "lstrip"), longer = add("<mask>s", ""), word = add("word", "single_word"),
              right = add("=>", "rstrip");
  const auto tokenizer = Tokenizer::parse(document, "test");
  EXPECT_EQ(tokenizer.encode("  <mask>"), Tokens{mask});
  EXPECT_EQ(tokenizer.encode("<mask>s<mask>"), (Tokens{longer, mask}));
  EXPECT_EQ(tokenizer.encode("word"), Tokens{word});
  EXPECT_NE(tokenizer.encode("wordé").front(), word);
  EXPECT_EQ(tokenizer.encode("=> \n\u2003=>"), (Tokens{right, right}));
  // Only a special token's spelling is ordinary text in a text from outside.
  EXPECT_EQ(tokenizer.encode_ordinary("<mask>"), Tokens{mask});
}

TEST(TokenizerTest, WholeEntriesCanComeBeforeMerges) {
  auto document = trained();
  document["model"]["merges"] = json::array();
  EXPECT_EQ(Tokenizer::parse(document, "test").encode(" mask").size(), 5U);
  document["model"]["ignore_merges"] = true;
  EXPECT_EQ(Tokenizer::parse(document, "test").encode(" mask").size(), 1U);
}

TEST(BpeTest, RememberedPiecesAreThoseThatMergesGive) {
  const auto document = trained();
  const Bpe one(Component(document["model"], "test", "model"), true);
  const auto other_document = trained(270);
  const Bpe other(Component(other_document["model"], "test", "model"), true);
  RandomStream random("pieces");
  for (int i = 0; i < 20'000; ++i) {
    std::string piece;
    for (auto n = random.below(300); n > 0; n = n / 2) piece += "x_ptr maskoffs="[random.below(15)];
    for (const Bpe* model : {&one, &other}) {
      Tokens remembered, plain;
      model->encode(piece, remembered);
      model->encode_anew(piece, plain);
      ASSERT_EQ(remembered, plain) << piece;
    }
  }
}

}  // namespace
}  // namespace trl::runtime
