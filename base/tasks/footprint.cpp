#include "base/tasks/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/operators/dtype.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"

namespace trl::tasks {
namespace {

double elements_of(const Shape& shape, const Sizes& sizes) {
  double elements = 1;
  for (const Extent& extent : shape) elements *= static_cast<double>(extent.at(sizes));
  return elements;
}

double bytes_of_element(const std::string& dtype) {
  const auto* row = operators::dtype_called(dtype);
  if (row == nullptr) throw UserError("a tensor has the unknown dtype `" + dtype + "`");
  return row->bytes;
}

}  // namespace

std::string memory_text(double bytes) {
  constexpr double most = 1e18;  // more is no memory's size, and may exceed 64 bits
  return bytes_text(static_cast<std::uint64_t>(std::min(bytes, most)));
}

Footprint footprint_of(const Task& task) {
  constexpr double bytes_of_f64 = 8;
  const Sizes sizes(task.dims.begin(), task.dims.end());
  Footprint out;
  out.by_module = judged_by_module(task);
  const auto add = [&](double& bytes, const std::string& dtype, const Shape& shape) {
    const double elements = elements_of(shape, sizes);
    bytes += elements * bytes_of_element(dtype);
    out.reference += elements * bytes_of_f64;
  };
  for (const TaskInput& input : task.inputs) add(out.inputs, input.dtype, input.shape);
  for (const TaskResult& result : task.outputs()) add(out.outputs, result.dtype, result.shape);
  return out;
}

void Footprints::add(const std::string& name, const Footprint& footprint) {
  ++tasks_;
  if (footprint.executed()) return;
  by_module_ += footprint.by_module;
  gpu_.push_back(footprint.gpu());
  most_gpu_ = std::max(most_gpu_, footprint.gpu());
  if (footprint.buffers() <= most_buffers_) return;
  most_buffers_ = footprint.buffers();
  largest_ = name;
}

std::size_t Footprints::beyond(double bytes) const {
  return static_cast<std::size_t>(
      std::count_if(gpu_.begin(), gpu_.end(), [&](double needed) { return needed > bytes; }));
}

std::string Footprints::where_judged(bool cuda) const {
  const std::string how = cuda ? "kernels in CUDA are judged"
                          : by_module_ == gpu_.size()
                              ? "answers are judged by the tasks' modules alone,"
                              : "without a GPU answers are judged at smaller sizes and by a sample of "
                                "programs at their own, completely";
  const std::string modules =
      !cuda && by_module_ > 0 && by_module_ < gpu_.size()
          ? fmt::format("; answers to {} are judged by their modules, on a GPU alone", by_module_)
          : "";
  return fmt::format("{} by a GPU of at least {}; the largest is {}, with {} of inputs and outputs{}", how,
                     memory_text(most_gpu_), largest_, memory_text(most_buffers_), modules);
}

}  // namespace trl::tasks
