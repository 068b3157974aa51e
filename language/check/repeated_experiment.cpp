#include <algorithm>

#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(repeated_experiment)
namespace {

void check_repeated_experiment(ProgramInspection& inspection) {
  const auto& declarations = inspection.program.ast.declarations;
  for (const ast::Declaration& d : declarations) {
    if (d.kind != "experiment" || d.base.empty()) continue;
    if (d.block != nullptr && (!d.block->items.empty() || d.block->broken)) continue;
    const auto base = std::find_if(declarations.begin(), declarations.end(), [&](const auto& other) {
      return other.kind == "experiment" && other.name == d.base.text();
    });
    if (base == declarations.end() || &*base == &d) continue;
    inspection.report(
        found(rules::repeated_experiment, d.name_range,
              "`" + d.name + "` is `" + base->name + "` once more: it changes nothing, and has its results")
            .note("the experiment that it repeats", base->name_range)
            .helped("change what is to differ, `{ override { … } }` or a field, or use `" + base->name + "`"),
        d);
  }
}

}  // namespace

const Rule rules::repeated_experiment{
    "repeated_experiment",
    Severity::warning,
    true,
    "An experiment that changes nothing of the one from which it derives has the same rows.",
    R"(import example
experiment e : example.study {}
experiment f : e { seeds = 1..3 }
)",
    R"(import example
experiment e : example.study {}
experiment f : e {}
)",
    nullptr,
    check_repeated_experiment};

}  // namespace trl::language
