#include <algorithm>
#include <set>

#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(unused_dimension)
namespace {

void collect_names(const ast::Expr& e, std::set<std::string>& names) {
  if (e.is(ast::Expr::Kind::name)) names.insert(e.text);
  for (const ast::Expr& part : e.args) collect_names(part, names);
  for (const ast::Argument& a : e.arguments) collect_names(a.value, names);
}

/// Whether a task has no error. If its shapes are wrong, it isn't known which dimensions it should name.
bool is_lowered(const ProgramInspection& inspection, const ast::Declaration& suite,
                const ast::Declaration& task) {
  const auto tasks = inspection.suites.find(suite.name);
  return tasks != inspection.suites.end() && !inspection.program.doubts(task.range) &&
         std::any_of(tasks->second.begin(), tasks->second.end(),
                     [&](const SuiteTask& one) { return one.range == task.name_range && one.is_lowered(); });
}

void check_dimensions(ProgramInspection& inspection) {
  for (const ast::Declaration& suite : inspection.program.ast.declarations) {
    if (suite.kind != "suite" || !suite.block) continue;
    for (const ast::Declaration& task : suite.block->declarations) {
      if (task.kind != "task" || !task.value || !is_lowered(inspection, suite, task)) continue;
      std::set<std::string> names;
      collect_names(*task.value, names);
      for (const ast::Parameter& p : task.parameters)
        if (p.type) collect_names(*p.type, names);
      for (const ast::Dimension& dimension : task.dimensions) {
        if (names.contains(dimension.name)) continue;
        const auto allow = std::find_if(task.allows.begin(), task.allows.end(), [](const ast::Allow& one) {
          return one.rule == rules::unused_dimension.id;
        });
        if (allow != task.allows.end()) {
          inspection.used.push_back(&*allow);
          continue;
        }
        inspection.report(found(rules::unused_dimension, dimension.name_range,
                                "no input of `" + task.name + "` and nothing in its value has the size `" +
                                    dimension.name + "`")
                              .helped("remove it, or use it in a shape"),
                          suite);
      }
    }
  }
}

}  // namespace

const Rule rules::unused_dimension{
    "unused_dimension",
    Severity::warning,
    true,
    "A size that nothing has changes no task: a shape probably names another one by mistake.",
    R"(suite s { task t[M = 64, N = 32](x: f32[M, N]) = relu(x) }
)",
    R"(suite s { task t[M = 64, N = 32](x: f32[M, M]) = relu(x) }
)",
    nullptr,
    check_dimensions};

}  // namespace trl::language
