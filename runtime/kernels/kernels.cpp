#include "runtime/kernels/kernels.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "base/gpu/compiler.hpp"
#include "runtime/kernels/embedded.hpp"
#include "runtime/model/threads.hpp"

namespace trl::runtime {
namespace {

using gpu::check;
using gpu::driver;

// Returns the folder of torch's package. This program is linked to libtorch_cpu.so in the package's lib/.
std::filesystem::path torch_folder() {
  std::filesystem::path folder;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const std::filesystem::path library = info->dlpi_name;
        if (library.filename() != "libtorch_cpu.so") return 0;
        *static_cast<std::filesystem::path*>(found) = library.parent_path().parent_path();
        return 1;
      },
      &folder);
  return folder;
}

int global_of(CUmodule module, const char* name, int otherwise) {
  CUdeviceptr address = 0;
  std::size_t size = 0;
  if (driver().cuModuleGetGlobal(&address, &size, module, name) != CUDA_SUCCESS || size != sizeof(int))
    return otherwise;
  int value = 0;
  check(driver().cuMemcpyDtoH(&value, address, sizeof value), "reading a kernel's constants");
  return value;
}

int attribute(CUdevice_attribute which) {
  int value = 0;
  CUdevice device = 0;
  check(driver().cuCtxGetDevice(&device), "the current GPU");
  check(driver().cuDeviceGetAttribute(&value, which, device), "a property of the GPU");
  return value;
}

}  // namespace

const std::map<std::string, std::string>& device_texts() { return embedded(); }

std::string compile_device(const KernelSource& source, const std::string& architecture, std::string* log) {
  gpu::load_compiler(torch_folder());
  std::vector<std::string> options = {"--std=c++17", "-default-device"};
  if (log) options.emplace_back("--ptxas-options=-v");
  for (const auto& [name, value] : source.macros) options.push_back("-D" + name + "=" + value);
  const auto& texts = device_texts();
  std::map<std::string, std::string> headers;
  for (const auto& [name, text] : texts) {
    if (name.ends_with(".cuh")) headers[name] = text;
  }
  auto compiled = gpu::compile(source.file, texts.at(source.file), headers, architecture, options);
  if (log) *log = std::move(compiled.log);
  return std::move(compiled.cubin);
}

Gpu Gpu::here() {
  Gpu gpu;
  gpu.capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                   attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  gpu.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  gpu.shared_memory = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return gpu;
}

std::string Gpu::architecture() const {
  // Matrix products of four warps use instructions that only compute capability 9.0 has.
  return "sm_" + std::to_string(capability) + (capability == 90 ? "a" : "");
}

Kernel::Kernel(CUmodule module, const char* name, int threads) {
  check(driver().cuModuleGetFunction(&function_, module, name), name);
  threads_ = threads > 0 ? threads : global_of(module, "threads", 0);
  if (threads_ <= 0) throw std::logic_error(std::string(name) + " doesn't say how many threads a block has");
  shared_bytes_ = global_of(module, "shared_bytes", 0);
  if (shared_bytes_ > 0) {
    check(driver().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      shared_bytes_),
          "shared memory of a kernel");
  }
}

void Kernel::launch_with(CUstream stream, const Grid& grid, const void* parameters) const {
  std::array<CUlaunchAttribute, 2> attributes{};
  CUlaunchConfig config{};
  if (grid.cluster > 1) {
    auto& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {static_cast<unsigned>(grid.cluster), 1, 1};
  }
  if (grid.early) {
    auto& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  config.gridDimX = static_cast<unsigned>(grid.x);
  config.gridDimY = static_cast<unsigned>(grid.y);
  config.gridDimZ = static_cast<unsigned>(grid.z);
  config.blockDimX = static_cast<unsigned>(threads_);
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(shared_bytes_);
  config.hStream = stream;
  config.attrs = attributes.data();
  void* pointers[] = {const_cast<void*>(parameters)};
  check(driver().cuLaunchKernelEx(&config, function_, pointers, nullptr), "launching a kernel");
}

int Kernel::blocks_at_once() const {
  int blocks = 0;
  check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, threads_,
                                                             static_cast<std::size_t>(shared_bytes_)),
        "how many blocks fit");
  return blocks;
}

int Kernel::clusters_at_once(int blocks) const {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(blocks);
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = static_cast<unsigned>(threads_);
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(shared_bytes_);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  check(driver().cuOccupancyMaxActiveClusters(&clusters, function_, &config), "how many clusters fit");
  return clusters;
}

Modules& Modules::shared() {
  static Modules modules;
  return modules;
}

void Modules::prepare(const std::vector<KernelSource>& sources) {
  std::vector<KernelSource> missing;
  for (const auto& source : sources) {
    if (!loaded_.contains(source) && std::find(missing.begin(), missing.end(), source) == missing.end())
      missing.push_back(source);
  }
  if (missing.empty()) return;
  const auto architecture = Gpu::here().architecture();
  std::vector<std::string> machine_code(missing.size());
  parallel(missing.size(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())),
           [&](std::size_t i) { machine_code[i] = compile_device(missing[i], architecture); });
  for (std::size_t i = 0; i < missing.size(); ++i) {
    CUmodule module = nullptr;
    check(driver().cuModuleLoadData(&module, machine_code[i].data()), "loading a kernel");
    loaded_[missing[i]] = module;
  }
}

CUmodule Modules::module(const KernelSource& source) {
  prepare({source});
  return loaded_.at(source);
}

}  // namespace trl::runtime
