// A small tokenizer for tests, and a helper that returns the message of an error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/support/error.hpp"
#include "runtime/tokenizer/trainer.hpp"

namespace trl::runtime::testing {

/// A byte-level tokenizer.json.
inline nlohmann::json trained(int vocabulary = 300) {
  TokenizerTrainer trainer;
  for (int i = 0; i < 3; ++i)
    trainer.add("x = tl.load(x_ptr + offs, mask=mask, other=0.0)\n    tl.store(out_ptr + offs, x)");
  return trainer.train(vocabulary);
}

/// Characters with byte fallback, as SentencePiece's BPE is converted: <unk> 0, <s> 1, bytes from 2, then
/// "▁", a, b, "▁a", "▁ab".
inline nlohmann::json of_characters() {
  nlohmann::json vocab = {{"<unk>", 0}, {"<s>", 1}};
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* kDigits = "0123456789ABCDEF";
    vocab[std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">"] = 2 + byte;
  }
  vocab.update({{"▁", 258}, {"a", 259}, {"b", 260}, {"▁a", 261}, {"▁ab", 262}});
  using nlohmann::json;
  const json replace = {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}};
  const auto added = [](int id, const char* content) {
    return json{{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", true}};
  };
  json document = {{"version", "1.0"}, {"added_tokens", json::array({added(0, "<unk>"), added(1, "<s>")})}};
  document["normalizer"] = {{"type", "Sequence"},
                            {"normalizers", json::array({{{"type", "Prepend"}, {"prepend", "▁"}}, replace})}};
  document["pre_tokenizer"] = nullptr;
  document["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single", json::array({{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}},
                              {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}})},
      {"pair", json::array()},
      {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}};
  document["decoder"] = {
      {"type", "Sequence"},
      {"decoders", json::array({{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                                {{"type", "ByteFallback"}},
                                {{"type", "Fuse"}},
                                {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}})}};
  document["model"] = {
      {"type", "BPE"},    {"unk_token", "<unk>"},
      {"fuse_unk", true}, {"byte_fallback", true},
      {"vocab", vocab},   {"merges", json::array({json::array({"▁", "a"}), json::array({"▁a", "b"})})}};
  return document;
}

/// The message of the UserError that `body` throws; "" when it throws none.
template <typename Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace trl::runtime::testing
