#include "runtime/tokenizer/bpe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <tuple>

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {
namespace {

constexpr Token kMostTokens = 10'000'000;

/// One thread's pieces with their tokens: a table in which a new piece replaces the older one that has its
/// place.
class PieceMemory {
 public:
  struct Entry {
    std::uint64_t model = 0;
    std::size_t hash = 0;
    std::string piece;
    std::vector<Token> tokens;
    bool is(std::uint64_t of, std::size_t hashed, std::string_view text) const {
      return model == of && hash == hashed && piece == text;
    }
  };
  Entry& at(std::size_t hash) { return entries_[hash % kSize]; }

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 15;
  std::vector<Entry> entries_ = std::vector<Entry>(kSize);
};

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// A merge that may be possible, with the token that it made of the pair when the merge was found.
struct Candidate {
  std::int32_t rank, position;
  Token result;
  bool operator<(const Candidate& other) const {  // std::priority_queue gives the largest first
    return std::tie(rank, position) > std::tie(other.rank, other.position);
  }
};

}  // namespace

Bpe::Bpe(Component component, bool bytes) : bytes_(bytes), identity_(next_identity()) {
  if (component.optional("type") && component.type() != "BPE")
    component.refuse(fmt::format("a model of type {} is not supported", component.type()));
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (component.optional(affix) && !component.text(affix).empty())
      component.refuse(fmt::format("{} is not supported", affix));
  if (const auto* dropout = component.optional("dropout"); dropout && *dropout != 0)
    component.refuse("dropout is not supported, since its tokens are random");
  byte_fallback_ = component.boolean("byte_fallback", false);
  fuse_unknown_ = component.boolean("fuse_unk", false);
  read_vocabulary(component);
  if (component.optional("unk_token")) {
    const std::string unknown = component.text("unk_token");
    const auto found = find(unknown);
    // A byte-level piece has no unknown characters.
    if (!found && !bytes_) component.refuse(fmt::format("unk_token {} is not in the vocabulary", unknown));
    if (found) unknown_ = *found;
  }
  read_merges(component);
  if (component.boolean("ignore_merges", false)) {
    for (const auto& [text, id] : vocabulary_) {
      const auto piece = bytes_ ? from_byte_level(text) : std::optional<std::string>(text);
      if (piece) whole_[*piece] = id;
    }
  }
  component.finish();
}

void Bpe::read_vocabulary(Component& component) {
  const auto& vocab = component.required("vocab");
  if (!vocab.is_object()) component.refuse("vocab is no object");
  vocabulary_.reserve(vocab.size());
  std::vector<bool> taken;
  for (const auto& [text, value] : vocab.items()) {
    if (!value.is_number_integer() || value < 0 || value >= kMostTokens)
      component.refuse(fmt::format("the id of \"{}\" is no whole number below {}", text, kMostTokens));
    const Token id = value.get<Token>();
    if (static_cast<std::size_t>(id) >= taken.size()) taken.resize(id + 1);
    if (taken[id]) component.refuse(fmt::format("two entries of the vocabulary have the id {}", id));
    taken[id] = true;
    vocabulary_.emplace(text, id);
  }
  if (bytes_) {
    for (int byte = 0; byte < 256; ++byte) {
      const auto found = find(utf8(byte_characters()[byte]));
      if (!found) component.refuse(fmt::format("the vocabulary lacks the byte {}", byte));
      byte_tokens_[byte] = *found;
    }
    return;
  }
  for (int byte = 0; byte < 256; ++byte)
    fallback_[byte] = byte_fallback_ ? find(fmt::format("<0x{:02X}>", byte)).value_or(-1) : -1;
  for (const auto& [text, id] : vocabulary_) {
    if (text.empty()) continue;
    const Character character = character_at(text, 0);
    if (character.length == text.size()) characters_.set(static_cast<std::int32_t>(character.code), 0, id);
  }
}

void Bpe::read_merges(Component& component) {
  const auto& merges = component.required("merges");
  if (!merges.is_array()) component.refuse("merges is no list");
  merges_.reserve(merges.size());
  std::int32_t rank = 0;
  for (const auto& merge : merges) {
    std::string left, right;
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      left = merge[0].get<std::string>();
      right = merge[1].get<std::string>();
    } else if (merge.is_string()) {
      const auto text = merge.get<std::string>();
      if (text.starts_with("#version")) continue;
      const auto space = text.find(' ');
      if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
        component.refuse(fmt::format("merge {} is not two words with one space between: \"{}\"", rank, text));
      left = text.substr(0, space);
      right = text.substr(space + 1);
    } else {
      component.refuse(fmt::format("merge {} is neither a text nor two", rank));
    }
    const auto a = find(left), b = find(right), result = find(left + right);
    if (!a || !b || !result)
      component.refuse(fmt::format("merge {} (\"{}\" \"{}\"): a part or the whole is not in the vocabulary",
                                   rank, left, right));
    merges_.set(*a, *b, {rank, *result});
    ++rank;
  }
}

std::optional<Token> Bpe::find(const std::string& text) const {
  const auto found = vocabulary_.find(text);
  return found == vocabulary_.end() ? std::nullopt : std::optional(found->second);
}

void Bpe::append_symbols(std::string_view piece, std::vector<Symbol>& symbols) const {
  const auto append = [&](Token token) {
    const auto at = static_cast<std::int32_t>(symbols.size());
    symbols.push_back({token, at - 1, at + 1});
  };
  if (bytes_) {
    for (const char byte : piece) append(byte_tokens_[static_cast<unsigned char>(byte)]);
  } else {
    // As in `tokenizers`, an unknown character is appended when a known character or the end follows, even if
    // bytes of the fallback lie between.
    bool waiting = false;
    for (std::size_t at = 0; at < piece.size();) {
      const Character character = character_at(piece, at);
      const auto bytes = piece.substr(at, character.length);
      at += character.length;
      const Token* known =
          character.valid ? characters_.find(static_cast<std::int32_t>(character.code), 0) : nullptr;
      if (known) {
        if (waiting) append(unknown_);
        waiting = false;
        append(*known);
        continue;
      }
      bool fallback = byte_fallback_;
      for (const char byte : bytes) fallback = fallback && fallback_[static_cast<unsigned char>(byte)] >= 0;
      if (fallback) {
        for (const char byte : bytes) append(fallback_[static_cast<unsigned char>(byte)]);
      } else if (unknown_ >= 0) {
        if (waiting && !fuse_unknown_) append(unknown_);
        waiting = true;
      }
    }
    if (waiting) append(unknown_);
  }
  if (!symbols.empty()) symbols.back().next = -1;
}

void Bpe::merge(std::vector<Symbol>& symbols) const {
  // A linked list of symbols and a heap of possible merges: memory is linear and time is n log n, whatever
  // the length of the piece.
  thread_local std::vector<Candidate> candidates;
  candidates.clear();
  const auto merge_of = [&](std::int32_t left) -> const Merge* {
    if (left < 0 || symbols[left].next < 0) return nullptr;
    return merges_.find(symbols[left].token, symbols[symbols[left].next].token);
  };
  const auto consider = [&](std::int32_t left) {
    if (const Merge* found = merge_of(left)) {
      candidates.push_back({found->rank, left, found->result});
      return true;
    }
    return false;
  };
  for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(symbols.size()); ++i) consider(i);
  std::make_heap(candidates.begin(), candidates.end());
  while (!candidates.empty()) {
    std::pop_heap(candidates.begin(), candidates.end());
    const Candidate best = candidates.back();
    candidates.pop_back();
    Symbol& left = symbols[best.position];
    if (left.token < 0) continue;  // the symbol has been merged into another one meanwhile
    const Merge* now = merge_of(best.position);
    if (!now || now->result != best.result) continue;
    const std::int32_t gone = left.next;
    left.token = best.result;
    left.next = symbols[gone].next;
    if (left.next >= 0) symbols[left.next].previous = best.position;
    symbols[gone].token = -1;
    if (consider(left.previous)) std::push_heap(candidates.begin(), candidates.end());
    if (consider(best.position)) std::push_heap(candidates.begin(), candidates.end());
  }
}

void Bpe::encode_anew(std::string_view piece, std::vector<Token>& out) const {
  if (!whole_.empty()) {
    if (const auto found = whole_.find(std::string(piece)); found != whole_.end()) {
      out.push_back(found->second);
      return;
    }
  }
  thread_local std::vector<Symbol> symbols;
  symbols.clear();
  append_symbols(piece, symbols);
  merge(symbols);
  for (std::int32_t i = symbols.empty() ? -1 : 0; i >= 0; i = symbols[i].next)
    out.push_back(symbols[i].token);
}

void Bpe::encode(std::string_view piece, std::vector<Token>& out) const {
  if (piece.size() >= 256) {
    encode_anew(piece, out);
    return;
  }
  thread_local PieceMemory memory;
  const std::size_t hash = std::hash<std::string_view>()(piece) ^ identity_ * 0x9E3779B97F4A7C15ULL;
  auto& entry = memory.at(hash);
  if (!entry.is(identity_, hash, piece)) {
    entry.tokens.clear();
    encode_anew(piece, entry.tokens);
    entry.model = identity_;
    entry.hash = hash;
    entry.piece = piece;
  }
  out.insert(out.end(), entry.tokens.begin(), entry.tokens.end());
}

}  // namespace trl::runtime
