#include "base/tensors/made_on.hpp"

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/headeronly/version.h>

#include "base/support/machine.hpp"

namespace trl::runtime {
namespace {

/// Returns the name of a GPU, numbered as in CUDA_VISIBLE_DEVICES. The driver's library was loaded by
/// libtorch_cuda. It is asked directly, since libtorch's interface that works without CUDA's headers has no
/// names of GPUs.
std::string gpu_name(int index) {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return "unknown GPU";
  const auto start = reinterpret_cast<int (*)(unsigned flags)>(::dlsym(driver, "cuInit"));
  const auto device_get = reinterpret_cast<int (*)(int* device, int ordinal)>(::dlsym(driver, "cuDeviceGet"));
  const auto device_name =
      reinterpret_cast<int (*)(char* name, int size, int device)>(::dlsym(driver, "cuDeviceGetName"));
  int device = 0;
  char name[256] = {};
  if (!start || !device_get || !device_name || start(0) != 0 || device_get(&device, index) != 0 ||
      device_name(name, sizeof name, device) != 0)
    return "unknown GPU";
  return name;
}

}  // namespace

contract::MadeOn made_here(int threads) {
  contract::MadeOn made_on;
  made_on.cpu = cpu_model();
  made_on.capability = at::get_cpu_capability();
  made_on.loops = vector_level_name();
  made_on.threads = threads;
  made_on.versions = {{"libtorch", TORCH_VERSION}};
  return made_on;
}

void note_device(contract::MadeOn& made_on, const c10::Device& device) {
  if (!device.is_cuda()) return;
  made_on.device = gpu_name(device.index());
  made_on.driver = gpu_driver_version();
  made_on.cuda = cuda_version_text(at::detail::getCUDAHooks().versionCUDART());
}

}  // namespace trl::runtime
