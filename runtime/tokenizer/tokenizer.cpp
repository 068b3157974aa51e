#include "runtime/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include "base/support/reading.hpp"
#include "runtime/tokenizer/byte_level.hpp"

namespace trl::runtime {

using nlohmann::json;

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
  const auto text = text_if_there(file, {.within = file.parent_path()});
  if (!text) {
    throw UserError(fmt::format("{}: no such tokenizer file", file.string()),
                    "a model folder needs config.json, model.safetensors and tokenizer.json");
  }
  json document;
  try {
    document = json::parse(*text);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("{}: not JSON: {}", file.string(), error.what()));
  }
  return parse(document, file.string());
}

Tokenizer Tokenizer::parse(const json& document, const std::string& name) {
  Tokenizer tokenizer;
  tokenizer.name_ = name;
  Component top(document, name, "");
  if (top.optional("version") && top.text("version") != "1.0")
    top.refuse(fmt::format("version {} is not supported", top.text("version")));
  // The file has the settings at the time of its saving, but transformers sets truncation and padding anew in
  // every call: none by default.
  for (const char* field : {"truncation", "padding"}) top.optional(field);
  if (top.optional("normalizer")) tokenizer.normalizer_ = Normalizer(top.object("normalizer"));
  if (top.optional("pre_tokenizer")) tokenizer.pre_tokenizer_ = PreTokenizer(top.object("pre_tokenizer"));
  if (tokenizer.pre_tokenizer_.depends_on_start() && !tokenizer.normalizer_.empty())
    top.refuse("Metaspace with prepend_scheme first after a normalizer is not supported");
  if (top.optional("post_processor")) tokenizer.post_processor_ = PostProcessor(top.object("post_processor"));
  if (top.optional("decoder")) tokenizer.decoder_ = TokenDecoder(top.object("decoder"));
  tokenizer.model_ = Bpe(top.object("model"), tokenizer.pre_tokenizer_.bytes());
  tokenizer.added_ = AddedTokens(top, tokenizer.model_, tokenizer.normalizer_);
  top.finish();

  const auto put = [&](Token id, const std::string& text, bool special) {
    if (static_cast<std::size_t>(id) >= tokenizer.pieces_.size()) tokenizer.pieces_.resize(id + 1);
    tokenizer.pieces_[id] = {
        text, tokenizer.decoder_.separable() ? from_byte_level(text).value_or(text) : std::string(), true,
        special};
  };
  const auto is_special = [&](const std::string& text) { return tokenizer.added_.is_special(text); };
  for (const auto& [text, id] : tokenizer.model_.vocabulary()) put(id, text, is_special(text));
  for (const auto& [id, token] : tokenizer.added_.all()) put(id, token.written, is_special(token.written));
  return tokenizer;
}

std::vector<Token> Tokenizer::encode(std::string_view text, bool keep_special) const {
  std::vector<Token> tokens;
  Pieces pieces;
  for (const auto& outer : added_.split_raw(text, keep_special)) {
    if (outer.token) {
      tokens.push_back(*outer.token);
      continue;
    }
    const std::string normalised = normalizer_.empty() ? std::string() : normalizer_.apply(outer.text);
    const std::string_view part = normalizer_.empty() ? outer.text : normalised;
    for (const auto& inner : added_.split_normalized(part, keep_special)) {
      if (inner.token) {
        tokens.push_back(*inner.token);
        continue;
      }
      const bool at_start = outer.text.data() == text.data() && inner.text.data() == part.data();
      pre_tokenizer_.split(inner.text, at_start, pieces);
      for (const auto& piece : pieces.all) model_.encode(piece.text, tokens);
    }
  }
  return tokens;
}

std::string Tokenizer::decode(const std::vector<Token>& tokens, bool keep_special) const {
  std::string bytes;
  std::vector<std::string> texts;
  for (const Token token : tokens) {
    if (token < 0 || token >= size()) continue;
    const Piece& piece = pieces_[token];
    if (!piece.known || (piece.special && !keep_special)) continue;
    if (decoder_.separable())
      bytes += piece.bytes;
    else
      texts.push_back(piece.text);
  }
  return decoder_.separable() ? bytes : decoder_.decode(std::move(texts));
}

bool Tokenizer::is_single_byte(Token token) const {
  return token >= 0 && token < size() && decoder_.joins_bytes() && fallback_byte(pieces_[token].text) >= 0;
}

Token Tokenizer::special(const std::string& added_token) const {
  if (const auto id = find(added_token)) return *id;
  throw UserError(fmt::format("{}: it has no token {}", name_, added_token),
                  "use a model that this tool pretrained, or add the token to the tokenizer's added_tokens");
}

}  // namespace trl::runtime
