// Prints the result of `show` as text of the language and as JSON.
#include <algorithm>
#include <set>

#include "base/support/code_points.hpp"
#include "language/printing/printer.hpp"
#include "language/printing/show.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

constexpr std::size_t page = 80, farthest_comment = 44;

std::string origin_text(const ShownOrigin& origin) {
  std::string text = origin.kind;
  if (origin.kind == "here") text = "here, " + origin.place;
  if (origin.kind == "derived") text = "from " + (origin.of.empty() ? "" : origin.of + ", ") + origin.place;
  if (origin.kind == "override") text = "override of " + origin.of + ", " + origin.place;
  if (origin.kind == "set") text = "--set";
  return "# " + text + (origin.written.empty() ? "" : ": " + origin.written);
}

/// Splits a value at blanks outside of quoted texts.
std::vector<std::string> words(const std::string& value) {
  std::vector<std::string> out(1);
  bool text = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (text && c == '\\') {
      out.back() += c;
      out.back() += value[++i];
      continue;
    }
    if (c == '"') text = !text;
    if (c == ' ' && !text)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// `name = value` in lines of at most the page's width, broken where the language allows it: after commas and
/// operators, before `then` and `else`.
std::string folded(const std::string& head, const std::string& value, std::size_t indent) {
  static const std::set<std::string> operators = {
      "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "->", "and", "or"};
  const std::string further(indent + 4, ' ');
  std::string out, line = head;
  // The next piece, up to a place where a line may end.
  std::string piece;
  const auto put = [&] {
    if (piece.empty()) return;
    if (code_points(line) + 1 + code_points(piece) > page && code_points(line) > indent + 4) {
      out += line + "\n";
      line = further + piece;
    } else {
      line += " " + piece;
    }
    piece.clear();
  };
  for (const std::string& word : words(value)) {
    if (word == "then" || word == "else") put();
    piece += (piece.empty() ? "" : " ") + word;
    if (word.ends_with(",") || operators.contains(word)) put();
  }
  put();
  return out + line;
}

struct Line {
  std::string text;     ///< the line without its comment; may itself have several lines
  std::string comment;  ///< may be empty
  std::vector<Line> inner;
  bool block = false;
};

void print(const std::vector<Line>& lines, std::size_t indent, std::string& out) {
  std::size_t widest = 0;
  for (const Line& line : lines)
    if (!line.block && !line.comment.empty() && line.text.find('\n') == line.text.npos &&
        code_points(line.text) <= farthest_comment)
      widest = std::max(widest, code_points(line.text));
  const std::string blanks(indent, ' ');
  for (const Line& line : lines) {
    const std::size_t at = std::max(widest, code_points(line.text)) + 2;
    const bool beside = line.text.find('\n') == line.text.npos && at + code_points(line.comment) <= page;
    if (!line.comment.empty() && !beside) out += blanks + line.comment + "\n";
    out += line.text;
    if (!line.comment.empty() && beside) out += std::string(at - code_points(line.text), ' ') + line.comment;
    out += "\n";
    if (!line.block) continue;
    print(line.inner, indent + 2, out);
    out += blanks + "}\n";
  }
}

std::vector<Line> lines_of(const std::vector<ShownField>& fields, std::size_t indent) {
  std::vector<Line> out;
  const std::string blanks(indent, ' ');
  for (const ShownField& field : fields) {
    Line line;
    if (field.block) {
      line.text = blanks + field.name + " {";
      line.block = true;
      line.inner = lines_of(field.fields, indent + 2);
    } else if (field.inherited) {
      // The base's field gives the value, and a design varies it there; it is shown as a comment.
      line.text = blanks + "# " + field.name + field.parameters + " = " + field.text;
      line.comment = origin_text(field.origin);
    } else {
      line.text = folded(blanks + field.name + field.parameters + " =", field.text, indent);
      line.comment = origin_text(field.origin);
    }
    out.push_back(std::move(line));
  }
  return out;
}

void print_doc(const std::string& doc, std::string& out) {
  for (std::size_t at = 0; !doc.empty() && at <= doc.size();) {
    const std::size_t end = std::min(doc.find('\n', at), doc.size());
    const std::string line = doc.substr(at, end - at);
    out += line.empty() ? "##\n" : "## " + line + "\n";
    at = end + 1;
  }
}

void list(const std::string& path, const ShownField& field, json& out) {
  const std::string full = field.name.empty() ? path : path + "." + field.name;
  if (field.block) {
    for (const ShownField& inner : field.fields) list(full, inner, out);
    return;
  }
  json origin = {{"kind", field.origin.kind}, {"where", field.origin.where}};
  if (!field.origin.of.empty()) origin["of"] = field.origin.of;
  if (!field.origin.written.empty()) origin["written"] = field.origin.written;
  out.push_back(
      {{"path", full}, {"text", field.text}, {"value", field.value}, {"origin", std::move(origin)}});
}

}  // namespace

std::string show_text(const Shown& shown) {
  std::string out;
  if (!shown.doc.empty()) {
    print_doc(shown.doc, out);
    out += "\n";
  }
  for (const std::string& import : shown.imports) out += import + "\n";
  for (const ShownDeclaration& d : shown.declarations) {
    if (!out.empty() && !out.ends_with("\n\n")) out += "\n";
    print_doc(d.doc, out);
    if (!d.source.empty()) {
      out += d.source + "\n";
      continue;
    }
    const std::string head = d.kind + " " + d.name + (d.base.empty() ? "" : " : " + d.base);
    if (d.by_value) {
      print({{folded(head + " =", d.fields.front().text, 0), origin_text(d.origin), {}, false}}, 0, out);
      continue;
    }
    std::vector<Line> lines = lines_of(d.fields, 2);
    std::vector<Line> allows;
    for (const ShownAllow& allow : d.allows)
      allows.push_back({"  allow(" + allow.rule + ", " + quoted(allow.reason) + ")",
                        origin_text(allow.origin),
                        {},
                        false});
    if (lines.empty() && allows.empty()) {
      out += head + " {}\n";
      continue;
    }
    out += head + " {\n";
    print(allows, 2, out);
    print(lines, 2, out);
    out += "}\n";
  }
  return out;
}

json show_json(const Shown& shown) {
  json out = json::array();
  for (const ShownDeclaration& d : shown.declarations)
    for (const ShownField& field : d.fields) list(d.name, field, out);
  return out;
}

}  // namespace trl::language
