#include "runtime/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <queue>

#include "ground/error.hpp"
#include "runtime/tokenizer/byte_level.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

std::uint64_t pair_key(Token left, Token right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
}

[[noreturn]] void unsupported(const std::string& name, const std::string& what) {
  throw UserError(fmt::format("{}: {}", name, what),
                  "byte-level BPE tokenizers are supported (GPT-2's and Qwen2's form)");
}

std::string text_or(const json& object, const char* key, const std::string& otherwise) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_string() ? otherwise : found->get<std::string>();
}

// The split pattern of a `pre_tokenizer` entry: ByteLevel alone, or a Sequence of Split and ByteLevel.
std::string pattern_of(const json& entry, const std::string& name) {
  if (entry.is_null()) unsupported(name, "it has no pre_tokenizer");
  const auto type = text_or(entry, "type", "?");
  if (type == "ByteLevel") {
    if (entry.value("add_prefix_space", false)) unsupported(name, "add_prefix_space is set");
    if (!entry.value("use_regex", true)) unsupported(name, "ByteLevel without a pattern");
    return kByteLevelPattern;
  }
  if (type == "Sequence") {
    const auto& parts = entry.at("pretokenizers");
    if (parts.size() == 2 && text_or(parts[0], "type", "") == "Split" &&
        text_or(parts[1], "type", "") == "ByteLevel" && !parts[1].value("use_regex", true) &&
        !parts[1].value("add_prefix_space", false) && text_or(parts[0], "behavior", "") == "Isolated" &&
        !parts[0].value("invert", false) && parts[0].at("pattern").contains("Regex")) {
      return parts[0]["pattern"]["Regex"].get<std::string>();
    }
  }
  unsupported(name, fmt::format("its pre_tokenizer {} is not supported", type));
}

}  // namespace

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw UserError(fmt::format("{}: no such tokenizer file", file.string()),
                    "a model folder needs config.json, model.safetensors and tokenizer.json");
  }
  json document;
  try {
    document = json::parse(in);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("{}: not JSON: {}", file.string(), error.what()));
  }
  return parse(document, file.string());
}

Tokenizer Tokenizer::parse(const json& document, const std::string& name) {
  Tokenizer tokenizer;
  tokenizer.name_ = name;
  try {
    const auto& model = document.at("model");
    if (text_or(model, "type", "BPE") != "BPE") unsupported(name, "its model is not BPE");
    for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      if (!text_or(model, affix, "").empty()) unsupported(name, fmt::format("it uses {}", affix));
    }
    if (const auto normalizer = document.find("normalizer");
        normalizer != document.end() && !normalizer->is_null()) {
      if (text_or(*normalizer, "type", "") != "NFC") unsupported(name, "its normalizer is not NFC");
    }
    tokenizer.pre_tokenizer_ = PreTokenizer(pattern_of(document.value("pre_tokenizer", json()), name));

    std::unordered_map<std::string, Token> ids;
    const auto put = [&](const std::string& bytes, Token id) {
      if (id < 0 || id > 10'000'000) unsupported(name, fmt::format("token id {} is out of range", id));
      if (static_cast<std::size_t>(id) >= tokenizer.pieces_.size()) {
        tokenizer.pieces_.resize(id + 1);
        tokenizer.is_special_.resize(id + 1, false);
      }
      tokenizer.pieces_[id] = bytes;
    };
    for (const auto& [text, id] : model.at("vocab").items()) {
      ids[text] = id.get<Token>();
      put(from_byte_level(text), id.get<Token>());
    }
    for (const auto& added : document.value("added_tokens", json::array())) {
      const AddedToken token{added.at("id").get<Token>(), added.at("content").get<std::string>(),
                             added.value("special", false)};
      put(token.content, token.id);
      tokenizer.is_special_[token.id] = token.special;
      if (token.content.empty()) unsupported(name, "an added token is empty");
      tokenizer.added_.push_back(token);
    }
    for (int byte = 0; byte < 256; ++byte) {
      const auto found = ids.find(utf8(byte_characters()[byte]));
      if (found == ids.end()) unsupported(name, fmt::format("its vocabulary lacks the byte {}", byte));
      tokenizer.byte_tokens_[byte] = found->second;
    }
    std::int32_t rank = 0;
    for (const auto& merge : model.at("merges")) {
      std::string left, right;
      if (merge.is_array() && merge.size() == 2) {
        left = merge[0].get<std::string>();
        right = merge[1].get<std::string>();
      } else {
        const auto text = merge.get<std::string>();
        const auto space = text.find(' ');
        if (space == std::string::npos)
          unsupported(name, fmt::format("merge {} has no space: {}", rank, text));
        left = text.substr(0, space);
        right = text.substr(space + 1);
      }
      const auto a = ids.find(left), b = ids.find(right), result = ids.find(left + right);
      if (a == ids.end() || b == ids.end() || result == ids.end()) {
        unsupported(name, fmt::format("merge {} ({} {}) is not in the vocabulary", rank, left, right));
      }
      tokenizer.merges_.try_emplace(pair_key(a->second, b->second), Merge{rank, result->second});
      ++rank;
    }
    if (model.value("ignore_merges", false)) {
      for (const auto& [text, id] : ids) tokenizer.whole_[from_byte_level(text)] = id;
    }
  } catch (const json::exception& error) {
    throw UserError(fmt::format("{}: not a tokenizer.json: {}", name, error.what()));
  }
  return tokenizer;
}

void Tokenizer::merge(std::string_view piece, std::vector<Token>& out) const {
  if (!whole_.empty()) {
    if (const auto found = whole_.find(std::string(piece)); found != whole_.end()) {
      out.push_back(found->second);
      return;
    }
  }
  // A linked list of symbols and a heap of possible merges: memory is linear and time is n log n, whatever
  // the length of the piece.
  struct Symbol {
    Token token;
    std::int32_t previous, next;
  };
  struct Candidate {
    std::int32_t rank, position;
    Token left, right;
    bool operator<(const Candidate& other) const {  // std::priority_queue gives the largest first
      return std::tie(rank, position) > std::tie(other.rank, other.position);
    }
  };
  const auto size = static_cast<std::int32_t>(piece.size());
  std::vector<Symbol> symbols(size);
  for (std::int32_t i = 0; i < size; ++i) {
    symbols[i] = {byte_tokens_[static_cast<unsigned char>(piece[i])], i - 1, i + 1 < size ? i + 1 : -1};
  }
  std::priority_queue<Candidate> candidates;
  const auto consider = [&](std::int32_t left) {
    if (left < 0 || symbols[left].next < 0) return;
    const Token a = symbols[left].token, b = symbols[symbols[left].next].token;
    const auto found = merges_.find(pair_key(a, b));
    if (found != merges_.end()) candidates.push({found->second.rank, left, a, b});
  };
  for (std::int32_t i = 0; i + 1 < size; ++i) consider(i);
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    Symbol& left = symbols[best.position];
    if (left.token != best.left || left.next < 0 || symbols[left.next].token != best.right)
      continue;  // the symbols have been merged otherwise meanwhile
    const std::int32_t gone = left.next;
    left.token = merges_.find(pair_key(best.left, best.right))->second.result;
    left.next = symbols[gone].next;
    if (left.next >= 0) symbols[left.next].previous = best.position;
    symbols[gone].token = -1;
    consider(left.previous);
    consider(best.position);
  }
  for (std::int32_t i = size > 0 ? 0 : -1; i >= 0; i = symbols[i].next) out.push_back(symbols[i].token);
}

std::vector<Token> Tokenizer::encode_ordinary(std::string_view text) const {
  std::vector<Token> tokens;
  pre_tokenizer_.split(text, [&](std::string_view piece) { merge(piece, tokens); });
  return tokens;
}

std::vector<Token> Tokenizer::encode(std::string_view text) const {
  std::vector<Token> tokens;
  while (!text.empty()) {
    std::size_t at = text.size();
    const AddedToken* first = nullptr;
    for (const auto& token : added_) {
      const auto position = text.find(token.content);
      if (position < at || (position == at && first && token.content.size() > first->content.size())) {
        at = position;
        first = &token;
      }
    }
    pre_tokenizer_.split(text.substr(0, at), [&](std::string_view piece) { merge(piece, tokens); });
    if (!first) break;
    tokens.push_back(first->id);
    text.remove_prefix(at + first->content.size());
  }
  return tokens;
}

std::string Tokenizer::decode(const std::vector<Token>& tokens, bool keep_special) const {
  std::string text;
  for (const Token token : tokens) {
    if (token < 0 || token >= size() || (is_special_[token] && !keep_special)) continue;
    text += pieces_[token];
  }
  return text;
}

std::optional<Token> Tokenizer::find(const std::string& added_token) const {
  for (const auto& token : added_) {
    if (token.content == added_token) return token.id;
  }
  return std::nullopt;
}

Token Tokenizer::special(const std::string& added_token) const {
  if (const auto id = find(added_token)) return *id;
  throw UserError(fmt::format("{}: it has no token {}", name_, added_token),
                  "use a model that this tool pretrained, or add the token to the tokenizer's added_tokens");
}

}  // namespace trl::runtime
