#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "language/server/feature.hpp"
#include "language/server/place.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

using language::Node;
using language::NodeKind;
using nlohmann::json;

constexpr std::array legend = {"keyword",   "type",      "class",      "property", "variable",
                               "function",  "number",    "string",     "operator", "comment",
                               "namespace", "parameter", "enumMember", "decorator"};
constexpr std::array modifiers = {"declaration", "documentation", "defaultLibrary"};

enum Modifier : unsigned { declaration = 1, documentation = 2, library = 4 };

std::size_t type_of(std::string_view name) {
  return static_cast<std::size_t>(std::find(legend.begin(), legend.end(), name) - legend.begin());
}

struct Token {
  std::size_t begin, end, type;
  unsigned modifiers;
};

class Tokens {
 public:
  Tokens(const Document& document, Analysis& analysis) : text_(document.text()), analysis_(analysis) {
    if (analysis.module() != nullptr)
      for (const Mention& mention : mentions(analysis))
        if (mention.name.file == analysis.module()->file) named_[mention.name.begin] = mention;
    visit(document.parsed().tree, nullptr);
    std::sort(tokens_.begin(), tokens_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  }

  const std::vector<Token>& all() const { return tokens_; }

 private:
  void add(std::size_t begin, std::size_t end, std::string_view type, unsigned with = 0) {
    if (begin < end) tokens_.push_back({begin, end, type_of(type), with});
  }

  /// Adds tokens for the parts of a dotted name: modules, declarations, fields.
  void parts(const Node& node, std::string_view first, bool call) {
    const std::string_view text = node.text(text_);
    for (std::size_t begin = 0, part = 0; begin <= text.size(); ++part) {
      const std::size_t end = std::min(text.find('.', begin), text.size());
      const std::size_t at = node.begin + begin;
      const std::string name(text.substr(begin, end - begin));
      const bool last = end == text.size();
      const auto mention = named_.find(at);
      if (mention != named_.end())
        add(at, node.begin + end,
            mention->second.symbol.declaration->kind == "task" ? "function" : "variable",
            mention->second.symbol.module == analysis_.module() ? 0U : library);
      else if (part == 0 && analysis_.module() != nullptr && analysis_.module()->imports.contains(name))
        add(at, node.begin + end, "namespace");
      else
        add(at, node.begin + end,
            last && (call || called_.contains(node.begin)) ? "function"
            : part == 0                                    ? first
                                                           : "property");
      begin = end + 1;
    }
  }

  /// Records the name that is called: `corpus` of `windtunnel.corpus(…)`.
  void note_called(const Node& reference) {
    const Node* last = nullptr;
    for (const Node& child : reference.children) {
      if (child.is(NodeKind::name)) last = &child;
      if (child.is(NodeKind::member)) last = child.child(NodeKind::name);
      if (child.is(NodeKind::call) && last != nullptr) called_.insert(last->begin);
    }
  }

  void visit(const Node& node, const Node* parent) {
    switch (node.kind) {
      case NodeKind::kind:
        add(node.begin, node.end, "keyword");
        return;
      case NodeKind::declared:
        add(node.begin, node.end,
            parent != nullptr && parent->text(text_).starts_with("task") ? "function" : "variable",
            declaration);
        return;
      case NodeKind::number:
        add(node.begin, node.end, "number");
        return;
      case NodeKind::unit:
        add(node.begin, node.end, "enumMember");
        return;
      case NodeKind::text:
        add(node.begin, node.end, "string");
        return;
      case NodeKind::op:
        add(node.begin, node.end,
            std::isalpha(static_cast<unsigned char>(text_[node.begin])) != 0 ? "keyword" : "operator");
        return;
      case NodeKind::mark:  // `import`, `if`, `allow` and so on, or a sign
        if (std::isalpha(static_cast<unsigned char>(text_[node.begin])) != 0)
          add(node.begin, node.end, "keyword");
        return;
      case NodeKind::doc:
        add(node.begin, node.end, "comment", documentation);
        return;
      case NodeKind::comment:
        add(node.begin, node.end, "comment");
        return;
      case NodeKind::label:
        add(node.begin, node.end, "parameter");
        return;
      case NodeKind::path:
        parts(node,
              parent != nullptr && parent->is(NodeKind::base)      ? "class"
              : parent != nullptr && parent->is(NodeKind::import_) ? "namespace"
              : parent != nullptr && parent->is(NodeKind::allow)   ? "decorator"
              : parent != nullptr && parent->is(NodeKind::type)    ? "type"
                                                                   : "property",
              false);
        return;
      case NodeKind::name:
        parts(node,
              parent != nullptr && (parent->is(NodeKind::parameter) || parent->is(NodeKind::dimension))
                  ? "parameter"
                  : "enumMember",
              parent != nullptr && parent->is(NodeKind::call));
        return;
      case NodeKind::reference:
        note_called(node);
        [[fallthrough]];
      default:
        for (const Node& child : node.children) visit(child, &node);
    }
  }

  const std::string& text_;
  Analysis& analysis_;
  std::map<std::size_t, Mention> named_;
  std::set<std::size_t> called_;  ///< where names of called functions begin
  std::vector<Token> tokens_;
};

/// The protocol's five numbers for each token between two offsets. A token of several lines is cut at their
/// ends.
std::vector<std::size_t> encoded(const Document& document, const std::vector<Token>& tokens, std::size_t from,
                                 std::size_t to, Encoding encoding) {
  std::vector<std::size_t> out;
  const std::string& text = document.text();
  const Lines& lines = document.lines();
  std::size_t last_line = 0, last_character = 0;
  for (const Token& token : tokens) {
    if (token.end <= from || token.begin >= to) continue;
    for (std::size_t begin = token.begin; begin < token.end;) {
      const std::size_t line = lines.line_of(begin);
      const std::size_t end = std::min(token.end, lines.end(text, line));
      if (begin < end) {
        const std::size_t character =
            units(std::string_view(text).substr(lines.start(line), begin - lines.start(line)), encoding);
        out.insert(out.end(), {line - last_line, line == last_line ? character - last_character : character,
                               units(std::string_view(text).substr(begin, end - begin), encoding), token.type,
                               token.modifiers});
        last_line = line, last_character = character;
      }
      if (line + 1 >= lines.count()) break;
      begin = lines.start(line + 1);
    }
  }
  return out;
}

/// Returns the number of an answer. The client sends it with the next request, which is answered by the
/// changes since then.
std::string result_id(const Document& document) { return std::to_string(document.version()); }

std::vector<std::size_t> all_tokens(Session& session, const Document& document) {
  return encoded(document, Tokens(document, session.analysis(document)).all(), 0, document.text().size(),
                 session.encoding);
}

json full(Session& session, const json& params) {
  const Document& document = session.document(params);
  auto data = all_tokens(session, document);
  json out = {{"resultId", result_id(document)}, {"data", data}};
  session.tokens[document.uri()] = {result_id(document), std::move(data)};
  return out;
}

json delta(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto previous = params.find("previousResultId");
  if (previous == params.end() || !previous->is_string())
    throw InvalidParams("`previousResultId` is missing");
  const auto before = session.tokens.find(document.uri());
  if (before == session.tokens.end() || before->second.id != previous->get_ref<const std::string&>())
    return full(session, params);
  const std::vector<std::size_t> old = before->second.data;
  auto data = all_tokens(session, document);
  std::size_t head = 0, tail = 0;
  while (head < std::min(old.size(), data.size()) && old[head] == data[head]) ++head;
  while (tail < std::min(old.size(), data.size()) - head &&
         old[old.size() - 1 - tail] == data[data.size() - 1 - tail])
    ++tail;
  json edits = json::array();
  if (head + tail < std::max(old.size(), data.size()))
    edits.push_back({{"start", head},
                     {"deleteCount", old.size() - head - tail},
                     {"data", std::vector<std::size_t>(data.begin() + static_cast<std::ptrdiff_t>(head),
                                                       data.end() - static_cast<std::ptrdiff_t>(tail))}});
  json out = {{"resultId", result_id(document)}, {"edits", edits}};
  session.tokens[document.uri()] = {result_id(document), std::move(data)};
  return out;
}

json within(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto [from, to] = session.offsets(params);
  return {{"data", encoded(document, Tokens(document, session.analysis(document)).all(), from, to,
                           session.encoding)}};
}

json token_options() {
  return {{"legend", {{"tokenTypes", legend}, {"tokenModifiers", modifiers}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}

}  // namespace

const Feature features::semantic_tokens{"textDocument/semanticTokens/full", full, "semanticTokensProvider",
                                        token_options};
const Feature features::semantic_tokens_delta{"textDocument/semanticTokens/full/delta", delta, ""};
const Feature features::semantic_tokens_range{"textDocument/semanticTokens/range", within, ""};

}  // namespace trl::language_server
