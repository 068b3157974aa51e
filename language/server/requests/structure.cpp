// Answers requests that need the syntax tree alone: folding, selection, formatting.
#include <algorithm>

#include "language/format/format.hpp"
#include "language/server/feature.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

using language::Node;
using language::NodeKind;
using nlohmann::json;

void fold(const Node& node, const Document& document, json& out) {
  const Lines& lines = document.lines();
  for (const Node& child : node.children) fold(child, document, out);
  const bool bracketed = node.is(NodeKind::block) || node.is(NodeKind::list) || node.is(NodeKind::call) ||
                         node.is(NodeKind::index);
  if (!bracketed) return;
  const std::size_t first = lines.line_of(node.begin), last = lines.line_of(node.end > 0 ? node.end - 1 : 0);
  if (last > first) out.push_back({{"startLine", first}, {"endLine", last - 1 > first ? last - 1 : last}});
}

/// Folds each run of two or more consecutive lines that are comments, or that are imports.
void fold_runs(const Document& document, json& out) {
  const std::string& text = document.text();
  const Lines& lines = document.lines();
  const auto run = [&](const char* kind, const auto& belongs) {
    for (std::size_t line = 0; line < lines.count();) {
      std::size_t end = line;
      while (end < lines.count()) {
        const std::size_t begin = lines.start(end);
        std::string_view content = std::string_view(text).substr(begin, lines.end(text, end) - begin);
        content.remove_prefix(std::min(content.find_first_not_of(" \t"), content.size()));
        if (!belongs(content)) break;
        ++end;
      }
      if (end > line + 1) out.push_back({{"startLine", line}, {"endLine", end - 1}, {"kind", kind}});
      line = std::max(end, line + 1);
    }
  };
  run("comment", [](std::string_view line) { return line.starts_with("#"); });
  run("imports", [](std::string_view line) { return line.starts_with("import "); });
}

json folding_ranges(Session& session, const json& params) {
  const Document& document = session.document(params);
  json out = json::array();
  fold(document.parsed().tree, document, out);
  fold_runs(document, out);
  return out;
}

json selection_ranges(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto positions = params.find("positions");
  if (positions == params.end() || !positions->is_array()) throw InvalidParams("`positions` is a list");
  json out = json::array();
  for (const json& position : *positions) {
    const std::size_t offset = document.offset(position, session.encoding);
    json chain = {{"range", document.range(0, document.text().size(), session.encoding)}};
    std::pair<std::size_t, std::size_t> last{0, document.text().size()};
    for (const Node* at = &document.parsed().tree; at != nullptr;) {
      const Node* next = nullptr;
      for (const Node& child : at->children)
        if (child.begin <= offset && offset <= child.end && child.end > child.begin &&
            // If two nodes meet at the place, a node that isn't a blank, a newline, a comment or a mark is
            // preferred.
            (next == nullptr || next->kind >= NodeKind::blank))
          next = &child;
      at = next;
      if (at == nullptr || std::pair(at->begin, at->end) == last) continue;
      last = {at->begin, at->end};
      chain = {{"range", document.range(at->begin, at->end, session.encoding)}, {"parent", std::move(chain)}};
    }
    out.push_back(std::move(chain));
  }
  return out;
}

/// The lines of a text with their line endings.
std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

bool empty_line(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// Returns an edit for each line, or run of empty lines, that formatting changes, among lines `first` to
/// `last`. Formatting moves no token to another line, so each line with text corresponds to one line of the
/// result.
json line_edits(const Document& document, std::size_t first, std::size_t last, Encoding encoding) {
  const std::string& before = document.text();
  const std::string after = language::format(before).text;
  const auto olds = lines_in(before), news = lines_in(after);
  json out = json::array();
  const auto replace = [&](std::size_t begin, std::size_t end, std::size_t from, std::size_t to) {
    std::string old_text, new_text;
    for (std::size_t i = begin; i < end; ++i) old_text += olds[i];
    for (std::size_t i = from; i < to; ++i) new_text += news[i];
    const bool within =
        begin == end ? begin >= first && begin <= last + 1 : begin >= first && end <= last + 1;
    if (old_text == new_text || !within) return;
    const std::size_t at =
        begin < olds.size() ? static_cast<std::size_t>(olds[begin].data() - before.data()) : before.size();
    out.push_back({{"range", document.range(at, at + old_text.size(), encoding)}, {"newText", new_text}});
  };
  for (std::size_t i = 0, j = 0; i < olds.size() || j < news.size();) {
    std::size_t old_end = i, new_end = j;
    while (old_end < olds.size() && empty_line(olds[old_end])) ++old_end;
    while (new_end < news.size() && empty_line(news[new_end])) ++new_end;
    replace(i, old_end, j, new_end);
    i = old_end, j = new_end;
    if (i < olds.size() && j < news.size()) {
      replace(i, i + 1, j, j + 1);
      ++i, ++j;
    } else if (i < olds.size() || j < news.size()) {
      replace(i, olds.size(), j, news.size());
      break;
    }
  }
  return out;
}

json format_document(Session& session, const json& params) {
  const Document& document = session.document(params);
  return line_edits(document, 0, document.lines().count(), session.encoding);
}

json format_range(Session& session, const json& params) {
  const Document& document = session.document(params);
  const auto [from, to] = session.offsets(params);
  return line_edits(document, document.lines().line_of(from), document.lines().line_of(to), session.encoding);
}

}  // namespace

const Feature features::folding_range{"textDocument/foldingRange", folding_ranges, "foldingRangeProvider"};
const Feature features::selection_range{"textDocument/selectionRange", selection_ranges,
                                        "selectionRangeProvider"};
const Feature features::formatting{"textDocument/formatting", format_document, "documentFormattingProvider"};
const Feature features::range_formatting{"textDocument/rangeFormatting", format_range,
                                         "documentRangeFormattingProvider"};

}  // namespace trl::language_server
