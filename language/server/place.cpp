#include "language/server/place.hpp"

#include <algorithm>
#include <tuple>

namespace trl::language_server {
namespace {

using language::Range;
namespace ast = language::ast;

bool around(const Range& range, std::size_t offset) { return range.begin <= offset && offset <= range.end; }

class Finder {
 public:
  Finder(Place& place, std::size_t offset) : place_(place), offset_(offset) {}

  void file(const ast::File& file) {
    for (const ast::Import& import : file.imports)
      if (around(import.range, offset_)) {
        place_.import = &import;
        named(Place::Part::import_, import.path.range);
      }
    declarations(file.declarations);
  }

 private:
  void named(Place::Part part, const Range& range) {
    if (!around(range, offset_)) return;
    place_.part = part;
    place_.range = range;
  }

  void declarations(const std::vector<ast::Declaration>& all) {
    for (const ast::Declaration& d : all) {
      for (const ast::Allow& a : d.allows) allowed(a);
      if (!around(d.range, offset_)) continue;
      place_.declarations.push_back(&d);
      place_.path.clear();
      named(Place::Part::kind, d.kind_range);
      named(Place::Part::declared, d.name_range);
      named(Place::Part::base, d.base.range);
      for (const ast::Dimension& dimension : d.dimensions)
        if (dimension.value) expression(*dimension.value);
      for (const ast::Parameter& p : d.parameters)
        if (p.type) expression(*p.type);
      if (d.value) expression(*d.value);
      if (d.block) block(*d.block);
    }
  }

  void allowed(const ast::Allow& a) {
    if (!around(a.range, offset_)) return;
    place_.allow = &a;
    named(Place::Part::allow, a.rule_range);
  }

  void block(const ast::Block& block) {
    if (!around(block.range, offset_)) return;
    for (const ast::Allow& a : block.allows) allowed(a);
    for (const ast::Item& i : block.items) item(i);
    declarations(block.declarations);
  }

  void item(const ast::Item& item) {
    if (!around(item.range, offset_)) return;
    place_.items.push_back(&item);
    for (std::size_t i = 0; i < item.path.parts.size(); ++i) {
      place_.path.push_back(item.path.parts[i]);
      if (!around(item.path.ranges[i], offset_)) continue;
      named(Place::Part::field, item.path.ranges[i]);
      return;
    }
    for (const ast::Parameter& p : item.parameters)
      if (p.type) expression(*p.type);
    if (item.type) expression(*item.type);
    if (item.limits) expression(*item.limits);
    if (item.value) expression(*item.value);
    if (item.block) block(*item.block);
  }

  void expression(const ast::Expr& e) {
    if (!around(e.range, offset_)) return;
    place_.expressions.push_back(&e);
    named(Place::Part::value, e.range);
    for (const ast::Expr& part : e.args) expression(part);
    for (const ast::Argument& a : e.arguments) {
      if (!around(a.range, offset_)) continue;
      expression(a.value);
      named(Place::Part::label, a.label.empty() ? Range{0, 1, 0} : a.label_range);
    }
  }

  Place& place_;
  std::size_t offset_;
};

/// Returns the range of the part of a dotted name that names the declaration.
Range own_part(const Analysis& analysis, const language::Elaborator::Use& use) {
  const std::string_view text = analysis.program->checked.sources.text(use.range);
  const std::string& name = use.symbol.declaration->name;
  for (std::size_t begin = 0, part = 0; begin <= text.size() && part < 2; ++part) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    if (text.substr(begin, end - begin) == name)
      return {use.range.file, use.range.begin + begin, use.range.begin + end};
    begin = end + 1;
  }
  return {use.range.file, 0, 0};
}

}  // namespace

Place place_at(const language::Module& module, std::size_t offset) {
  Place place;
  place.module = &module;
  Finder(place, offset).file(module.ast);
  return place;
}

std::vector<std::string> fields_until(const Analysis& analysis, const Mention& mention, std::size_t offset) {
  const std::string_view text = analysis.program->checked.sources.text(mention.range);
  std::vector<std::string> path;
  for (std::size_t begin = mention.name.end - mention.range.begin + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    path.emplace_back(text.substr(begin, end - begin));
    if (mention.range.begin + end >= offset) break;
    begin = end + 1;
  }
  return path;
}

const std::vector<Mention>& mentions(const Analysis& analysis) {
  if (analysis.mentions != nullptr) return *analysis.mentions;
  std::vector<Mention> out;
  for (const auto& module : analysis.program->loaded.modules)
    for (const auto& [name, symbol] : module->symbols)
      out.push_back({symbol, symbol.declaration->name_range, symbol.declaration->name_range});
  for (const auto& use : analysis.program->uses) {
    const Range name = own_part(analysis, use);
    if (name.begin < name.end) out.push_back({use.symbol, use.range, name});
  }
  const auto key = [](const Mention& m) {
    return std::tuple(m.name.file, m.name.begin, m.name.end, m.range.begin, m.range.end);
  };
  std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto place = [](const Mention& m) { return std::tuple(m.name.file, m.name.begin, m.name.end); };
  out.erase(
      std::unique(out.begin(), out.end(), [&](const auto& a, const auto& b) { return place(a) == place(b); }),
      out.end());
  analysis.mentions = std::make_shared<const std::vector<Mention>>(std::move(out));
  return *analysis.mentions;
}

std::optional<Mention> mention_at(const Analysis& analysis, language::FileId file, std::size_t offset) {
  std::optional<Mention> best;
  for (const Mention& m : mentions(analysis))
    if (m.range.file == file && around(m.range, offset) &&
        (!best || m.range.end - m.range.begin < best->range.end - best->range.begin))
      best = m;
  return best;
}

}  // namespace trl::language_server
