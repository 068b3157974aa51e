#include "runtime/corpus/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "runtime/corpus/kernel.hpp"
#include "runtime/corpus/mutation.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

/// A part of the task that becomes one kernel.
struct Part {
  Task task;
  std::string output;  // "out", or the temporary's name
  bool copies = false;
};

bool is_along(const Expression& node) {
  if (node.kind != Expression::Kind::Operator) return false;
  const Form form = form_of(node.op);
  return form == Form::Along || form == Form::Reduction;
}

bool has_along(const Expression& node) {
  return is_along(node) || std::any_of(node.args.begin(), node.args.end(), has_along);
}

/// Operators where the task can be cut in two: their values are matrices and nothing along an axis is below.
void cuts(Expression& node, std::vector<Expression*>& found) {
  for (Expression& argument : node.args) cuts(argument, found);
  if (node.kind != Expression::Kind::Operator || has_along(node)) return;
  if (form_of(node.op) == Form::Transpose) return;
  const bool matrix = node.shape.size() == 2 && !node.shape[0].is_one() && !node.shape[1].is_one();
  if (matrix) found.push_back(&node);
}

Expression* first_input(Expression& node, const Shape& shape) {
  if (node.kind == Expression::Kind::Input) return node.shape == shape ? &node : nullptr;
  for (Expression& argument : node.args)
    if (Expression* found = first_input(argument, shape)) return found;
  return nullptr;
}

/// One kernel, or two with the temporary `t` between them.
std::vector<Part> parts_of(Task task, const Style& style, Flaw flaw) {
  const bool product = has_product(task.value);
  std::vector<Expression*> places;
  if (flaw == Flaw::ExtraPass) {
    if (Expression* input = first_input(task.value, domain_of(task))) places.push_back(input);
  } else if ((product && has_along(task.value)) || style.split) {
    cuts(task.value, places);
    std::erase(places, &task.value);
  }
  if (places.empty()) return {{std::move(task), "out"}};
  // Padding that is forgotten shows only if something comes between the temporary and the reduction.
  const bool early = flaw == Flaw::OtherPad || flaw == Flaw::ExtraPass;
  Expression& node = *places[early ? 0 : style.placement % places.size()];
  Expression below = std::move(node);
  Part first{task, "t", below.kind == Expression::Kind::Input};
  Expression temporary;
  temporary.kind = Expression::Kind::Input;
  temporary.input = task.inputs.size();
  temporary.shape = below.shape;
  node = temporary;
  first.task.value = std::move(below);
  task.inputs.push_back({"t", temporary_dtype, temporary.shape});
  return {std::move(first), {std::move(task), "out"}};
}

Layout layout_of(const Part& part, const Style& style, Flaw flaw) {
  const Expression& value = part.task.value;
  if (has_product(value)) return Layout::Product;
  if (has_along(value)) return style.several_lines || flaw == Flaw::FloorGrid ? Layout::Lines : Layout::Line;
  if (value.kind == Expression::Kind::Operator && value.op == "transpose") return Layout::Tile;
  if (part.copies || flaw == Flaw::TinyBlocks) return Layout::Flat;
  if (style.elementwise == Style::Layout::Flat) return Layout::Flat;
  // A row a program has no grid to get wrong.
  if (style.elementwise == Style::Layout::Line) return flaw == Flaw::FloorGrid ? Layout::Lines : Layout::Line;
  return Layout::Tile;
}

std::string extents_text(const Shape& shape, const Shape& domain) {
  std::string text;
  for (const Extent& extent : shape)
    text += (text.empty() ? "" : ", ") + (extent.name.empty()   ? std::to_string(extent.size)
                                          : extent == domain[0] ? "M"
                                                                : "N");
  return shape.size() == 1 ? "(" + text + ",)" : "(" + text + ")";
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// Does the name occur in the text as a whole word?
bool mentions(const std::string& text, const std::string& name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// The class that launches the kernels.
std::vector<std::string> wrapper(const Task& task, const std::vector<Part>& parts,
                                 const std::vector<Kernel>& kernels, const std::vector<std::string>& names,
                                 const Style& style, Flaw flaw) {
  std::vector<std::string> lines = {"class ModelNew(torch.nn.Module):"};
  std::string inputs;
  for (const TaskInput& input : task.inputs) inputs += ", " + input.name;
  lines.push_back(fmt::format("    def forward(self{}):", inputs));
  const auto line = [&](const std::string& text) { lines.push_back("        " + text); };
  const std::string& lead = task.inputs.front().name;
  if (flaw == Flaw::NeedlessCopy) line(fmt::format("{0} = {0}.clone()", lead));

  bool sized = false, counted = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const Kernel& kernel = kernels[i];
    const Shape domain = domain_of(part.task);
    const auto uses = [&](const std::string& size) {
      return std::find(kernel.sizes.begin(), kernel.sizes.end(), size) != kernel.sizes.end() ||
             mentions(kernel.grid, size) || mentions(joined(kernel.constants), size);
    };
    const bool same_shape = part.task.value.shape == domain && part.output == "out" &&
                            !kernel.flat_input.empty() && kernel.flat_input != "t";
    if (!sized && has_product(part.task.value)) {
      line(fmt::format("M, K = {}.shape", kernel.tensors[0]));
      line(fmt::format("N = {}.shape[1]", kernel.tensors[1]));
      sized = true;
    } else if (!sized && !kernel.flat_input.empty() &&
               (uses("M") || uses("N") || !(same_shape || part.copies))) {
      line(fmt::format("M, N = {}.shape", kernel.flat_input));
      sized = true;
    } else if (!sized && kernel.flat_input.empty()) {
      throw StageError("the corpus can't write an answer to this task: no input has the shape of its values");
    }
    if (uses("n") && !counted) {
      line(fmt::format("n = {}.numel()", kernel.flat_input));
      counted = true;
    }
    if (same_shape) {
      line(fmt::format("{} = torch.empty_like({})", part.output, kernel.flat_input));
    } else if (part.copies) {
      line(fmt::format("{} = torch.empty_like({}, dtype=torch.float32)", part.output, kernel.flat_input));
    } else {
      line(fmt::format("{} = torch.empty({}, device={}.device, dtype={})", part.output,
                       extents_text(part.task.value.shape, domain), lead,
                       part.output == "out" ? lead + ".dtype" : "torch.float32"));
    }
    std::string grid = kernel.grid;
    if (style.grid_variable && parts.size() == 1) {
      line("grid = " + grid);
      grid = "grid";
    }
    std::vector<std::string> arguments = kernel.tensors;
    arguments.push_back(part.output);
    arguments.insert(arguments.end(), kernel.sizes.begin(), kernel.sizes.end());
    arguments.insert(arguments.end(), kernel.constants.begin(), kernel.constants.end());
    line(fmt::format("{}[{}]({})", names[i], grid, joined(arguments)));
  }
  line("return out");
  return lines;
}

/// Replaces the last `what` in a line that has one, counted from `placement`; false when no line has.
bool replace_in_some_line(std::vector<std::string>& lines, const std::string& what, const std::string& with,
                          std::uint64_t placement) {
  std::vector<std::string*> candidates;
  for (std::string& line : lines)
    if (line.find(what) != std::string::npos) candidates.push_back(&line);
  if (candidates.empty()) return false;
  std::string& line = *candidates[placement % candidates.size()];
  line.replace(line.rfind(what), what.size(), with);
  return true;
}

void break_text(std::vector<std::string>& lines, Flaw flaw, std::uint64_t placement) {
  if (flaw == Flaw::Syntax) {
    if (placement % 3 == 0)
      replace_in_some_line(lines, "):", ")", placement / 3);
    else
      replace_in_some_line(lines, ")", placement % 3 == 1 ? "" : "))", placement / 3);
  }
  if (flaw == Flaw::UndefinedName) {
    static constexpr std::array slips = {std::pair{"mask=mask", "mask=m"},
                                         std::pair{"tl.store(out_ptr", "tl.store(output_ptr"},
                                         std::pair{"return out", "return output"}};
    for (std::size_t i = 0; i < slips.size(); ++i) {
      const auto& [what, with] = slips[(placement + i) % slips.size()];
      if (replace_in_some_line(lines, what, with, placement / 3)) return;
    }
  }
}

}  // namespace

Style Style::draw(RandomStream& random) {
  const auto pick = [&](const auto& items) { return items[random.below(items.size())]; };
  Style style;
  style.elementwise = pick(std::array{Layout::Flat, Layout::Tile, Layout::Line});
  style.several_lines = random.uniform() < 0.25;
  style.block = pick(std::array{128, 256, 512, 1024});
  style.tile = pick(std::array{16, 32, 32, 64});
  style.depth = pick(std::array{16, 32, 64});
  style.lines = pick(std::array{2, 4, 8});
  style.split = random.uniform() < 0.12;
  style.grid_variable = random.uniform() < 0.4;
  style.long_names = random.uniform() < 0.3;
  style.placement = random.below(1u << 20);
  return style;
}

std::string answer(const Task& asked, const Style& drawn, Flaw flaw) {
  refuse_beyond(asked.value);
  Task task = asked;
  Style style = drawn;
  if (flaw == Flaw::WrongConstant) task = wrong_constant(asked, style.placement).value_or(asked);
  if (flaw == Flaw::WrongOperator) task = wrong_operator(asked, style.placement).value_or(asked);
  if (flaw == Flaw::WrongAxis)
    if (auto wrong = wrong_axis(asked)) task = *wrong, flaw = Flaw::None;
  if (flaw == Flaw::TinyBlocks) style.block = 16;
  // Without upcasting, a temporary between the kernels would be f32 all the same; and what is loaded from a
  // temporary right before a reduction is padded well enough.
  if (flaw == Flaw::NoUpcast || flaw == Flaw::OtherPad) style.split = false;

  const std::vector<Part> parts = parts_of(task, style, flaw);
  std::vector<Kernel> kernels;
  std::vector<std::string> names;
  for (const Part& part : parts) {
    std::string name = style.long_names ? "fused_kernel" : "kernel";
    if (parts.size() > 1)
      name = part.copies                    ? "copy_kernel"
             : has_product(part.task.value) ? "matmul_kernel"
             : names.empty()                ? "first_kernel"
                                            : "second_kernel";
    names.push_back(name);
    kernels.push_back(write_kernel(part.task, name, layout_of(part, style, flaw), style, flaw));
  }
  std::vector<std::string> lines;
  for (const Kernel& kernel : kernels) {
    lines.insert(lines.end(), kernel.lines.begin(), kernel.lines.end());
    lines.emplace_back();
  }
  const auto tail = wrapper(task, parts, kernels, names, style, flaw);
  lines.insert(lines.end(), tail.begin(), tail.end());
  break_text(lines, flaw, style.placement);
  std::string text = "import torch\nimport triton\nimport triton.language as tl\n\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace trl::runtime
