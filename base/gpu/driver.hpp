// The CUDA driver, loaded when it is first used. Programs that use it can therefore be built on a machine
// without a GPU, and give a reason when they can't run there.
#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace trl::gpu {

// clang-format off
#define TRL_CUDA_FUNCTIONS(F) \
  F(cuInit) F(cuDriverGetVersion) F(cuDeviceGet) F(cuDeviceGetName) F(cuDeviceGetAttribute) F(cuDevicePrimaryCtxRetain) \
  F(cuCtxSetCurrent) F(cuGetErrorName) F(cuGetErrorString) F(cuModuleLoadData) F(cuModuleUnload) \
  F(cuModuleGetFunction) F(cuModuleGetGlobal) F(cuFuncGetParamInfo) F(cuFuncGetAttribute) F(cuFuncSetAttribute) \
  F(cuMemAlloc) F(cuMemFree) F(cuMemAllocHost) F(cuMemFreeHost) F(cuMemcpyHtoDAsync) \
  F(cuMemcpyDtoHAsync) F(cuMemcpyDtoDAsync) F(cuMemsetD8Async) F(cuStreamCreate) \
  F(cuStreamSynchronize) F(cuStreamBeginCapture) F(cuStreamEndCapture) F(cuGraphInstantiateWithFlags) \
  F(cuGraphLaunch) F(cuGraphExecDestroy) F(cuGraphDestroy) F(cuEventCreate) \
  F(cuEventRecord) F(cuEventElapsedTime) F(cuLaunchKernelEx) \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor) F(cuOccupancyMaxActiveClusters) F(cuStreamDestroy) F(cuMemGetInfo) F(cuCtxGetCurrent) \
  F(cuMemcpyDtoH) F(cuCtxGetDevice) F(cuIpcGetMemHandle)
// clang-format on

/// The driver's functions, with the names and types of cuda.h.
struct Driver {
#define TRL_DECLARE(name) decltype(&::name) name = nullptr;
  TRL_CUDA_FUNCTIONS(TRL_DECLARE)
#undef TRL_DECLARE
};

/// Loads libcuda.so.1 at the first call. Throws std::runtime_error, which names the missing part.
const Driver& driver();

/// A driver call that failed. After a sticky error, every further call in this process fails.
struct CudaError : std::runtime_error {
  CudaError(CUresult code, const std::string& what);
  CUresult code;
  bool sticky;
};

/// Throws CudaError unless the result is success.
void check(CUresult result, const char* what);

}  // namespace trl::gpu
