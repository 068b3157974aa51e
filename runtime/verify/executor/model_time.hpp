#pragma once
// Modelled time of launches on a named GPU, for machines without one. What comes out of here is a model and
// must be labelled so wherever it is shown.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/verify/executor/launch/report.hpp"

namespace trl::executor {

/// What the model knows of a GPU. Times in microseconds, rates a second.
struct GpuModel {
  std::string_view name;
  double dram_bytes;    ///< bandwidth to memory
  double l2_bytes;      ///< bandwidth to the L2 cache
  double vector_flops;  ///< f32 outside tensor cores
  double dot_flops;     ///< f32 dots that meet a tolerance of 1e-4, outside tensor cores too
  double start_us;      ///< once for all of a forward's launches
  double launch_us;     ///< each launch
  double program_us;    ///< each wave of programs
  double load_us;       ///< each block that a program loads, one after another as in a product's loop
  double dispatch_us;   ///< starting a program on a multiprocessor
  int multiprocessors;
  int programs_each;  ///< programs that a multiprocessor holds at once
};

/// "H200" is the one there is; empty for another name.
std::optional<GpuModel> gpu_model(std::string_view name);

/// Modelled microseconds of one launch from what the executor counted, without start_us.
double model_time_us(const Counters& launch, const GpuModel& gpu);

/// One operator of a task's reference, run as one pass: reads its inputs once, writes its output once, one
/// launch.
struct OperatorCost {
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t flops = 0;
  bool tensor = false;  ///< a matmul
};

/// What a copy or fill by the framework counts as: one launch that reads and writes so many bytes.
Counters framework_pass(std::uint64_t elements, std::uint64_t bytes_read, std::uint64_t bytes_written);

/// Modelled microseconds of the reference: start_us and the sum over its operators.
double model_reference_us(std::span<const OperatorCost> operators, const GpuModel& gpu);

}  // namespace trl::executor
