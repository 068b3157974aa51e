#pragma once
// Writes a launch plan as C++ source, which can be built without this project.
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// The properties of a compiled kernel that a launch needs.
struct WrapperKernel {
  std::string name;
  std::uint32_t threads = 128;  ///< number of threads of one program (block)
  std::uint32_t shared_bytes = 0;
  /// The number of trailing pointer parameters that plans don't pass: Triton's global and profile scratch
  /// memory.
  int scratch_parameters = 2;
};

struct WrapperInput {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
};

/// Returns the member names of the kernels in the generated `struct Kernels`.
std::vector<std::string> wrapper_members(const std::vector<WrapperKernel>& kernels);

/// Returns the parameter names of the inputs in the generated `forward`: distinct C++ names, whatever the
/// inputs are called.
std::vector<std::string> wrapper_inputs(const Plan& plan, const std::vector<WrapperInput>& inputs);

/// Returns somebody else's text for a comment of one line. Characters other than printable ASCII become
/// spaces, and so do backslashes, which could continue the line.
std::string comment_text(const std::string& text);

/// Returns the result type of the generated `forward`: "at::Tensor", or a vector of tensors if the plan has
/// several outputs.
std::string wrapper_result(const Plan& plan);

/// Returns C++ that carries out the plan on PyTorch tensors. It checks the inputs, allocates, fills and
/// copies tensors, and launches kernels by cuLaunchKernelEx. It defines `struct Kernels`, whose members are
/// the kernels with their parameter types, and `at::Tensor forward(const Kernels&, const at::Tensor&…)`.
/// `kernels` and `inputs` are in the plan's order. If the plan launches one kernel with different argument
/// types, the C++ doesn't compile. Throws std::invalid_argument for a plan with an error, or if kernels or
/// inputs of the plan are missing.
std::string launch_wrapper(const Plan& plan, const std::vector<WrapperKernel>& kernels,
                           const std::vector<WrapperInput>& inputs);

}  // namespace trl::runtime
