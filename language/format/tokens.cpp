#include "language/format/tokens.hpp"

#include <algorithm>

namespace trl::language {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t indent_step = 2;

bool item(NodeKind kind) {
  return kind == NodeKind::declaration || kind == NodeKind::section || kind == NodeKind::field;
}

class Flattener {
 public:
  explicit Flattener(std::string_view text) : text_(text) {}

  Tokens run(const Node& tree) {
    blocks_.emplace_back();
    level(tree, Token::nothing);
    return std::move(out_);
  }

 private:
  struct Block {
    std::size_t indent = 0;  // the indentation of the block's items
    std::size_t line = 0;    // the line of the block's opening brace
    std::size_t number = 0;
  };

  /// Visits the children of the file or of a block: items and the trivia between them.
  void level(const Node& node, std::size_t owner) {
    for (const Node& child : node.children) {
      if (trivia(child)) continue;
      const std::size_t first = out_.all.size();
      if (child.is(NodeKind::mark)) {
        between_items(child, owner);
      } else {
        item_ = item(child.kind) ? first : Token::nothing;
        walk(child, node);
      }
      if (first < out_.all.size() && out_.all[first].slot != Slot::block) begin_item(out_.all[first]);
    }
    item_ = owner;
  }

  void begin_item(Token& token) {
    token.of_block = true;
    token.indent =
        blocks_.back().indent - (token.text == "}" ? std::min(indent_step, blocks_.back().indent) : 0);
    token.block = blocks_.back().number;
  }

  void between_items(const Node& mark, std::size_t owner) {
    const std::string_view text = mark.text(text_);
    if (mark.begin == 0 && text.starts_with(byte_order_mark)) {
      out_.marked = true;
      line_start_ = byte_order_mark.size();
      if (text.size() == byte_order_mark.size()) return;
    }
    Token& token = push(mark);
    if (out_.marked && mark.begin == 0) token.text.remove_prefix(byte_order_mark.size());
    if (text == ",")
      token.before = Beside::none;
    else if (text == "{")
      slot(token, Slot::block, owner);
    else if (text != "}")
      token.before = token.after = Beside::written;
  }

  void walk(const Node& node, const Node& parent) {
    if (trivia(node)) return;
    if (node.is(NodeKind::block)) {
      const Block& around = blocks_.back();
      const bool same_line = blocks_.size() > 1 && around.line == line_;
      blocks_.push_back({same_line ? around.indent : around.indent + indent_step, line_, ++numbered_});
      level(node, item_);
      blocks_.pop_back();
    } else if (node.children.empty()) {
      leaf(node, parent);
    } else {
      for (const Node& child : node.children) walk(child, node);
    }
  }

  void leaf(const Node& node, const Node& parent) {
    Token& token = push(node);
    const std::string_view text = token.text;
    switch (node.kind) {
      case NodeKind::comment:
      case NodeKind::doc:
        while (!token.text.empty() &&
               (token.text.back() == ' ' || token.text.back() == '\t' || token.text.back() == '\r'))
          token.text.remove_suffix(1);
        break;
      case NodeKind::broken:
        token.before = token.after = Beside::written;
        break;
      case NodeKind::unit:
        token.before = text == "%" || token.blanks.empty() ? Beside::none : Beside::one;
        break;
      case NodeKind::op:
        if (text == "..") token.before = token.after = Beside::none;
        break;
      case NodeKind::mark:
        mark(token, node, parent);
        break;
      default:
        break;
    }
  }

  void mark(Token& token, const Node& node, const Node& parent) {
    const std::string_view text = token.text;
    const std::size_t self = out_.all.size() - 1;
    if (text == "(" || text == "[") {
      const bool touches = parent.is(NodeKind::call) || parent.is(NodeKind::index) ||
                           parent.is(NodeKind::dimensions) || parent.is(NodeKind::parameters) ||
                           parent.is(NodeKind::allow);
      token.before = touches ? Beside::none : Beside::one;
      token.after = Beside::none;
      brackets_.push_back(self);
    } else if (text == ")" || text == "]") {
      token.before = Beside::none;
      token.closes = true;
      if (!brackets_.empty()) brackets_.pop_back();
    } else if (text == ",") {
      token.before = Beside::none;
    } else if (text == ".") {
      token.before = token.after = Beside::none;
    } else if (text == "-" && parent.is(NodeKind::minus)) {
      token.after = Beside::none;
    } else if (text == ":" && parent.is(NodeKind::base)) {
      slot(token, Slot::base, item_);
    } else if (text == ":") {
      token.before = Beside::none;
    } else if (text == "=" && parent.is(NodeKind::value) && node.begin == parent.begin && brackets_.empty()) {
      slot(token, Slot::value, item_);
    }
  }

  static void slot(Token& token, Slot which, std::size_t of) {
    token.slot = which;
    token.slot_of = of;
  }

  Token& push(const Node& node) {
    Token token;
    token.kind = node.kind;
    token.text = node.text(text_);
    token.column = node.begin < line_start_ ? 0 : width(text_.substr(line_start_, node.begin - line_start_));
    token.newlines = newlines_;
    token.blanks = blanks_;
    token.indent = blocks_.back().indent + indent_step;
    if (!brackets_.empty()) token.opener = brackets_.back();
    newlines_ = 0;
    blanks_ = {};
    if (const auto last = token.text.rfind('\n');
        last != std::string_view::npos) {  // text that couldn't be parsed, of several lines
      line_ += static_cast<std::size_t>(std::count(token.text.begin(), token.text.end(), '\n'));
      line_start_ = node.begin + last + 1;
    }
    out_.all.push_back(token);
    return out_.all.back();
  }

  bool trivia(const Node& node) {
    if (node.is(NodeKind::blank)) {
      blanks_ = node.text(text_);
      return true;
    }
    if (!node.is(NodeKind::newline)) return false;
    if (line_ == 0) out_.newline = node.text(text_);
    blanks_ = {};
    ++newlines_, ++line_;
    line_start_ = node.end;
    return true;
  }

  std::string_view text_;
  Tokens out_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> brackets_;
  std::size_t item_ = Token::nothing;
  std::size_t numbered_ = 0;
  std::size_t newlines_ = 0, line_ = 0, line_start_ = 0;
  std::string_view blanks_;
};

}  // namespace

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Tokens tokens_of(const Node& tree, std::string_view text) { return Flattener(text).run(tree); }

}  // namespace trl::language
