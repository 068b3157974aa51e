#include "runtime/verify/executor/model_time.hpp"

#include <algorithm>
#include <cmath>

namespace trl::executor {
namespace {

constexpr double sector_bytes = 32;

// Where each figure comes from:
//   dram_bytes     4.28 TB/s, copy bandwidth measured on one H200 (data sheet: 4.8)
//   l2_bytes       assumed 2.5 times that
//   vector_flops   67 TFLOP/s, data sheet (f32)
//   tensor_flops   the same 67: an f32 dot that meets 1e-4 runs as ieee, outside the tensor cores
//   launch_us      2.2, assumed distance of back-to-back launches
//   program_us     1.0, assumed: one round trip to memory and back, and the program's start
//   multiprocessors 132, data sheet; programs_each 8, assumed for kernels of 4 warps
constexpr GpuModel h200 = {"H200", 4.28e12, 1.07e13, 67e12, 67e12, 2.2, 1.0, 132, 8};

double work_us(double dram, double l2, double vector_flops, double tensor_flops, const GpuModel& gpu) {
  const double seconds = std::max({dram / gpu.dram_bytes, l2 / gpu.l2_bytes,
                                   vector_flops / gpu.vector_flops + tensor_flops / gpu.tensor_flops});
  return seconds * 1e6;
}

}  // namespace

std::optional<GpuModel> gpu_model(std::string_view name) {
  if (name == h200.name) return h200;
  return std::nullopt;
}

double model_time_us(const Counters& launch, const GpuModel& gpu) {
  const double first =
      static_cast<double>(launch.sectors_read_first + launch.sectors_written_first) * sector_bytes;
  const double all = static_cast<double>(launch.sectors_read + launch.sectors_written) * sector_bytes;
  const double work =
      work_us(first, all, static_cast<double>(launch.flops), static_cast<double>(launch.dot_flops), gpu);
  const double at_once = static_cast<double>(gpu.multiprocessors) * gpu.programs_each;
  const double waves = std::ceil(static_cast<double>(launch.programs) / at_once);
  // Too few programs leave multiprocessors idle: the work then takes longer in proportion.
  const double busy =
      std::clamp(static_cast<double>(launch.programs) / gpu.multiprocessors, 1.0 / gpu.multiprocessors, 1.0);
  return static_cast<double>(launch.launches) * gpu.launch_us + waves * gpu.program_us + work / busy;
}

double model_reference_us(std::span<const OperatorCost> operators, const GpuModel& gpu) {
  double total = 0;
  for (const OperatorCost& op : operators) {
    const double bytes = static_cast<double>(op.bytes_in + op.bytes_out);
    const auto flops = static_cast<double>(op.flops);
    total += gpu.launch_us + gpu.program_us +
             work_us(bytes, bytes, op.tensor ? 0 : flops, op.tensor ? flops : 0, gpu);
  }
  return total;
}

}  // namespace trl::executor
