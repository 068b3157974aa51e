#include "verifier/corpus/cuda/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trl::runtime::cuda {

std::vector<const TaskInput*> Writer::inputs_by_fours() const {
  const bool simple = guarded_ && flaw_ != Flaw::FloorGrid && flaw_ != Flaw::MissingLoad &&
                      flaw_ != Flaw::TinyBlocks && !confused();
  std::vector<const TaskInput*> inputs;
  std::vector<const Expression*> left = {&task_.value};
  while (cuda_style_.vectorised && simple && !left.empty()) {
    const Expression& node = *left.back();
    left.pop_back();
    for (const Expression& argument : node.args) left.push_back(&argument);
    if (node.kind != Expression::Kind::Input) continue;
    const TaskInput* input = &task_.inputs[node.input];
    if (spread_of(input->shape, domain_) != Spread::Full) return {};
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

void Writer::flat_by_fours(const std::vector<const TaskInput*>& inputs) {
  kernel_.takes_four = true;
  kernel_.threads = style_.block;
  kernel_.block = std::to_string(kernel_.threads);
  kernel_.grid = blocks("n", 4 * kernel_.threads);
  need("n");
  const std::string out_type = makes_temporary_ ? "float" : type_name();
  line("int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);");
  for (const TaskInput* input : inputs)
    line(fmt::format("Four<{}> {}_four;", type_of(*input), variable_of(input->name)));
  line(fmt::format("Four<{}> out_four;", out_type));
  open("if (i + 3 < n)");
  for (const TaskInput* input : inputs)
    line(fmt::format("{0}_four = reinterpret_cast<const Four<{1}>*>({0}_ptr)[i / 4];",
                     variable_of(input->name), type_of(*input)));
  indent_.resize(indent_.size() - 4);
  open("} else");
  open("for (int k = 0; i + k < n; ++k)");
  for (const TaskInput* input : inputs)
    line(fmt::format("{0}_four.v[k] = {0}_ptr[i + k];", variable_of(input->name)));
  close();
  close();
  open("for (int k = 0; k < 4; ++k)");
  enter(task_.value);
  const std::string value = element(task_.value);
  line(fmt::format("out_four.v[k] = {};", value));
  close();
  line(fmt::format("if (i + 3 < n) reinterpret_cast<Four<{}>*>(out)[i / 4] = out_four;", out_type));
  line("else for (int k = 0; i + k < n; ++k) out[i + k] = out_four.v[k];");
}

void Writer::flat() {
  if (const auto inputs = inputs_by_fours(); !inputs.empty()) return flat_by_fours(inputs);
  const int threads = kernel_.threads = style_.block;
  kernel_.block = std::to_string(threads);
  kernel_.grid = blocks("n", threads);
  need("n");
  const std::string first = "int i = blockIdx.x * blockDim.x + threadIdx.x";
  const bool strides = cuda_style_.grid_stride && guarded_ && flaw_ != Flaw::FloorGrid;
  if (strides) {
    kernel_.grid = fmt::format("std::min({}, 1056)", kernel_.grid);
    open(fmt::format("for ({}; i < n; i += gridDim.x * blockDim.x)", first));
  } else {
    line(first + ";");
    guard("i < n", "i >= n");
  }
  element_and_store("i");
  strides ? close() : end_guard();
}

void Writer::tile() {
  const int width = style_.tile, height = width == 16 ? 16 : width == 32 ? 8 : 4;
  launch_tiles(width, height);
  element_of_tile(width, height);
  guard_element();
  element_and_store(target());
  end_guard();
}

void Writer::element_of_tile(int width, int height) {
  line(fmt::format("int col = blockIdx.x * {} + threadIdx.x;", width));
  line(fmt::format("int row = blockIdx.y * {} + threadIdx.y;", height));
}

void Writer::launch_tiles(int width, int height) {
  kernel_.threads = width * height;
  kernel_.block = fmt::format("dim3({}, {})", width, height);
  kernel_.grid = fmt::format("dim3({}, {})", blocks("N", width), blocks("M", height));
}

void Writer::tiled_transposition() {
  const int width = side();
  launch_tiles(width, width);
  // One unused column more keeps the threads of a warp on different banks of shared memory.
  line(fmt::format("__shared__ float tile[{}][{}];", width,
                   flaw_ == Flaw::SharedSize ? width / 2 : width + 1));
  element_of_tile(width, width);
  const auto if_inside = [&] {
    if (guarded_) open("if (row < M && col < N)");
  };
  if_inside();
  enter(task_.value);
  const std::string value = element(task_.value);
  line(fmt::format("tile[threadIdx.y][threadIdx.x] = {};", value));
  if (guarded_) close();
  if (flaw_ != Flaw::MissingSync) line("__syncthreads();");
  line(fmt::format("col = blockIdx.x * {} + threadIdx.y;", width));
  line(fmt::format("row = blockIdx.y * {} + threadIdx.x;", width));
  if_inside();
  store(target(), "tile[threadIdx.x][threadIdx.y]");
  if (guarded_) close();
}

}  // namespace trl::runtime::cuda
