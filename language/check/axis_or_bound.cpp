#include <fmt/format.h>

#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(axis_or_bound)
namespace {

void examine(const ast::Expr& e, const ast::Declaration& task, ProgramInspection& inspection) {
  for (const ast::Expr& part : e.args) examine(part, task, inspection);
  for (const ast::Argument& argument : e.arguments) examine(argument.value, task, inspection);
  if (!e.is(ast::Expr::Kind::call) || e.arguments.size() != 2 || e.args.empty()) return;
  const std::string name = e.args[0].dotted().value_or("");
  if (name != "max" && name != "min") return;
  const ast::Argument& second = e.arguments[1];
  if (!second.label.empty() || !second.value.is(ast::Expr::Kind::number) || second.value.number != 0) return;
  const std::string elementwise = name + "imum";
  auto d = found(rules::axis_or_bound, second.range,
                 fmt::format("`{}(x, 0)` reduces along axis 0, as in PyTorch", name));
  d.helped(
      fmt::format("for each element compared with 0 write `{}(x, 0)`{}; for the reduction `{}(x, axis = 0)`",
                  elementwise, name == "max" ? ", or `relu(x)`" : "", name));
  d.suggest("write `" + elementwise + "`", e.args[0].range, elementwise);
  d.suggest("write `axis = 0`", second.value.range, "axis = 0");
  inspection.report(std::move(d), task);
}

void check_program(ProgramInspection& inspection) {
  for (const ast::Declaration& suite : inspection.program.ast.declarations)
    if (suite.kind == "suite" && suite.block)
      for (const ast::Declaration& task : suite.block->declarations)
        if (task.value) examine(*task.value, task, inspection);
}

}  // namespace

const Rule rules::axis_or_bound{
    "axis_or_bound",
    Severity::warning,
    true,
    "`max(x, 0)` is read as a relu by some and as a reduction by others, and the two are different tasks.",
    R"(suite s { task t[M = 64, N = 256](x: f32[M, N]) = max(x, axis = 0) }
)",
    R"(suite s { task t[M = 64, N = 256](x: f32[M, N]) = max(x, 0) }
)",
    nullptr,
    check_program};

}  // namespace trl::language
