#include "language/ast/ast.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/headers/read_number.hpp"
#include "language/recovery/recovery.hpp"

namespace trl::language::ast {
namespace {

void append_utf8(std::string& out, unsigned long code) {
  const auto put = [&](unsigned long byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x110000) {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    out += "\xEF\xBF\xBD";
  }
}

std::string unescape(std::string_view quoted) {
  std::string out;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      out += quoted[i];
      continue;
    }
    switch (quoted[++i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        const std::size_t close = quoted.find('}', i);
        unsigned long code = 0;
        std::from_chars(quoted.data() + i + 2, quoted.data() + close, code, 16);
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
        i = close;
        break;
      }
      default:
        out += quoted[i];
    }
  }
  return out;
}

/// Builds the structures of ast.hpp from the syntax tree of one text.
class Builder {
 public:
  Builder(std::string_view text, FileId file, const Recovered* recovered = nullptr)
      : text_(text), file_(file), recovered_(recovered) {}

  File file(const Node& tree) {
    File out;
    std::string doc;
    std::vector<Allow> allows;
    bool first = true;
    std::size_t newlines = 0;
    for (const Node& n : tree.children) {
      switch (n.kind) {
        case NodeKind::doc:
          append_doc(doc, n);
          newlines = 0;
          break;
        case NodeKind::newline:
          // The first paragraph of documentation comments is the file's documentation if a blank line follows
          // it.
          if (++newlines == 2) {
            if (first && !doc.empty()) {
              out.doc = doc;
              first = false;
            }
            doc.clear();
          }
          break;
        case NodeKind::import_: {
          if (!doc.empty() && first) out.doc = doc;
          doc.clear();
          first = false;
          out.imports.push_back(import(n));
          newlines = 0;
          break;
        }
        case NodeKind::allow:
          allows.push_back(allow(n));
          break;
        case NodeKind::declaration: {
          Declaration d = declaration(n);
          d.doc = doc;
          d.allows.insert(d.allows.begin(), allows.begin(), allows.end());
          allows.clear();
          doc.clear();
          first = false;
          newlines = 0;
          out.declarations.push_back(std::move(d));
          break;
        }
        case NodeKind::blank:
          break;
        case NodeKind::broken:
          newlines = 0;
          first = false;
          break;
        default:
          newlines = 0;
      }
    }
    collect_broken(tree, out);
    return out;
  }

  Item item(const Node& n) {
    Item out;
    out.range = range(n);
    for (const Node& c : n.children) {
      switch (c.kind) {
        case NodeKind::path:
          out.path = path(c);
          break;
        case NodeKind::parameters:
          out.has_parameters = true;
          out.parameters = parameters(c);
          break;
        case NodeKind::type:
          out.type = type(c);
          break;
        case NodeKind::limits:
          out.limits = only(c);
          break;
        case NodeKind::value:
          out.value = only(c);
          break;
        case NodeKind::block:
          out.block = std::make_shared<Block>(block(c));
          break;
        default:
          break;
      }
    }
    return out;
  }

 private:
  /// The range of a node without the blanks at its end.
  Range range(const Node& n) const {
    std::size_t end = n.end;
    while (end > n.begin && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    return range(n.begin, end);
  }
  /// A range of `text_` as a range of the file as it was written, before error recovery changed the text.
  Range range(std::size_t begin, std::size_t end) const {
    if (!recovered_) return {file_, begin, end};
    return {file_, recovered_->original(begin), recovered_->original(end)};
  }
  std::string str(const Node& n) const { return std::string(n.text(text_)); }

  void append_doc(std::string& doc, const Node& n) const {
    std::string_view line = n.text(text_).substr(2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
      line.remove_suffix(1);
    if (!doc.empty()) doc += '\n';
    doc += line;
  }

  void collect_broken(const Node& n, File& out) const {
    if (n.is(NodeKind::broken)) {
      out.broken = true;
      const std::string_view t = n.text(text_);
      const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
      const std::size_t head = t.find_first_of(":{=(\n");
      out.nameless |= head != t.npos && t[head] != '\n' &&
                      t.substr(0, head).find_last_not_of(" \t") + 1 == t.find_first_of(" \t");
      for (std::size_t i = 0; i < t.size();) {
        std::size_t j = i;
        while (j < t.size() && word(t[j])) ++j;
        if (j > i) out.broken_words.emplace_back(t.substr(i, j - i));
        i = j + 1;
      }
    }
    for (const Node& c : n.children) collect_broken(c, out);
  }

  Path path(const Node& n) const {
    Path out;
    out.range = range(n);
    std::size_t at = n.begin;
    while (at < n.end) {
      const std::size_t dot = std::min(text_.find('.', at), n.end);
      out.parts.emplace_back(text_.substr(at, dot - at));
      out.ranges.push_back(range(at, dot));
      at = dot + 1;
    }
    return out;
  }

  Import import(const Node& n) const {
    Import out;
    out.range = range(n);
    for (const Node& c : n.children) {
      if (c.is(NodeKind::path)) {
        out.path = path(c);
        out.alias = out.path.parts.back();
        out.alias_range = out.path.range;
      }
      if (c.is(NodeKind::name)) {
        out.alias = str(c);
        out.alias_range = range(c);
      }
    }
    return out;
  }

  Allow allow(const Node& n) const {
    Allow out;
    out.range = range(n);
    if (const Node* rule = n.child(NodeKind::path)) {
      out.rule = str(*rule);
      out.rule_range = range(*rule);
    }
    if (const Node* reason = n.child(NodeKind::text)) out.reason = unescape(reason->text(text_));
    return out;
  }

  Declaration declaration(const Node& n) {
    Declaration out;
    out.range = range(n);
    for (const Node& c : n.children) {
      switch (c.kind) {
        case NodeKind::kind:
          out.kind = str(c);
          out.kind_range = range(c);
          break;
        case NodeKind::declared:
          out.name = str(c);
          out.name_range = range(c);
          break;
        case NodeKind::dimensions:
          for (const Node& d : c.children)
            if (d.is(NodeKind::dimension)) out.dimensions.push_back(dimension(d));
          break;
        case NodeKind::parameters:
          out.has_parameters = true;
          out.parameters = parameters(c);
          break;
        case NodeKind::base:
          if (const Node* p = c.child(NodeKind::path)) out.base = path(*p);
          break;
        case NodeKind::value:
          out.value = only(c);
          break;
        case NodeKind::block:
          out.block = std::make_shared<Block>(block(c));
          break;
        default:
          break;
      }
    }
    return out;
  }

  Block block(const Node& n) {
    Block out;
    out.range = range(n);
    std::string doc;
    std::vector<Allow> allows;
    std::size_t newlines = 0;
    for (const Node& c : n.children) {
      switch (c.kind) {
        case NodeKind::doc:
          append_doc(doc, c);
          newlines = 0;
          break;
        case NodeKind::newline:
          if (++newlines == 2) doc.clear();
          break;
        case NodeKind::allow:
          allows.push_back(allow(c));
          break;
        case NodeKind::field:
        case NodeKind::section: {
          Item i = item(c);
          i.doc = std::exchange(doc, {});
          out.items.push_back(std::move(i));
          out.allows.insert(out.allows.end(), allows.begin(), allows.end());
          allows.clear();
          break;
        }
        case NodeKind::declaration: {
          Declaration d = declaration(c);
          d.doc = std::exchange(doc, {});
          d.allows.insert(d.allows.begin(), allows.begin(), allows.end());
          allows.clear();
          out.declarations.push_back(std::move(d));
          break;
        }
        case NodeKind::broken:
          out.broken = true;
          doc.clear();
          break;
        case NodeKind::blank:
          break;
        default:
          newlines = 0;
      }
    }
    out.allows.insert(out.allows.end(), allows.begin(), allows.end());
    // A block that doesn't end with `}` was never closed, so later items of it may be missing.
    if (n.end > n.begin && text_[n.end - 1] != '}') out.broken = true;
    return out;
  }

  Dimension dimension(const Node& n) {
    Dimension out;
    if (const Node* name = n.child(NodeKind::name)) {
      out.name = str(*name);
      out.name_range = range(*name);
    }
    if (const Node* value = n.child(NodeKind::value)) out.value = only(*value);
    return out;
  }

  std::vector<Parameter> parameters(const Node& n) {
    std::vector<Parameter> out;
    for (const Node& c : n.children) {
      if (!c.is(NodeKind::parameter)) continue;
      Parameter p;
      p.range = range(c);
      if (const Node* name = c.child(NodeKind::name)) {
        p.name = str(*name);
        p.name_range = range(*name);
      }
      if (const Node* t = c.child(NodeKind::type)) p.type = type(*t);
      out.push_back(std::move(p));
    }
    return out;
  }

  /// The expression that a node wraps.
  std::optional<Expr> only(const Node& n) {
    for (const Node& c : n.children)
      if (is_expression(c)) return expr(c);
    return std::nullopt;
  }

  static bool is_expression(const Node& n) {
    return (n.kind >= NodeKind::quantity && n.kind <= NodeKind::pipeline && !n.is(NodeKind::argument) &&
            !n.is(NodeKind::call) && !n.is(NodeKind::index) && !n.is(NodeKind::member)) ||
           n.is(NodeKind::name) || n.is(NodeKind::number) || n.is(NodeKind::text);
  }

  /// Types are parsed as expressions: `one_of(a, b)`, `list[f32]`, `a.b`.
  Expr type(const Node& n) {
    Expr out;
    for (const Node& c : n.children) {
      if (c.is(NodeKind::path)) {
        const Path p = path(c);
        out.kind = Expr::Kind::name;
        out.range = p.ranges.front();
        out.text = p.parts.front();
        for (std::size_t i = 1; i < p.parts.size(); ++i) {
          Expr member;
          member.kind = Expr::Kind::member;
          member.range = {file_, p.range.begin, p.ranges[i].end};
          member.text = p.parts[i];
          member.text_range = p.ranges[i];
          member.args.push_back(std::move(out));
          out = std::move(member);
        }
      } else {
        out = suffix(std::move(out), c);
      }
    }
    return out;
  }

  Expr suffix(Expr of, const Node& n) {
    Expr out;
    out.range = {file_, of.range.begin, range(n).end};
    switch (n.kind) {
      case NodeKind::call:
        out.kind = Expr::Kind::call;
        out.args.push_back(std::move(of));
        for (const Node& c : n.children)
          if (c.is(NodeKind::argument)) out.arguments.push_back(argument(c));
        return out;
      case NodeKind::index:
        out.kind = Expr::Kind::index;
        out.args.push_back(std::move(of));
        for (const Node& c : n.children)
          if (is_expression(c)) out.args.push_back(expr(c));
        return out;
      case NodeKind::member:
        out.kind = Expr::Kind::member;
        out.args.push_back(std::move(of));
        if (const Node* name = n.child(NodeKind::name)) {
          out.text = str(*name);
          out.text_range = range(*name);
        }
        return out;
      default:
        return of;
    }
  }

  Argument argument(const Node& n) {
    Argument out;
    out.range = range(n);
    for (const Node& c : n.children) {
      if (c.is(NodeKind::label)) {
        out.label = str(c);
        out.label_range = range(c);
      } else if (is_expression(c)) {
        out.value = expr(c);
      }
    }
    return out;
  }

  Expr expr(const Node& n) {
    Expr out;
    out.range = range(n);
    switch (n.kind) {
      case NodeKind::number:
        out.kind = Expr::Kind::number;
        out.number = number(n);
        break;
      case NodeKind::quantity:
        out.kind = Expr::Kind::number;
        for (const Node& c : n.children) {
          if (c.is(NodeKind::number)) out.number = number(c);
          if (c.is(NodeKind::unit)) {
            out.unit = str(c);
            out.unit_range = range(c);
          }
        }
        break;
      case NodeKind::text:
        out.kind = Expr::Kind::text;
        out.text = unescape(n.text(text_));
        break;
      case NodeKind::name:
        out.kind = Expr::Kind::name;
        out.text = str(n);
        break;
      case NodeKind::reference: {
        bool first = true;
        for (const Node& c : n.children) {
          if (first && is_expression(c)) {
            out = expr(c);
            first = false;
          } else {
            out = suffix(std::move(out), c);
          }
        }
        break;
      }
      case NodeKind::list:
        out.kind = Expr::Kind::list;
        break;
      case NodeKind::minus:
        out.kind = Expr::Kind::negative;
        break;
      case NodeKind::no:
        out.kind = Expr::Kind::negation;
        break;
      case NodeKind::range:
        out.kind = Expr::Kind::range;
        break;
      case NodeKind::conditional:
        out.kind = Expr::Kind::conditional;
        break;
      case NodeKind::pipeline:
        out.kind = Expr::Kind::pipeline;
        break;
      default:
        out.kind = Expr::Kind::chain;
    }
    if (n.kind == NodeKind::reference || n.kind == NodeKind::quantity) return out;
    for (const Node& c : n.children) {
      if (c.is(NodeKind::op)) out.ops.push_back(str(c));
      if (is_expression(c)) out.args.push_back(expr(c));
    }
    return out;
  }

  double number(const Node& n) const {
    double value = 0;
    const std::string_view t = n.text(text_);
    // A number out of range becomes 0 or infinity. The checks of values then treat it like any other value.
    const auto [end, error] = read_number(t.data(), t.data() + t.size(), value);
    if (error == std::errc::result_out_of_range)
      return t.find("e-") != t.npos || t.find("E-") != t.npos ? 0 : HUGE_VAL;
    return value;
  }

  std::string_view text_;
  FileId file_;
  const Recovered* recovered_ = nullptr;
};

}  // namespace

std::optional<std::string> Expr::dotted() const {
  if (is(Kind::name)) return text;
  if (is(Kind::member))
    if (auto left = args[0].dotted()) return *left + "." + text;
  return std::nullopt;
}

std::vector<std::string> split_dotted(const std::string& dotted) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t dot = dotted.find('.', at);
    parts.push_back(dotted.substr(at, dot == std::string::npos ? dot : dot - at));
    if (dot == std::string::npos) return parts;
    at = dot + 1;
  }
}

std::string Path::text() const {
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ".") + p;
  return out;
}

File build(const Node& tree, std::string_view text, FileId file) { return Builder(text, file).file(tree); }

File build(const Recovered& recovered, FileId file) {
  return Builder(recovered.text, file, recovered.edits.empty() ? nullptr : &recovered).file(recovered.tree);
}

std::optional<Item> build_setting(const Node& tree, std::string_view text, FileId file) {
  if (const Node* field = tree.child(NodeKind::field)) return Builder(text, file).item(*field);
  return std::nullopt;
}

}  // namespace trl::language::ast
