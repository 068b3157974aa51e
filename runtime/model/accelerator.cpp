#include "runtime/model/accelerator.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "base/support/error.hpp"

namespace trl::runtime {

namespace {

// libtorch looks for CUDA once and remembers the answer, so the library must be loaded before the first look.
std::string load_cuda() {
  static const std::string error = [] {
    const bool loaded = ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
    return loaded ? std::string() : std::string(::dlerror());
  }();
  return error;
}

}  // namespace

void load_cuda_where_there_is_a_gpu() {
  if (::access("/dev/nvidiactl", F_OK) == 0) load_cuda();
}

c10::Device open_device(const std::string& name) {
  c10::Device device(c10::kCPU);
  try {
    device = c10::Device(name);
  } catch (const c10::Error&) {
    throw UserError(fmt::format("the device `{}` is unknown", name), "use cpu, cuda or cuda:N");
  }
  if (device.is_cpu()) return device;
  if (!device.is_cuda())
    throw UserError(fmt::format("the device `{}` is not supported", name), "use cpu or cuda");
  if (const auto error = load_cuda(); !error.empty()) {
    throw UserError(fmt::format("no CUDA in this libtorch: {}", error),
                    "install a torch wheel with CUDA, or use --device cpu");
  }
  if (!at::hasCUDA() || at::detail::getCUDAHooks().deviceCount() == 0) {
    throw UserError("this machine has no usable NVIDIA GPU", "use --device cpu");
  }
  const auto index = device.has_index() ? device.index() : 0;
  if (index >= at::detail::getCUDAHooks().deviceCount()) {
    throw UserError(fmt::format("there is no GPU number {}", static_cast<int>(index)),
                    "GPUs are numbered from 0: use cuda for the first");
  }
  // cuDNN makes a new plan for each shape, and decoding has many shapes.
  at::globalContext().setSDPUseCuDNN(false);
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

c10::ScalarType compute_type(const c10::Device& device, const std::string& precision) {
  if (precision != "bf16" && precision != "f32") {
    throw UserError(fmt::format("the precision `{}` is not supported", precision), "use bf16 or f32");
  }
  return device.is_cuda() && precision == "bf16" ? at::kBFloat16 : at::kFloat;
}

}  // namespace trl::runtime
