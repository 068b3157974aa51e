#pragma once
// Modelled time of launches on a named GPU, for machines without one. What comes out of here is a model and
// must be labelled so wherever it is shown.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/verify/executor/executor.hpp"

namespace trl::executor {

/// What the model knows of a GPU. Times in microseconds, rates a second.
struct GpuModel {
  std::string_view name;
  double dram_bytes;    ///< bandwidth to memory
  double l2_bytes;      ///< bandwidth to the L2 cache
  double vector_flops;  ///< f32 outside tensor cores
  double tensor_flops;  ///< dots
  double launch_us;     ///< between the starts of two empty kernels in a stream
  double program_us;    ///< least time of a program, start to end
  int multiprocessors;
  int programs_each;  ///< programs that a multiprocessor holds at once
};

/// "H200" is the one there is; empty for another name.
std::optional<GpuModel> gpu_model(std::string_view name);

/// Modelled microseconds of one launch from what the executor counted.
double model_time_us(const Counters& launch, const GpuModel& gpu);

/// One operator of a task's reference, run as one pass: reads its inputs once, writes its output once, one
/// launch.
struct OperatorCost {
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t flops = 0;
  bool tensor = false;  ///< a matmul
};

/// Modelled microseconds of the reference: the sum over its operators.
double model_reference_us(std::span<const OperatorCost> operators, const GpuModel& gpu);

}  // namespace trl::executor
