#include "verifier/corpus/flaw.hpp"

#include <algorithm>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/corpus/formula.hpp"
#include "verifier/corpus/mutation.hpp"

namespace trl::runtime {
namespace {

bool any(const Expression& node, const auto& holds) {
  if (holds(node)) return true;
  return std::any_of(node.args.begin(), node.args.end(), [&](const Expression& a) { return any(a, holds); });
}

bool has_form(const Task& task, Form form) {
  return any(task.value, [&](const Expression& node) {
    return node.kind == Expression::Kind::Operator && form_of(node.op) == form;
  });
}

/// Says how Triton's function for an operator treats f16. A transposition passes f16 on.
InHalf in_half(const Expression& node) {
  const Form form = form_of(node.op);
  const bool formula = form == Form::Elementwise || form == Form::Binary;
  return formula ? triton_formula(node).in_half : InHalf::stays;
}

/// Whether this value is still f16 in a kernel that never upcasts. Division and reductions give f32.
bool stays_half(const Expression& node) {
  if (node.kind != Expression::Kind::Operator) return true;
  if (is_along(node) || form_of(node.op) == Form::Matmul) return false;
  if (in_half(node) == InHalf::promotes) return false;
  return std::all_of(node.args.begin(), node.args.end(), stays_half);
}

/// Whether some operator would get f16 though its Triton function refuses f16.
bool needs_single(const Task& task) {
  return any(task.value, [&](const Expression& node) {
    return node.kind == Expression::Kind::Operator && in_half(node) == InHalf::refuses &&
           stays_half(node.args[0]);
  });
}

}  // namespace

namespace {

const std::vector<FlawKind>& triton_flaws() {
  static const std::vector<FlawKind> kinds = {
      {Flaw::MissingMask, "missing_mask", 10, false, "reads and writes past the end; right at round sizes"},
      {Flaw::FloorGrid, "floor_grid", 1, false, "the last block is never computed; right at round sizes"},
      {Flaw::OtherPad, "other_pad", 1, false, "padding enters a reduction; right at powers of two"},
      {Flaw::WrongOperator, "wrong_operator", 1, false, "another operator"},
      {Flaw::WrongConstant, "wrong_constant", 0.5, false, "another number"},
      {Flaw::WrongAxis, "wrong_axis", 0.5, false, "rows and columns confused"},
      {Flaw::MissingLoad, "missing_load", 2.5, false, "a variable that was never loaded"},
      {Flaw::UndefinedName, "undefined_name", 0.5, false, "a name that nothing defines"},
      {Flaw::Syntax, "syntax", 0.25, false, "doesn't parse"},
      {Flaw::NoUpcast, "no_upcast", 0.75, false, "doesn't compile for f16"},
      {Flaw::TinyBlocks, "tiny_blocks", 1, true, "16 elements a program"},
      {Flaw::ExtraPass, "extra_pass", 1.5, true, "copies an input by a kernel of its own first"},
      {Flaw::NeedlessCopy, "needless_copy", 0.5, true, "clones an input first"},
  };
  return kinds;
}

const std::vector<FlawKind>& cuda_flaws() {
  static const std::vector<FlawKind> kinds = {
      {Flaw::MissingMask, "missing_guard", 10, false, "reads and writes past the end; right at round sizes"},
      {Flaw::FloorGrid, "floor_grid", 1, false, "the last block is never computed; right at round sizes"},
      {Flaw::MissingSync, "missing_sync", 1, false, "reads shared memory before others have written it"},
      {Flaw::SharedSize, "shared_size", 0.5, false, "shared memory of half the size, in which rows overlap"},
      {Flaw::FloatOnly, "float_only", 1, false, "takes f32 alone; right until the precision is another"},
      {Flaw::WrongOperator, "wrong_operator", 1, false, "another operator"},
      {Flaw::WrongConstant, "wrong_constant", 0.5, false, "another number"},
      {Flaw::WrongAxis, "wrong_axis", 0.5, false, "rows and columns confused"},
      {Flaw::MissingLoad, "missing_load", 2.5, false, "a variable that was never loaded"},
      {Flaw::MissingLaunch, "missing_launch", 0.25, false, "a kernel that is never launched"},
      {Flaw::UndefinedName, "undefined_name", 0.5, false, "a name that nothing defines"},
      {Flaw::Syntax, "syntax", 0.25, false, "doesn't parse"},
      {Flaw::TinyBlocks, "tiny_blocks", 1, true, "16 threads a block"},
      {Flaw::ExtraPass, "extra_pass", 1.5, true, "copies an input by a kernel of its own first"},
      {Flaw::NeedlessCopy, "needless_copy", 0.5, true, "clones an input first"},
  };
  return kinds;
}

/// Whether the threads of a block exchange values for an operator along an axis.
bool reduces_in_blocks(const Task& task) {
  return any(task.value,
             [](const Expression& node) { return is_along(node) && node.op != Operator::cumsum; });
}

}  // namespace

const std::vector<FlawKind>& flaw_kinds(KernelLanguage language) {
  return language == KernelLanguage::cuda ? cuda_flaws() : triton_flaws();
}

std::string flaw_name(Flaw flaw, KernelLanguage language) {
  for (const FlawKind& kind : flaw_kinds(language))
    if (kind.flaw == flaw) return kind.name;
  return "";
}

bool applies(const Task& task, Flaw flaw) {
  const bool product = has_form(task, Form::Matmul);
  const bool along = has_form(task, Form::Reduction) || has_form(task, Form::Along);
  switch (flaw) {
    case Flaw::OtherPad:
      return padding_shows(task);
    case Flaw::WrongConstant:
      return wrong_constant(task, 0).has_value();
    case Flaw::WrongOperator:
      return wrong_operator(task, 0).has_value();
    case Flaw::WrongAxis:
      return product || wrong_axis(task).has_value() || has_broadcast_input(task);
    case Flaw::NoUpcast:
      return !product && needs_single(task);
    case Flaw::ExtraPass:
      return !product;
    case Flaw::TinyBlocks:
      return !along && !product && !has_form(task, Form::Transpose);
    case Flaw::MissingSync:
      return product || has_form(task, Form::Transpose) || reduces_in_blocks(task);
    case Flaw::SharedSize:
      return product || has_form(task, Form::Transpose);
    default:
      return true;
  }
}

Flaw draw_flaw(const Task& task, RandomStream& random, KernelLanguage language) {
  std::vector<std::pair<Flaw, double>> possible;
  double total = 0;
  for (const FlawKind& kind : flaw_kinds(language))
    if (applies(task, kind.flaw)) possible.emplace_back(kind.flaw, total += kind.weight);
  const double draw = random.uniform() * total;
  for (const auto& [flaw, up_to] : possible)
    if (draw < up_to) return flaw;
  return possible.back().first;
}

}  // namespace trl::runtime
