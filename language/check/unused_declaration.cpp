#include <algorithm>
#include <map>
#include <set>

#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(unused_declaration)
namespace {

using Names = std::set<std::string>;

void collect(const ast::Expr& e, Names& names) {
  if (e.is(ast::Expr::Kind::name)) names.insert(e.text);
  for (const ast::Expr& part : e.args) collect(part, names);
  for (const ast::Argument& a : e.arguments) {
    names.insert(a.label.substr(0, a.label.find('.')));
    collect(a.value, names);
  }
}

void collect(const ast::Block& block, Names& names) {
  for (const ast::Item& item : block.items) {
    names.insert(item.path.parts.begin(), item.path.parts.end());
    if (item.value) collect(*item.value, names);
    if (item.block) collect(*item.block, names);
  }
}

/// Returns every word in a declaration that may be the name of another declaration. It also returns words
/// that aren't names.
Names names_in(const ast::Declaration& d) {
  Names names(d.base.parts.begin(), d.base.parts.end());
  if (d.value) collect(*d.value, names);
  if (d.block) collect(*d.block, names);
  return names;
}

/// Whether a declaration is run or shown by itself. Other declarations matter only if one of these uses them.
bool is_root(const ast::Declaration& d) {
  static const std::set<std::string> roots = {"experiment", "table", "plot", "hypothesis"};
  return roots.contains(d.kind);
}

void check(ProgramInspection& inspection) {
  if (!inspection.references_known) return;
  const auto& declarations = inspection.program.ast.declarations;
  // A file without an experiment is a library, whose declarations are for the files that import it.
  if (std::none_of(declarations.begin(), declarations.end(),
                   [](const auto& d) { return d.kind == "experiment"; }))
    return;
  std::map<std::string, const ast::Declaration*> by_name;
  for (const ast::Declaration& d : declarations) by_name.emplace(d.name, &d);
  std::set<const ast::Declaration*> reached;
  std::vector<const ast::Declaration*> open;
  for (const ast::Declaration& d : declarations)
    if (is_root(d)) open.push_back(&d);
  while (!open.empty()) {
    const ast::Declaration* d = open.back();
    open.pop_back();
    if (!reached.insert(d).second) continue;
    for (const std::string& name : names_in(*d))
      if (const auto at = by_name.find(name); at != by_name.end()) open.push_back(at->second);
  }
  for (const ast::Declaration& d : declarations)
    if (!reached.contains(&d) && d.kind != "task")  // a task outside a suite is an error by itself
      inspection.report(found(rules::unused_declaration, d.name_range,
                              "nothing that is run or shown refers to the " + d.kind + " `" + d.name + "`")
                            .helped("name it in an experiment, or remove it"),
                        d);
}

}  // namespace

const Rule rules::unused_declaration{
    "unused_declaration",
    Severity::warning,
    true,
    "A declaration that nothing refers to has no effect, although its author may believe that it has.",
    R"(import example
lora small { rank = 4 }
experiment e : example.study { adapter = small }
)",
    R"(import example
lora small { rank = 4 }
experiment e : example.study { seeds = 1..3 }
)",
    nullptr,
    check};

}  // namespace trl::language
