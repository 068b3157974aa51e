#pragma once
// A launch plan as C++ that others can read and build.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/verify/plan/plan.hpp"

namespace trl::runtime {

/// What a launch must know of a compiled kernel.
struct WrapperKernel {
  std::string name;
  std::uint32_t threads = 128;  ///< of a program
  std::uint32_t shared_bytes = 0;
  /// Pointers at the end of its parameters that no launch gives: Triton's global and profile scratch.
  int scratch_parameters = 2;
};

struct WrapperInput {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
};

/// What `struct Kernels` calls each of the kernels.
std::vector<std::string> wrapper_members(const std::vector<WrapperKernel>& kernels);

/// C++ that does what the plan does on PyTorch's tensors: checks the inputs, allocates, fills, copies, and
/// launches by cuLaunchKernelEx. It defines `struct Kernels`, which has each kernel with the types of its
/// parameters, and `at::Tensor forward(const Kernels&, const at::Tensor&…)`. `kernels` and `inputs` are in
/// the plan's order. A plan that launches one kernel with different types gives C++ that doesn't compile.
/// Throws std::invalid_argument for a plan with an error, or whose kernels and inputs aren't all there.
std::string launch_wrapper(const Plan& plan, const std::vector<WrapperKernel>& kernels,
                           const std::vector<WrapperInput>& inputs);

}  // namespace trl::runtime
