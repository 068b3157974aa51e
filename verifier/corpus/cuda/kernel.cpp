#include "verifier/corpus/cuda/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verifier/corpus/cuda/writer.hpp"

namespace trl::runtime::cuda {

Kernel Writer::write(const std::string& name) {
  switch (layout_) {
    case Layout::Flat:
      flat();
      break;
    case Layout::Tile:
      is_operator(task_.value, Form::Transpose) && cuda_style_.tiled ? tiled_transposition() : tile();
      break;
    case Layout::Product:
      cuda_style_.tiled ? tiled_product() : product();
      break;
    case Layout::Block:
    case Layout::Warp:
    case Layout::Thread:
      lines_of_matrix();
      break;
  }
  assemble(name);
  return std::move(kernel_);
}

void Writer::open(const std::string& head) {
  line(head + " {");
  indent_ += "    ";
}

void Writer::close() {
  indent_.resize(indent_.size() - 4);
  line("}");
}

void Writer::guard(const std::string& inside, const std::string& outside) {
  nested_ = false;
  if (!guarded_) return;
  nested_ = !cuda_style_.early_return;
  if (nested_)
    open(fmt::format("if ({})", inside));
  else
    line(fmt::format("if ({}) return;", outside));
}

void Writer::end_guard() {
  if (nested_) close();
}

void Writer::guard_element() {
  guard("row < M && col < N", "row >= M || col >= N");
  if (guarded_) need("M"), need("N");
}

std::string Writer::blocks(const std::string& size, int block) const {
  if (flaw_ == Flaw::FloorGrid) return fmt::format("{} / {}", size, block);
  return fmt::format("({} + {}) / {}", size, block - 1, block);
}

std::string Writer::type_of(const TaskInput& input) const {
  return input.dtype == temporary_dtype ? "float" : type_name();
}

std::string Writer::type_name() const {
  return flaw_ == Flaw::FloatOnly ? "float" : style_.long_names ? "scalar_t" : "T";
}

void Writer::assemble(const std::string& name) {
  if (flaw_ == Flaw::MissingLoad && !load_lines_.empty())
    body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(load_lines_.back()));
  const char* star = cuda_style_.restricted ? "* __restrict__ " : "* ";
  std::string parameters;
  for (const std::string& tensor : kernel_.inputs) {
    const auto input = std::find_if(task_.inputs.begin(), task_.inputs.end(),
                                    [&](const TaskInput& i) { return i.name == tensor; });
    parameters += fmt::format("const {}{}{}_ptr, ", type_of(*input), star, variable_of(tensor));
  }
  parameters += fmt::format("{}{}out", makes_temporary_ ? "float" : type_name(), star);
  for (const char* size : {"n", "M", "N", "K"})
    if (sizes_.contains(size)) {
      kernel_.sizes.emplace_back(size);
      parameters += fmt::format(", int {}", size);
    }
  if (flaw_ != Flaw::FloatOnly) kernel_.lines.push_back(fmt::format("template <typename {}>", type_name()));
  kernel_.lines.push_back(fmt::format("__global__ void {}({}) {{", name, parameters));
  kernel_.lines.insert(kernel_.lines.end(), body_.begin(), body_.end());
  kernel_.lines.emplace_back("}");
}

std::string variable_of(const std::string& input) {
  static const std::set<std::string> reserved = {
      "i",       "row",       "col",       "out",    "n",        "M",        "N",        "K",
      "k",       "k_x",       "k_y",       "first",  "line",     "tile",     "part",     "lane",
      "T",       "scalar_t",  "grid",      "ext",    "kernel",   "torch",    "at",       "std",
      "top",     "low",       "total",     "mean",   "norm",     "scale",    "spread",   "self",
      "auto",    "bool",      "break",     "case",   "char",     "class",    "const",    "continue",
      "default", "delete",    "do",        "double", "else",     "enum",     "explicit", "export",
      "extern",  "false",     "float",     "for",    "friend",   "goto",     "if",       "inline",
      "int",     "long",      "namespace", "new",    "operator", "private",  "public",   "register",
      "return",  "short",     "signed",    "sizeof", "static",   "struct",   "switch",   "template",
      "this",    "throw",     "true",      "try",    "typedef",  "typename", "union",    "unsigned",
      "using",   "v",         "virtual",   "void",   "volatile", "while",    "asm",      "catch",
      "mutable", "protected", "running"};
  return reserved.contains(input) ? "in_" + input : input;
}

Kernel write_kernel(const Task& task, const std::string& name, bool makes_temporary, Layout layout,
                    const Style& style, const CudaStyle& cuda_style, Flaw flaw) {
  return Writer(task, makes_temporary, layout, style, cuda_style, flaw).write(name);
}

}  // namespace trl::runtime::cuda
