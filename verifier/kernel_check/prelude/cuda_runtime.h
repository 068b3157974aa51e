// CUDA without its headers: qualifiers, builtin variables, vector types, barriers, shuffles, atomics,
// launches and the runtime calls that a wrapper may make. The recorder defines the host functions that are
// only declared here.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_INF (__builtin_inf())
#define CUDART_PI_F 3.141592654f
#define CUDART_VERSION 13000
#define CUDART_CB
#define CUDARTAPI

#define TRL_VECTOR(T, Base, Align)                                                             \
  struct T##1 {                                                                                \
    Base x;                                                                                    \
  };                                                                                           \
  struct __attribute__((aligned(2 * sizeof(Base)))) T##2 {                                     \
    Base x, y;                                                                                 \
  };                                                                                           \
  struct T##3 {                                                                                \
    Base x, y, z;                                                                              \
  };                                                                                           \
  struct __attribute__((aligned(Align))) T##4 {                                                \
    Base x, y, z, w;                                                                           \
  };                                                                                           \
  __host__ __device__ constexpr T##1 make_##T##1(Base x) { return {x}; }                       \
  __host__ __device__ constexpr T##2 make_##T##2(Base x, Base y) { return {x, y}; }            \
  __host__ __device__ constexpr T##3 make_##T##3(Base x, Base y, Base z) { return {x, y, z}; } \
  __host__ __device__ constexpr T##4 make_##T##4(Base x, Base y, Base z, Base w) { return {x, y, z, w}; }
TRL_VECTOR(char, signed char, 4)
TRL_VECTOR(uchar, unsigned char, 4)
TRL_VECTOR(short, short, 8)
TRL_VECTOR(ushort, unsigned short, 8)
TRL_VECTOR(int, int, 16)
TRL_VECTOR(uint, unsigned int, 16)
TRL_VECTOR(long, long, 16)
TRL_VECTOR(ulong, unsigned long, 16)
TRL_VECTOR(longlong, long long, 16)
TRL_VECTOR(ulonglong, unsigned long long, 16)
TRL_VECTOR(float, float, 16)
TRL_VECTOR(double, double, 16)
#undef TRL_VECTOR

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
extern __device__ const int warpSize;

// Barriers, votes, shuffles.
__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned int mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned int);
__device__ void __trap();
__device__ unsigned int __activemask();
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ long long clock64();
__device__ int clock();
template <class T>
__device__ T __shfl_sync(unsigned int mask, T value, int lane, int width = 32);
template <class T>
__device__ T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32);
template <class T>
__device__ T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32);
template <class T>
__device__ T __shfl_xor_sync(unsigned int mask, T value, int lanes, int width = 32);
__device__ unsigned int __reduce_add_sync(unsigned int, unsigned int);
__device__ int __reduce_add_sync(unsigned int, int);
__device__ unsigned int __reduce_max_sync(unsigned int, unsigned int);
__device__ int __reduce_max_sync(unsigned int, int);
__device__ unsigned int __reduce_min_sync(unsigned int, unsigned int);
__device__ int __reduce_min_sync(unsigned int, int);
template <class T>
__device__ unsigned int __match_any_sync(unsigned int, T);

// Loads and stores with a cache hint.
template <class T>
__device__ T __ldg(const T*);
template <class T>
__device__ T __ldcs(const T*);
template <class T>
__device__ T __ldca(const T*);
template <class T>
__device__ T __ldcg(const T*);
template <class T>
__device__ T __ldlu(const T*);
template <class T>
__device__ void __stcs(T*, T);
template <class T>
__device__ void __stcg(T*, T);
template <class T>
__device__ void __stwt(T*, T);
__device__ unsigned long __cvta_generic_to_shared(const void*);
__device__ unsigned long __cvta_generic_to_global(const void*);
__device__ void __pipeline_memcpy_async(void*, const void*, unsigned long, unsigned long = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(unsigned long);

#define TRL_ATOMIC(f)         \
  template <class T>          \
  __device__ T f(T*, T);      \
  template <class T, class U> \
  __device__ T f(T*, U);
TRL_ATOMIC(atomicAdd)
TRL_ATOMIC(atomicSub)
TRL_ATOMIC(atomicMax)
TRL_ATOMIC(atomicMin)
TRL_ATOMIC(atomicExch)
TRL_ATOMIC(atomicAnd)
TRL_ATOMIC(atomicOr)
TRL_ATOMIC(atomicXor)
TRL_ATOMIC(atomicInc)
TRL_ATOMIC(atomicAdd_block)
TRL_ATOMIC(gpuAtomicAdd)
#undef TRL_ATOMIC
template <class T, class U, class V>
__device__ T atomicCAS(T*, U, V);

// The runtime. Every call is recorded or refused; none reaches a device.
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };
/// Attributes of a device, with CUDA's numbers and an H200's values (driver_types.h of CUDA 12).
#define TRL_DEVICE_ATTRIBUTES(of)                                                                            \
  of(cudaDevAttrMaxThreadsPerBlock, 1, 1024) of(cudaDevAttrMaxBlockDimX, 2, 1024)                            \
      of(cudaDevAttrMaxBlockDimY, 3, 1024) of(cudaDevAttrMaxBlockDimZ, 4, 64)                                \
          of(cudaDevAttrMaxGridDimX, 5, 2147483647) of(cudaDevAttrMaxGridDimY, 6, 65535) of(                 \
              cudaDevAttrMaxGridDimZ, 7, 65535) of(cudaDevAttrMaxSharedMemoryPerBlock, 8, 49152)             \
              of(cudaDevAttrTotalConstantMemory, 9, 65536) of(cudaDevAttrWarpSize, 10, 32) of(               \
                  cudaDevAttrMaxRegistersPerBlock, 12, 65536) of(cudaDevAttrClockRate, 13, 1980000)          \
                  of(cudaDevAttrMultiProcessorCount, 16, 132) of(cudaDevAttrConcurrentKernels, 31, 1) of(    \
                      cudaDevAttrMemoryClockRate, 36, 3201000) of(cudaDevAttrGlobalMemoryBusWidth, 37, 6144) \
                      of(cudaDevAttrL2CacheSize, 38, 62914560)                                               \
                          of(cudaDevAttrMaxThreadsPerMultiProcessor, 39, 2048)                               \
                              of(cudaDevAttrComputeCapabilityMajor, 75, 9)                                   \
                                  of(cudaDevAttrComputeCapabilityMinor, 76, 0)                               \
                                      of(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, 233472)            \
                                          of(cudaDevAttrMaxRegistersPerMultiprocessor, 82, 65536)            \
                                              of(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, 232448)        \
                                                  of(cudaDevAttrMaxBlocksPerMultiprocessor, 106, 32)         \
                                                      of(cudaDevAttrReservedSharedMemoryPerBlock, 111, 1024)
enum cudaDeviceAttr {
#define TRL_ATTRIBUTE(name, number, value) name = number,
  TRL_DEVICE_ATTRIBUTES(TRL_ATTRIBUTE)
#undef TRL_ATTRIBUTE
};
struct CUstream_st;
typedef CUstream_st* cudaStream_t;
struct CUevent_st;
typedef CUevent_st* cudaEvent_t;
struct CUgraph_st;
typedef CUgraph_st* cudaGraph_t;
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], multiProcessorCount, major, minor;
  int maxThreadsPerMultiProcessor, l2CacheSize, regsPerBlock;
};
struct cudaLaunchAttribute;
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};

/// The source line of a launch; no type converts to it implicitly.
struct trl_Place {
  int line;
  constexpr explicit trl_Place(int line) : line(line) {}
};
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 trl_grid, dim3 trl_block, size_t trl_shared = 0,
                                         CUstream_st* trl_stream = 0,
                                         trl_Place trl_place = trl_Place(__builtin_LINE()));
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned int, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaStreamBeginCapture(cudaStream_t, int);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
}
template <class T>
cudaError_t cudaMalloc(T**, size_t);
template <class T>
cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t);
template <class T>
cudaError_t cudaMallocManaged(T**, size_t, unsigned int = 1);
template <class T>
cudaError_t cudaMallocHost(T**, size_t, unsigned int = 0);
template <class T>
cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t*, void (*kernel)(P...), A&&... arguments);
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute, int);
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, T* kernel, int, size_t);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*, T* kernel, size_t = 0, int = 0);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T&, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);

// Launches by the driver's API, which generated launch wrappers use.
enum CUresult { CUDA_SUCCESS = 0 };
typedef CUstream_st* CUstream;
typedef unsigned long long CUdeviceptr;
struct CUfunc_st;
typedef CUfunc_st* CUfunction;
struct CUlaunchAttribute;
struct CUlaunchConfig {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
};
extern "C" {
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void** parameters, void** extra);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                        unsigned int, unsigned int, CUstream, void** parameters, void** extra);
CUresult cuGetErrorString(CUresult, const char**);
CUresult cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream);
}
