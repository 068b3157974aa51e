#include "runtime/tokenizer/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "base/support/error.hpp"
#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/tokenizer.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {
namespace {

using Pair = std::pair<Token, Token>;

struct Word {
  std::vector<Token> tokens;
  std::int64_t count;
};

struct PairStatistics {
  std::int64_t count = 0;
  std::set<std::size_t> words;  // the words in which the pair may occur
};

class Merger {
 public:
  explicit Merger(std::vector<Word> words) : words_(std::move(words)) {
    for (std::size_t i = 0; i < words_.size(); ++i) count_word(i, +1);
    for (const auto& [pair, statistics] : pairs_) queue_.push({statistics.count, pair});
  }

  /// The most frequent pair that occurs at least twice; nothing when there is none.
  std::optional<Pair> best() {
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      queue_.pop();
      const auto now = pairs_[top.pair].count;
      if (now == top.count && now >= 2) return top.pair;
      if (now < top.count && now >= 2) queue_.push({now, top.pair});
    }
    return std::nullopt;
  }

  void merge(Pair pair, Token result) {
    const auto where = std::move(pairs_[pair].words);
    std::set<Pair> changed;
    for (const auto i : where) {
      auto& tokens = words_[i].tokens;
      count_word(i, -1);
      std::vector<Token> merged;
      for (std::size_t j = 0; j < tokens.size(); ++j) {
        if (j + 1 < tokens.size() && Pair{tokens[j], tokens[j + 1]} == pair) {
          merged.push_back(result);
          ++j;
        } else {
          merged.push_back(tokens[j]);
        }
      }
      tokens = std::move(merged);
      count_word(i, +1);
      for (std::size_t j = 0; j + 1 < tokens.size(); ++j) changed.insert({tokens[j], tokens[j + 1]});
    }
    pairs_.erase(pair);
    for (const auto& other : changed) queue_.push({pairs_[other].count, other});
  }

 private:
  struct Entry {
    std::int64_t count;
    Pair pair;
    bool operator<(const Entry& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  void count_word(std::size_t i, int sign) {
    const auto& word = words_[i];
    for (std::size_t j = 0; j + 1 < word.tokens.size(); ++j) {
      auto& statistics = pairs_[{word.tokens[j], word.tokens[j + 1]}];
      statistics.count += sign * word.count;
      if (sign > 0) statistics.words.insert(i);
    }
  }

  std::vector<Word> words_;
  std::map<Pair, PairStatistics> pairs_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

void TokenizerTrainer::add(std::string_view text) {
  pre_tokenizer_.split(text, false, pieces_);
  for (const auto& piece : pieces_.all) ++counts_[std::string(piece.text)];
}

nlohmann::ordered_json TokenizerTrainer::train(int vocabulary) const {
  constexpr int kSmallest = 2 + 256;
  if (vocabulary < kSmallest) {
    throw UserError(fmt::format("a vocabulary of {} is too small", vocabulary),
                    fmt::format("it must hold 256 bytes and 2 special tokens: at least {}", kSmallest));
  }
  std::vector<std::string> pieces = {kEndOfText, kAnswer};
  std::array<Token, 256> byte_tokens{};
  std::map<char32_t, int> alphabet;
  for (int byte = 0; byte < 256; ++byte) alphabet[byte_characters()[byte]] = byte;
  for (const auto& [character, byte] : alphabet) {
    byte_tokens[byte] = static_cast<Token>(pieces.size());
    pieces.push_back(utf8(character));
  }

  std::vector<std::pair<std::string, std::int64_t>> sorted(counts_.begin(), counts_.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Word> words;
  for (const auto& [text, count] : sorted) {
    Word word{{}, count};
    for (const unsigned char byte : text) word.tokens.push_back(byte_tokens[byte]);
    words.push_back(std::move(word));
  }

  Merger merger(std::move(words));
  nlohmann::ordered_json merges = nlohmann::ordered_json::array();
  while (static_cast<int>(pieces.size()) < vocabulary) {
    const auto pair = merger.best();
    if (!pair) break;
    merges.push_back({pieces[pair->first], pieces[pair->second]});
    pieces.push_back(pieces[pair->first] + pieces[pair->second]);
    merger.merge(*pair, static_cast<Token>(pieces.size() - 1));
  }

  nlohmann::ordered_json vocab, added = nlohmann::ordered_json::array();
  for (std::size_t id = 0; id < pieces.size(); ++id) vocab[pieces[id]] = id;
  for (int id = 0; id < 2; ++id) {
    added.push_back({{"id", id},
                     {"content", pieces[id]},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  }
  const nlohmann::ordered_json byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", added},
          {"normalizer", nullptr},
          {"pre_tokenizer", byte_level},
          {"post_processor", nullptr},
          {"decoder", byte_level},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", false},
            {"vocab", vocab},
            {"merges", merges}}}};
}

}  // namespace trl::runtime
