// What declarations choose of the protocol by which candidates are examined (protocol.hpp).
#pragma once

#include <array>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// What a candidate may compute in.
enum class Precision {
  task,  ///< the task's dtype: f32 within operators, the dtype between them
  tf32,  ///< and factors of products rounded to TF32
  half,  ///< and any value rounded to f16 or bf16
};
template <>
struct Words<Precision> {
  static constexpr std::array<std::pair<Precision, const char*>, 3> list = {
      {{Precision::task, "task"}, {Precision::tf32, "tf32"}, {Precision::half, "half"}}};
};

/// What PyTorch may compute beside a candidate's kernels.
enum class Framework {
  none,      ///< nothing: exams
  epilogue,  ///< it may finish what kernels computed, for at most a quarter of the reference's work: training
};
template <>
struct Words<Framework> {
  static constexpr std::array<std::pair<Framework, const char*>, 2> list = {
      {{Framework::none, "none"}, {Framework::epilogue, "epilogue"}}};
};

/// A protocol that judges the same answers beside ours.
enum class OtherProtocol { none, kernelbench };
template <>
struct Words<OtherProtocol> {
  static constexpr std::array<std::pair<OtherProtocol, const char*>, 2> list = {
      {{OtherProtocol::none, "none"}, {OtherProtocol::kernelbench, "kernelbench"}}};
};

/// What correct answers are timed against on a GPU, beside the reference's eager operations.
enum class SecondBaseline { none, compiled };
template <>
struct Words<SecondBaseline> {
  static constexpr std::array<std::pair<SecondBaseline, const char*>, 2> list = {
      {{SecondBaseline::none, "none"}, {SecondBaseline::compiled, "compiled"}}};
};

}  // namespace trl::contract
