#include "base/gpu/driver.hpp"

#include <dlfcn.h>

namespace trl::gpu {
namespace {

Driver load() {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("this machine has no CUDA driver (libcuda.so.1)");
  Driver out;
  // cuda.h defines functions as macros for their newest versions; the library has the expanded names.
#define TRL_TEXT_OF(name) #name
#define TRL_LOAD(name)                                                                  \
  out.name = reinterpret_cast<decltype(out.name)>(::dlsym(library, TRL_TEXT_OF(name))); \
  if (out.name == nullptr)                                                              \
    throw std::runtime_error(                                                           \
        "the CUDA driver is too old: it has no " TRL_TEXT_OF(name) "; 12.4 or later has");
  TRL_CUDA_FUNCTIONS(TRL_LOAD)
#undef TRL_LOAD
#undef TRL_TEXT_OF
  return out;
}

std::string text_of(CUresult code, const std::string& what) {
  const char *name = nullptr, *text = nullptr;
  driver().cuGetErrorName(code, &name);
  driver().cuGetErrorString(code, &text);
  return what + ": " + (name != nullptr ? name : "unknown error") +
         (text != nullptr ? std::string(": ") + text : "");
}

bool is_sticky(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return true;
    default:
      return false;
  }
}

}  // namespace

const Driver& driver() {
  static const Driver loaded = load();
  return loaded;
}

CudaError::CudaError(CUresult result, const std::string& what)
    : std::runtime_error(text_of(result, what)), code(result), sticky(is_sticky(result)) {}

void check(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) throw CudaError(result, what);
}

}  // namespace trl::gpu
