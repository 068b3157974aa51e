#include "language/server/context.hpp"

#include <algorithm>

#include "language/syntax/scan.hpp"

namespace trl::language_server {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

/// The left side of an item: `rank` of `rank = 16`, `reward` of `reward(c) = …`.
std::string left_side(std::string_view item) {
  std::size_t end = 0;
  while (end < item.size() && (language::word_character(item[end]) || item[end] == '.')) ++end;
  return std::string(item.substr(0, end));
}

bool continues(std::string_view item) {
  const std::string text = trimmed(item);
  if (text.empty()) return false;
  if (text.ends_with("->")) return true;
  if (std::string_view("=+-*/@^<>,").find(text.back()) != std::string_view::npos) return true;
  const auto words = words_in(text);
  return !words.empty() && (words.back() == "if" || words.back() == "then" || words.back() == "else" ||
                            words.back() == "and" || words.back() == "or" || words.back() == "not");
}

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {}

  Context run() {
    bool noted = false;
    std::size_t depth_at_place = 0;
    for (std::size_t i = 0; i <= text_.size();) {
      if (!noted && i >= offset_) {
        noted = true;
        place();
        depth_at_place = open_.size();
      }
      if (i == text_.size()) break;
      const char c = text_[i];
      if (c == '#' || c == '"') {
        const std::size_t end = language::skip_opaque(text_.data(), i, text_.size());
        const bool closed = c == '"' && end > i + 1 && text_[end - 1] == '"';
        if (!noted && i < offset_ && (offset_ < end || (offset_ == end && !closed))) {
          place();
          noted = context_.comment = true;
          depth_at_place = open_.size();
        }
        i = std::max(end, i + 1);
        continue;
      }
      step(c, i);
      ++i;
      if (noted && open_.size() < depth_at_place) break;  // the block of the place has ended
    }
    for (std::size_t i = 0; i < std::min(open_.size(), context_.open.size()); ++i)
      context_.open[i].names = open_[i].names;
    if (!closed_.empty() && context_.open.size() == open_.size() + 1) context_.open.back().names = closed_;
    return std::move(context_);
  }

 private:
  void step(char c, std::size_t i) {
    switch (c) {
      case '{':
      case '(':
      case '[': {
        OpenBracket bracket;
        bracket.bracket = c;
        bracket.at = i;
        bracket.head = trimmed(text_.substr(item_, i - item_));
        if (c == '{' && !open_.empty() && open_.back().bracket == '{') note_item(i);
        open_.push_back(std::move(bracket));
        items_.push_back(item_);
        item_ = i + 1;
        break;
      }
      case '}':
      case ')':
      case ']':
        if (open_.empty()) {
          item_ = i + 1;
          break;
        }
        if (open_.back().bracket == '{') note_item(i);
        closed_ = open_.back().names;
        // A block is the end of its item; a call or list is a part of the item around it.
        item_ = c == '}' ? i + 1 : items_.back();
        open_.pop_back();
        items_.pop_back();
        break;
      case ',':
        if (!open_.empty() && open_.back().bracket != '{') ++open_.back().commas;
        note_item(i);
        item_ = i + 1;
        break;
      case '\n':
        if (!open_.empty() && open_.back().bracket != '{') break;
        if (continues(text_.substr(item_, i - item_))) break;
        note_item(i);
        item_ = i + 1;
        break;
      default:
        break;
    }
  }

  void note_item(std::size_t end) {
    if (open_.empty() || open_.back().bracket != '{' || end < item_) return;
    const std::string name = left_side(trimmed(text_.substr(item_, end - item_)));
    // The word that is being written isn't an item yet.
    if (!name.empty() && !(item_ <= offset_ && offset_ <= end)) open_.back().names.push_back(name);
  }

  void place() {
    context_.open = open_;
    std::size_t begin = offset_;
    while (begin > item_ && (language::word_character(text_[begin - 1]) || text_[begin - 1] == '.')) --begin;
    context_.word_begin = begin;
    context_.word = std::string(text_.substr(begin, offset_ - begin));
    if (item_ <= begin) context_.item = std::string(text_.substr(item_, begin - item_));
    const std::size_t first = context_.item.find_first_not_of(" \t\r\n");
    context_.item.erase(0, std::min(first, context_.item.size()));
    if (!context_.open.empty() && context_.open.back().bracket == '(') {
      const std::size_t equals = context_.item.find('=');
      if (equals != std::string::npos && context_.item.substr(equals, 2) != "==")
        context_.open.back().label = left_side(context_.item);
    }
  }

  std::string_view text_;
  std::size_t offset_;
  Context context_;
  std::vector<OpenBracket> open_;
  std::vector<std::size_t> items_;   ///< where the item around each open bracket begins
  std::vector<std::string> closed_;  ///< the names of the block that was closed last
  std::size_t item_ = 0;             ///< where the item begins
};

}  // namespace

std::vector<std::string> Context::sections() const {
  std::vector<std::string> out;
  for (std::size_t i = 1; i < open.size(); ++i)
    if (open[i].bracket == '{') {
      const std::string name = left_side(open[i].head);
      for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        out.push_back(name.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  return out;
}

Context context_at(std::string_view text, std::size_t offset) {
  return Scanner(text, std::min(offset, text.size())).run();
}

std::vector<std::string> words_in(std::string_view head) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < head.size();) {
    if (language::word_character(head[i])) {
      std::size_t end = i;
      while (end < head.size() && (language::word_character(head[end]) || head[end] == '.')) ++end;
      out.emplace_back(head.substr(i, end - i));
      i = end;
    } else {
      if (!language::blank(head[i]) && head[i] != '\n') out.emplace_back(1, head[i]);
      ++i;
    }
  }
  return out;
}

}  // namespace trl::language_server
