#pragma once
// Modelled times of launches on a named GPU, for machines without one. The results are estimates and must be
// labelled as modelled wherever they are shown.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "verifier/executor/launch/report.hpp"

namespace trl::executor {

/// The model's parameters of a GPU. Times are in microseconds, rates per second.
struct GpuModel {
  std::string_view name;
  double dram_bytes;    ///< bandwidth to memory
  double l2_bytes;      ///< bandwidth to the L2 cache
  double vector_flops;  ///< f32 outside tensor cores
  double dot_flops;     ///< f32 dots that meet a tolerance of 1e-4, also computed outside tensor cores
  double start_us;      ///< once per forward, for all its launches
  double launch_us;     ///< per launch
  double program_us;    ///< per wave of programs
  double load_us;      ///< for each block that a program loads, when the loads come one after another as in a
                       ///< product's loop
  double dispatch_us;  ///< for starting a program on a multiprocessor
  int multiprocessors;
  int programs_each;  ///< number of programs that run on a multiprocessor at once
};

/// The parameters of a GPU by name. "H200" is the only one; empty for other names.
std::optional<GpuModel> gpu_model(std::string_view name);

/// Modelled microseconds of one launch from the executor's counters, without start_us.
double model_time_us(const Counters& launch, const GpuModel& gpu);

/// One operator of a task's reference, modelled as one launch that reads its inputs once and writes its
/// output once.
struct OperatorCost {
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t flops = 0;
  bool tensor = false;  ///< whether it is a matmul
};

/// The counters of a copy or fill by the framework: one launch that reads and writes this many bytes.
Counters framework_pass(std::uint64_t elements, std::uint64_t bytes_read, std::uint64_t bytes_written);

/// Modelled microseconds of the reference: start_us and the sum over its operators.
double model_reference_us(std::span<const OperatorCost> operators, const GpuModel& gpu);

}  // namespace trl::executor
