#include "runtime/train/peak_memory.hpp"

#include <ATen/Functions.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <fstream>
#include <string>

namespace trl::runtime {

PeakMemory::PeakMemory(const c10::Device& device) : device_(device) {
  if (device_.is_cpu()) {
    std::ofstream("/proc/self/clear_refs") << "5";  // VmHWM becomes the present size (proc(5))
  } else {
    at::empty({1}, at::TensorOptions(device_));  // the allocator only knows a device after its first use
    c10::getDeviceAllocator(device_.type())->resetPeakStats(device_.index());
  }
}

std::int64_t PeakMemory::bytes() const {
  if (!device_.is_cpu()) {
    const auto stats = c10::getDeviceAllocator(device_.type())->getDeviceStats(device_.index());
    return stats.allocated_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].peak;
  }
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name; status.ignore(4096, '\n')) {
    std::int64_t kibibytes = 0;
    if (name == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

}  // namespace trl::runtime
