// The options of the verification protocol (protocol.hpp) that a program can choose.
#pragma once

#include <array>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// The precision in which a candidate may compute. Each value allows more than the value before it.
enum class Precision {
  task,  ///< f32 within an operator, the task's dtype for the values between operators
  tf32,  ///< also factors of products rounded to TF32
  half,  ///< also any value rounded to f16 or bf16
};
template <>
struct Words<Precision> {
  static constexpr std::array<std::pair<Precision, const char*>, 3> list = {
      {{Precision::task, "task"}, {Precision::tf32, "tf32"}, {Precision::half, "half"}}};
};

/// The work that a candidate may leave to PyTorch instead of its own kernels.
enum class Framework {
  none,  ///< no work: for exams
  /// For training: PyTorch may also do work on the kernels' results, at most a quarter of the reference's
  /// work.
  epilogue,
};
template <>
struct Words<Framework> {
  static constexpr std::array<std::pair<Framework, const char*>, 2> list = {
      {{Framework::none, "none"}, {Framework::epilogue, "epilogue"}}};
};

/// Another project's protocol that judges the same answers, in addition to this project's protocol.
enum class OtherProtocol { none, kernelbench };
template <>
struct Words<OtherProtocol> {
  static constexpr std::array<std::pair<OtherProtocol, const char*>, 2> list = {
      {{OtherProtocol::none, "none"}, {OtherProtocol::kernelbench, "kernelbench"}}};
};

/// The second reference that is timed on a GPU, in addition to the reference run operation by operation
/// (eager): none, or the reference compiled by torch.compile.
enum class SecondBaseline { none, compiled };
template <>
struct Words<SecondBaseline> {
  static constexpr std::array<std::pair<SecondBaseline, const char*>, 2> list = {
      {{SecondBaseline::none, "none"}, {SecondBaseline::compiled, "compiled"}}};
};

}  // namespace trl::contract
