#pragma once
// Writes a launch plan as C++ that others can read and build.
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// The properties of a compiled kernel that a launch needs.
struct WrapperKernel {
  std::string name;
  std::uint32_t threads = 128;  ///< per program
  std::uint32_t shared_bytes = 0;
  /// Trailing pointer parameters that no launch passes: Triton's global and profile scratch memory.
  int scratch_parameters = 2;
};

struct WrapperInput {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
};

/// The names that `struct Kernels` gives to the kernels.
std::vector<std::string> wrapper_members(const std::vector<WrapperKernel>& kernels);

/// "at::Tensor", or a vector of them where forward returns several.
std::string wrapper_result(const Plan& plan);

/// Returns C++ that carries out the plan on PyTorch's tensors: it checks the inputs, allocates, fills,
/// copies, and launches by cuLaunchKernelEx. It defines `struct Kernels`, which has each kernel with its
/// parameter types, and `at::Tensor forward(const Kernels&, const at::Tensor&…)`. `kernels` and `inputs` are
/// in the plan's order. For a plan that launches one kernel with different types the C++ doesn't compile.
/// Throws std::invalid_argument for a plan with an error, or when kernels or inputs of the plan are missing.
std::string launch_wrapper(const Plan& plan, const std::vector<WrapperKernel>& kernels,
                           const std::vector<WrapperInput>& inputs);

}  // namespace trl::runtime
