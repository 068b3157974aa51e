// Damaged files are refused with a UserError, or give a tokenizer that works.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace trl::runtime
