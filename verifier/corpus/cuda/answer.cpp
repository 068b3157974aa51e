#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/corpus/cuda/kernel.hpp"
#include "verifier/corpus/cuda/reductions.hpp"
#include "verifier/corpus/lines.hpp"
#include "verifier/corpus/parts.hpp"

namespace trl::runtime {
namespace cuda {
namespace {

bool has_scan(const Expression& node) {
  if (node.kind == Expression::Kind::Operator && node.op == Operator::cumsum) return true;
  return std::any_of(node.args.begin(), node.args.end(), has_scan);
}

Layout layout_of(const Part& part, const Style& style, Flaw flaw) {
  const Expression& value = part.task.value;
  // With one block per row, there is no bound and no division of the grid that could be wrong.
  const bool needs_bound = flaw == Flaw::FloorGrid || flaw == Flaw::MissingMask;
  if (has_product(value)) return Layout::Product;
  if (has_along(value)) {
    if (has_scan(value)) return Layout::Thread;
    if (flaw == Flaw::MissingSync || !(style.several_lines || needs_bound)) return Layout::Block;
    return axis_of(value) == 1 ? Layout::Warp : Layout::Thread;
  }
  if (is_operator(value, Form::Transpose)) return Layout::Tile;
  if (part.copies || flaw == Flaw::TinyBlocks) return Layout::Flat;
  if (style.elementwise == Style::Layout::Flat) return Layout::Flat;
  if (style.elementwise == Style::Layout::Line && !needs_bound) return Layout::Block;
  return Layout::Tile;
}

/// The choices of an answer. Some flaws exist only in tiled kernels.
CudaStyle cuda_style_for(const Style& style, Flaw flaw) {
  CudaStyle cuda_style = CudaStyle::of(style);
  if (flaw == Flaw::MissingSync || flaw == Flaw::SharedSize || flaw == Flaw::MissingLoad)
    cuda_style.tiled = true;
  return cuda_style;
}

/// Writes the type and the device functions that the kernels use, each once.
std::vector<std::string> device_functions(const std::vector<Kernel>& kernels,
                                          const std::vector<Layout>& layouts, const CudaStyle& cuda_style,
                                          Flaw flaw) {
  std::set<Combination> in_warps;
  std::map<Combination, int> in_blocks;  // threads
  for (std::size_t i = 0; i < kernels.size(); ++i)
    for (const Combination combination : kernels[i].reductions) {
      const bool block = layouts[i] == Layout::Block;
      if (!block || cuda_style.shuffles) in_warps.insert(combination);
      if (block) in_blocks[combination] = std::max(in_blocks[combination], kernels[i].threads);
    }
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<std::string>& function) {
    lines.insert(lines.end(), function.begin(), function.end());
    lines.emplace_back();
  };
  if (std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) { return kernel.takes_four; }))
    add({"template <typename T>", "struct alignas(4 * sizeof(T)) Four { T v[4]; };"});
  for (const Combination combination : in_warps) add(warp_function(combination));
  for (const auto& [combination, threads] : in_blocks)
    add(block_function(combination, threads, cuda_style.shuffles, flaw != Flaw::MissingSync));
  return lines;
}

std::string extents_text(const Shape& shape, const Shape& domain) {
  std::vector<std::string> extents;
  for (const Extent& extent : shape)
    extents.push_back(extent.name.empty() ? std::to_string(extent.size) : extent == domain[0] ? "M" : "N");
  return "{" + joined(extents) + "}";
}

/// Writes the C++ function that launches the kernels.
class Wrapper {
 public:
  Wrapper(const Task& task, const std::vector<Part>& parts, const std::vector<Kernel>& kernels,
          const std::vector<std::string>& names, const Style& style, const CudaStyle& cuda_style, Flaw flaw)
      : task_(task),
        parts_(parts),
        kernels_(kernels),
        names_(names),
        style_(style),
        cuda_style_(cuda_style),
        flaw_(flaw) {}

  std::string signature() const {
    std::vector<std::string> parameters;
    for (const TaskInput& input : task_.inputs)
      parameters.push_back("torch::Tensor " + variable_of(input.name));
    return fmt::format("torch::Tensor forward({})", joined(parameters));
  }

  std::vector<std::string> lines() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      body_.push_back("    " + allocation(i));
      launch(i);
    }
    // The flaw leaves out the last kernel.
    if (flaw_ == Flaw::MissingLaunch) launches_.resize(launches_.size() - lines_of_last_);
    if (flaw_ == Flaw::FloatOnly) {
      for (const std::string& launch : launches_) body_.push_back("    " + launch);
    } else if (!launches_.empty()) {
      body_.push_back(
          fmt::format("    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, {}.scalar_type(), "
                      "\"forward\", [&] {{",
                      lead()));
      for (const std::string& launch : launches_) body_.push_back("        " + launch);
      body_.emplace_back("    });");
    }
    std::vector<std::string> all = {signature() + " {"};
    for (const std::string& line : sizes()) all.push_back("    " + line);
    all.insert(all.end(), body_.begin(), body_.end());
    all.emplace_back("    return out;");
    all.emplace_back("}");
    return all;
  }

 private:
  std::string lead() const { return variable_of(task_.inputs.front().name); }

  /// Returns the variable of the input whose shape gives the first kernel's M and N.
  std::string matrix() const {
    const std::string& input = kernels_.front().flat_input;
    if (input.empty())
      throw UserError("the corpus can't write an answer to this task: no input has the shape of its values");
    return variable_of(input);
  }

  bool uses(const std::string& size) const {
    const auto in = [&](const std::vector<std::string>& lines) {
      return std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return mentions(line, size); });
    };
    return in(body_) || in(launches_);
  }

  std::vector<std::string> sizes() const {
    std::vector<std::string> lines, extents;
    if (has_product(parts_.front().task.value)) {
      const std::vector<std::string>& factors = kernels_.front().inputs;
      lines.push_back(fmt::format("int M = {0}.size(0), K = {0}.size(1), N = {1}.size(1);",
                                  variable_of(factors[0]), variable_of(factors[1])));
      if (uses("n")) lines.emplace_back("int n = M * N;");
      return lines;
    }
    if (uses("n")) lines.push_back(fmt::format("int n = {}.numel();", matrix()));
    if (uses("M")) extents.push_back(fmt::format("M = {}.size(0)", matrix()));
    if (uses("N")) extents.push_back(fmt::format("N = {}.size(1)", matrix()));
    if (!extents.empty()) lines.push_back(fmt::format("int {};", joined(extents)));
    return lines;
  }

  std::string allocation(std::size_t i) const {
    const Part& part = parts_[i];
    const Shape domain = domain_of(part.task);
    if (part.output == "out" && part.task.value.shape == domain && !has_product(part.task.value) &&
        !kernels_[i].flat_input.empty() && kernels_[i].flat_input != "t")
      return fmt::format("auto out = torch::empty_like({});", variable_of(kernels_[i].flat_input));
    return fmt::format("auto {} = torch::empty({}, {}.options(){});", part.output,
                       extents_text(part.task.value.shape, domain), lead(),
                       part.output == "out" ? "" : ".dtype(torch::kFloat32)");
  }

  void launch(std::size_t i) {
    const Part& part = parts_[i];
    const Kernel& kernel = kernels_[i];
    const std::string type = flaw_ == Flaw::FloatOnly ? "float" : "scalar_t";
    std::vector<std::string> arguments;
    for (const std::string& name : kernel.inputs) {
      const auto input = std::find_if(part.task.inputs.begin(), part.task.inputs.end(),
                                      [&](const TaskInput& one) { return one.name == name; });
      arguments.push_back(fmt::format("{}.data_ptr<{}>()", variable_of(name),
                                      input->dtype == temporary_dtype ? "float" : type));
    }
    arguments.push_back(fmt::format("{}.data_ptr<{}>()", part.output, part.output == "out" ? type : "float"));
    arguments.insert(arguments.end(), kernel.sizes.begin(), kernel.sizes.end());
    std::vector<std::string> configuration = {kernel.grid, kernel.block};
    if (style_.grid_variable && parts_.size() == 1) {
      const bool flat = kernel.block.find("dim3") == std::string::npos;
      body_.push_back(flat ? fmt::format("    int blocks = {};", kernel.grid)
                           : declared("grid", kernel.grid));
      if (!flat) body_.push_back(declared("block", kernel.block));
      configuration =
          flat ? std::vector<std::string>{"blocks", kernel.block} : std::vector<std::string>{"grid", "block"};
    }
    if (!kernel.shared.empty()) configuration.push_back(kernel.shared);
    const std::size_t before = launches_.size();
    launches_.push_back(fmt::format("{}{}<<<{}>>>({});", names_[i],
                                    flaw_ == Flaw::FloatOnly ? "" : "<scalar_t>", joined(configuration),
                                    joined(arguments)));
    if (cuda_style_.checks) launches_.emplace_back("C10_CUDA_KERNEL_LAUNCH_CHECK();");
    lines_of_last_ = launches_.size() - before;
  }

  /// Declares a variable for the dimensions `dim3(32, 8)`, or for one number.
  static std::string declared(const std::string& name, const std::string& dimensions) {
    return dimensions.starts_with("dim3") ? fmt::format("    dim3 {}{};", name, dimensions.substr(4))
                                          : fmt::format("    dim3 {}({});", name, dimensions);
  }

  const Task& task_;
  const std::vector<Part>& parts_;
  const std::vector<Kernel>& kernels_;
  const std::vector<std::string>& names_;
  const Style& style_;
  const CudaStyle& cuda_style_;
  Flaw flaw_;
  std::vector<std::string> body_, launches_;
  std::size_t lines_of_last_ = 0;
};

void break_text(std::vector<std::string>& lines, Flaw flaw, std::uint64_t placement) {
  if (flaw == Flaw::Syntax) {
    static constexpr std::array ends = {";", ")", ") {"};
    replace_in_some_line(lines, ends[placement % 3], placement % 3 == 2 ? " {" : "", placement / 3);
  }
  if (flaw == Flaw::UndefinedName) {
    static constexpr std::array slips = {std::pair{"out[", "output["},
                                         std::pair{"return out;", "return output;"},
                                         std::pair{"blockIdx.", "blockId."}};
    for (std::size_t i = 0; i < slips.size(); ++i) {
      const auto& [what, with] = slips[(placement + i) % slips.size()];
      if (replace_in_some_line(lines, what, with, placement / 3)) return;
    }
  }
}

/// Writes the Python module that builds the CUDA source and calls it.
std::string module(const Task& task, const std::vector<std::string>& lines, const std::string& signature,
                   Flaw flaw) {
  std::vector<std::string> names;
  for (const TaskInput& input : task.inputs) names.push_back(input.name);
  std::string text = "import torch\nfrom torch.utils.cpp_extension import load_inline\n\n";
  text += "source = \"\"\"\n#include <torch/extension.h>\n\n";
  for (const std::string& line : lines) text += line + "\n";
  text += fmt::format(
      "\"\"\"\next = load_inline(name=\"ext\", cpp_sources=\"{};\", cuda_sources=source, "
      "functions=[\"forward\"])\n\n",
      signature);
  text += fmt::format("class ModelNew(torch.nn.Module):\n    def forward(self, {}):\n", joined(names));
  if (flaw == Flaw::NeedlessCopy) text += fmt::format("        {0} = {0}.clone()\n", names.front());
  return text + fmt::format("        return ext.forward({})\n", joined(names));
}

}  // namespace
}  // namespace cuda

std::string cuda_answer(const Task& asked, const Style& drawn, Flaw flaw) {
  using namespace cuda;
  refuse_beyond(asked.value);
  const Task task = task_with(asked, drawn, flaw);
  Style style = drawn;
  if (flaw == Flaw::TinyBlocks) style.block = 16;
  const CudaStyle cuda_style = cuda_style_for(style, flaw);
  const std::vector<Part> parts = parts_of(task, style, flaw);
  const std::vector<std::string> names = kernel_names(parts, style);
  std::vector<cuda::Kernel> kernels;
  std::vector<cuda::Layout> layouts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    layouts.push_back(layout_of(parts[i], style, flaw));
    kernels.push_back(
        write_kernel(parts[i].task, names[i], parts[i].output != "out", layouts[i], style, cuda_style, flaw));
  }
  std::vector<std::string> lines = device_functions(kernels, layouts, cuda_style, flaw);
  for (const cuda::Kernel& kernel : kernels) {
    lines.insert(lines.end(), kernel.lines.begin(), kernel.lines.end());
    lines.emplace_back();
  }
  Wrapper wrapper(task, parts, kernels, names, style, cuda_style, flaw);
  const std::vector<std::string> function = wrapper.lines();
  lines.insert(lines.end(), function.begin(), function.end());
  break_text(lines, flaw, style.placement);
  return module(task, lines, wrapper.signature(), flaw);
}

}  // namespace trl::runtime
