#include "verifier/corpus/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "verifier/corpus/kernel.hpp"
#include "verifier/corpus/lines.hpp"
#include "verifier/corpus/parts.hpp"

namespace trl::runtime {
namespace {

Layout layout_of(const Part& part, const Style& style, Flaw flaw) {
  const Expression& value = part.task.value;
  if (has_product(value)) return Layout::Product;
  if (has_along(value)) return style.several_lines || flaw == Flaw::FloorGrid ? Layout::Lines : Layout::Line;
  if (value.kind == Expression::Kind::Operator && value.op == Operator::transpose) return Layout::Tile;
  if (part.copies || flaw == Flaw::TinyBlocks) return Layout::Flat;
  if (style.elementwise == Style::Layout::Flat) return Layout::Flat;
  // With one row per program there is no division of the grid that could be wrong.
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

/// Writes the Python class that launches the kernels.
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
      throw UserError("the corpus can't write an answer to this task: no input has the shape of its values");
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
  const Task task = task_with(asked, drawn, flaw);
  Style style = drawn;
  if (flaw == Flaw::TinyBlocks) style.block = 16;
  // Two flaws need kernels that aren't split. A temporary between kernels is f32, which would hide a missing
  // upcast; and values that are loaded from a temporary right before a reduction are padded correctly, which
  // would hide missing padding.
  if (flaw == Flaw::NoUpcast || flaw == Flaw::OtherPad) style.split = false;

  const std::vector<Part> parts = parts_of(task, style, flaw);
  std::vector<Kernel> kernels;
  const std::vector<std::string> names = kernel_names(parts, style);
  for (std::size_t i = 0; i < parts.size(); ++i)
    kernels.push_back(write_kernel(parts[i].task, names[i], layout_of(parts[i], style, flaw), style, flaw));
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

std::string answer(const Task& task, const Style& style, Flaw flaw, KernelLanguage language) {
  return language == KernelLanguage::cuda ? cuda_answer(task, style, flaw) : answer(task, style, flaw);
}

}  // namespace trl::runtime
