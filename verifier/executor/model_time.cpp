#include "verifier/executor/model_time.hpp"

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
constexpr GpuModel h200 = {"H200", 4.28e12, 5.24e12, 67e12, 33e12, 3.3, 1.45, 0.27, 0.13, 0.038, 132, 13};

double work_us(double dram, double l2, double vector_flops, double dot_flops, const GpuModel& gpu) {
  const double seconds = std::max({dram / gpu.dram_bytes, l2 / gpu.l2_bytes,
                                   vector_flops / gpu.vector_flops + dot_flops / gpu.dot_flops});
  return seconds * 1e6;
}

}  // namespace

std::optional<GpuModel> gpu_model(std::string_view name) {
  if (name == h200.name) return h200;
  return std::nullopt;
}

double model_time_us(const Counters& launch, const GpuModel& gpu) {
  if (launch.programs == 0) return static_cast<double>(launch.launches) * gpu.launch_us;
  const double first =
      static_cast<double>(launch.sectors_read_first + launch.sectors_written_first) * sector_bytes;
  const double all = static_cast<double>(launch.sectors_read + launch.sectors_written) * sector_bytes;
  const double work =
      work_us(first, all, static_cast<double>(launch.flops), static_cast<double>(launch.dot_flops), gpu);
  const auto programs = static_cast<double>(launch.programs);
  const double on_each = programs / gpu.multiprocessors;
  const double waves = std::ceil(on_each / gpu.programs_each);
  const double loads = static_cast<double>(launch.loads) / programs;
  // With too few programs some multiprocessors are idle, and the work takes proportionally longer.
  const double busy = std::min(on_each, 1.0);
  return static_cast<double>(launch.launches) * gpu.launch_us +
         waves * (gpu.program_us + loads * gpu.load_us) + std::max(work / busy, on_each * gpu.dispatch_us);
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
  return pass;
}

double model_reference_us(std::span<const OperatorCost> operators, const GpuModel& gpu) {
  double total = gpu.start_us;
  for (const OperatorCost& op : operators) {
    const double bytes = static_cast<double>(op.bytes_in + op.bytes_out);
    const auto flops = static_cast<double>(op.flops);
    total += gpu.launch_us + gpu.program_us + gpu.load_us +
             work_us(bytes, bytes, op.tensor ? 0 : flops, op.tensor ? flops : 0, gpu);
  }
  return total;
}

}  // namespace trl::executor
