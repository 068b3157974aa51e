#include "verifier/executor/launch/model_time.hpp"

#include <algorithm>
#include <cmath>

namespace trl::executor {
namespace {

constexpr double sector_bytes = 32;

// The sources of the figures:
//   dram_bytes       4.28 TB/s, copy bandwidth measured on one H200 (data sheet: 4.8)
//   vector_flops     67 TFLOP/s, multiprocessors 132: data sheet
//   all others       fitted by tests/benchmarks/executor/fit_time.py to generated answers at three sizes
//   each, timed
//                    on an H200 as CUDA graphs with a cold L2; docs/decisions.md states the error
//   step_us, lanes   four cycles at 1.755 GHz, 128 lanes a multiprocessor and cycle: data sheet
//   atomic_us        one at a time at the L2 cache's clock: data sheet
constexpr GpuModel h200 = {"H200", 4.28e12, 5.24e12, 67e12, 33e12,   3.3,      1.45,  0.27,
                           0.13,   0.038,   132,     13,    0.00228, 29.65e12, 0.0006};

struct Traffic {
  double dram = 0, l2 = 0;  // bytes
};

double work_us(const Traffic& bytes, double vector_flops, double dot_flops, double lanes,
               const GpuModel& gpu) {
  return 1e6 * std::max({bytes.dram / gpu.dram_bytes, bytes.l2 / gpu.l2_bytes,
                         vector_flops / gpu.vector_flops + dot_flops / gpu.dot_flops, lanes / gpu.lanes});
}

/// The time for the operations that one program does one after another.
double chain_us(double loads, double steps, const GpuModel& gpu) {
  return std::max(loads * gpu.load_us, steps * gpu.step_us);
}

/// The time for a program's work on one multiprocessor, which has its share of the GPU's rates.
double alone_us(const ProgramWork& program, const GpuModel& gpu) {
  const Traffic bytes = {static_cast<double>(program.distinct) * sector_bytes,
                         static_cast<double>(program.sectors) * sector_bytes};
  return gpu.multiprocessors * work_us(bytes, static_cast<double>(program.flops),
                                       static_cast<double>(program.dot_flops),
                                       static_cast<double>(program.lanes), gpu);
}

}  // namespace

std::optional<GpuModel> gpu_model(std::string_view name) {
  if (name == h200.name) return h200;
  return std::nullopt;
}

double model_program_us(const ProgramWork& program, const GpuModel& gpu) {
  return chain_us(static_cast<double>(program.loads), static_cast<double>(program.steps), gpu) +
         alone_us(program, gpu);
}

double model_time_us(const Counters& launch, const GpuModel& gpu) {
  if (launch.programs == 0) return static_cast<double>(launch.launches) * gpu.launch_us;
  const ProgramWork all = work_of(launch);
  const Traffic bytes = {
      static_cast<double>(launch.sectors_read_first + launch.sectors_written_first) * sector_bytes,
      static_cast<double>(all.sectors) * sector_bytes};
  const double work = work_us(bytes, static_cast<double>(all.flops), static_cast<double>(all.dot_flops),
                              static_cast<double>(all.lanes), gpu);
  const double on_each = static_cast<double>(launch.programs) / gpu.multiprocessors;
  const double waves = std::ceil(on_each / gpu.programs_each);
  const double places = gpu.multiprocessors * gpu.programs_each;
  const double longest =
      chain_us(static_cast<double>(launch.most.loads), static_cast<double>(launch.most.steps), gpu);
  const double chains = chain_us(static_cast<double>(all.loads), static_cast<double>(all.steps), gpu);
  // All chains together are rounded up to whole waves of the longest chain.
  constexpr double rounding = 1e-3;
  const double chain =
      longest > 0 ? longest * std::max(1.0, std::ceil(chains / (places * longest) - rounding)) : 0;
  const double busy = std::max({work, alone_us(launch.most, gpu), on_each * gpu.dispatch_us,
                                static_cast<double>(launch.same_place) * gpu.atomic_us});
  return static_cast<double>(launch.launches) * gpu.launch_us + waves * gpu.program_us +
         std::max(chain + busy, static_cast<double>(launch.clock_ns) / 1000);
}

Counters framework_pass(std::uint64_t elements, std::uint64_t bytes_read, std::uint64_t bytes_written) {
  constexpr std::uint64_t elements_a_program = 1024;
  Counters pass;
  pass.launches = 1;
  pass.programs = (elements + elements_a_program - 1) / elements_a_program;
  pass.loads = bytes_read > 0 ? pass.programs : 0;
  pass.stores = pass.programs;
  pass.sectors_read = pass.sectors_read_first = (bytes_read + 31) / 32;
  pass.sectors_written = pass.sectors_written_first = (bytes_written + 31) / 32;
  pass.sectors_by_program = pass.sectors_read + pass.sectors_written;
  const std::uint64_t each = pass.sectors_by_program / std::max<std::uint64_t>(pass.programs, 1);
  pass.most = {.loads = bytes_read > 0 ? 1u : 0u, .sectors = each, .distinct = each};
  return pass;
}

double model_reference_us(std::span<const ReferenceLaunch> launches, const GpuModel& gpu) {
  double total = gpu.start_us;
  for (const ReferenceLaunch& launch : launches) {
    const auto bytes = static_cast<double>(launch.bytes_in + launch.bytes_out);
    const auto flops = static_cast<double>(launch.flops);
    total += gpu.launch_us + gpu.program_us + gpu.load_us +
             work_us({bytes, bytes}, launch.tensor ? 0 : flops, launch.tensor ? flops : 0, 0, gpu);
  }
  return total;
}

}  // namespace trl::executor
