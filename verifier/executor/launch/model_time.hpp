#pragma once
// Models the time of launches on a named GPU, for machines without a GPU. The results are estimates and must
// be labelled as modelled wherever they are shown.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "verifier/executor/launch/report.hpp"

namespace trl::executor {

/// The model's parameters of a GPU. Times are in microseconds, rates per second.
struct GpuModel {
  std::string_view name;
  double dram_bytes;    ///< bandwidth to DRAM in bytes per second
  double l2_bytes;      ///< bandwidth to the L2 cache in bytes per second
  double vector_flops;  ///< f32 operations per second outside tensor cores
  /// f32 operations per second of dots that meet a tolerance of 1e-4, which don't use tensor cores.
  double dot_flops;
  double start_us;    ///< time per forward pass, independent of its number of launches
  double launch_us;   ///< time per launch
  double program_us;  ///< time per wave of programs (a wave runs at once on all multiprocessors)
  /// Time for each block that a program loads, when the loads come one after another as in a matmul's loop.
  double load_us;
  double dispatch_us;  ///< time to start a program on a multiprocessor
  int multiprocessors;
  int programs_each;  ///< number of programs that run on a multiprocessor at once
  double step_us;     ///< time from one arithmetic operation of a program to the next that needs its result
  double lanes;       ///< elements of arithmetic per second that are issued, floats or not
  double atomic_us;   ///< time between two atomics on one place in memory
};

/// Returns the parameters of the GPU with this name. Only "H200" is known; none for other names.
std::optional<GpuModel> gpu_model(std::string_view name);

/// Returns the modelled microseconds that one program takes with a multiprocessor of its own, without
/// program_us.
double model_program_us(const ProgramWork& program, const GpuModel& gpu);

/// Returns the modelled microseconds of one launch from the executor's counters, without start_us. A launch
/// takes at least as long as its slowest program, so programs that do nothing save no time.
double model_time_us(const Counters& launch, const GpuModel& gpu);

/// One launch of a task's reference by PyTorch, whose programs share the work evenly.
struct ReferenceLaunch {
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t flops = 0;
  bool tensor = false;  ///< whether it is a matrix product, whose flops are dot flops
};

/// Returns the counters of a copy or fill by the framework (PyTorch): one launch over `elements` elements
/// that reads and writes this many bytes.
Counters framework_pass(std::uint64_t elements, std::uint64_t bytes_read, std::uint64_t bytes_written);

/// Returns the modelled microseconds of a task's reference: start_us plus the sum over its launches.
double model_reference_us(std::span<const ReferenceLaunch> launches, const GpuModel& gpu);

}  // namespace trl::executor
