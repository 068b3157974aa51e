// What PyTorch's headers declare for kernels: 16-bit floats, macros and a few types. This text precedes a
// candidate's for the compiler of device code; it isn't parsed with the prelude.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace c10 {
#define TRL_BINARY(T, op)                                                                                \
  __device__ inline T operator op(const T& a, const T& b) {                                              \
    return static_cast<float>(a) op static_cast<float>(b);                                               \
  }                                                                                                      \
  __device__ inline float operator op(T a, float b) { return static_cast<float>(a) op b; }               \
  __device__ inline float operator op(float a, T b) { return a op static_cast<float>(b); }               \
  __device__ inline double operator op(T a, double b) { return static_cast<float>(a) op b; }             \
  __device__ inline double operator op(double a, T b) { return a op static_cast<float>(b); }             \
  __device__ inline T operator op(T a, int b) { return static_cast<float>(a) op static_cast<float>(b); } \
  __device__ inline T operator op(int a, T b) { return static_cast<float>(a) op static_cast<float>(b); } \
  __device__ inline T& operator op##=(T& a, const T& b) { return a = a op b; }                           \
  __device__ inline float& operator op##=(float& a, const T& b) { return a = a op b; }
#define TRL_COMPARE(T, op)                                                                                  \
  __device__ inline bool operator op(const T& a, const T& b) {                                              \
    return static_cast<float>(a) op static_cast<float>(b);                                                  \
  }                                                                                                         \
  __device__ inline bool operator op(T a, float b) { return static_cast<float>(a) op b; }                   \
  __device__ inline bool operator op(float a, T b) { return a op static_cast<float>(b); }                   \
  __device__ inline bool operator op(T a, int b) { return static_cast<float>(a) op static_cast<float>(b); } \
  __device__ inline bool operator op(int a, T b) { return a op static_cast<float>(b); }                     \
  __device__ inline bool operator op(T a, double b) { return static_cast<float>(a) op b; }                  \
  __device__ inline bool operator op(double a, T b) { return a op static_cast<float>(b); }
#define TRL_FLOAT16(T, Cuda, to, from, bits, value)              \
  struct alignas(2) T {                                          \
    unsigned short x;                                            \
    T() = default;                                               \
    __device__ T(float v) : x(bits(to(v))) {}                    \
    __device__ T(const Cuda& v) : x(bits(v)) {}                  \
    __device__ operator float() const { return from(value(x)); } \
    __device__ operator Cuda() const { return value(x); }        \
  };                                                             \
  TRL_BINARY(T, +)                                               \
  TRL_BINARY(T, -)                                               \
  TRL_BINARY(T, *)                                               \
  TRL_BINARY(T, /)                                               \
  TRL_COMPARE(T, <)                                              \
  TRL_COMPARE(T, <=)                                             \
  TRL_COMPARE(T, >)                                              \
  TRL_COMPARE(T, >=)                                             \
  TRL_COMPARE(T, ==)                                             \
  TRL_COMPARE(T, !=)                                             \
  __device__ inline T operator-(const T& a) { return -static_cast<float>(a); }
TRL_FLOAT16(Half, __half, __float2half, __half2float, __half_as_ushort, __ushort_as_half)
TRL_FLOAT16(BFloat16, __nv_bfloat16, __float2bfloat16, __bfloat162float, __bfloat16_as_ushort,
            __ushort_as_bfloat16)
#undef TRL_FLOAT16
#undef TRL_COMPARE
#undef TRL_BINARY
}  // namespace c10
#include <limits>
namespace std {
#define TRL_LIMITS(T, most, least, step)                                      \
  template <>                                                                 \
  struct numeric_limits<T> {                                                  \
    __device__ static T max() { return T(most); }                             \
    __device__ static T lowest() { return T(-(most)); }                       \
    __device__ static T min() { return T(least); }                            \
    __device__ static T epsilon() { return T(step); }                         \
    __device__ static T infinity() { return T(__int_as_float(0x7f800000)); }  \
    __device__ static T quiet_NaN() { return T(__int_as_float(0x7fffffff)); } \
  };
TRL_LIMITS(c10::Half, 65504.0f, 0x1p-14f, 0x1p-10f)
TRL_LIMITS(c10::BFloat16, 0x1.fep127f, 0x1p-126f, 0x1p-7f)
#undef TRL_LIMITS
}  // namespace std
namespace at {
using namespace c10;
template <typename T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<c10::Half> {
  using type = float;
};
template <>
struct OpMathType<c10::BFloat16> {
  using type = float;
};
template <typename T>
using opmath_type = typename OpMathType<T>::type;
template <typename T, bool cuda>
using acc_type = typename OpMathType<T>::type;
// Accessors with the same layout as the wrapper's: the pointer, sizes, strides.
template <typename T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <typename T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};
template <typename T, unsigned long N, template <typename> class Traits, typename Index>
struct TensorAccessor {
  typename Traits<T>::PtrType data_;
  const Index* sizes_;
  const Index* strides_;
  __device__ auto operator[](Index i) const {
    return TensorAccessor<T, N - 1, Traits, Index>{data_ + i * strides_[0], sizes_ + 1, strides_ + 1};
  }
  __device__ Index size(int i) const { return sizes_[i]; }
  __device__ Index stride(int i) const { return strides_[i]; }
  __device__ typename Traits<T>::PtrType data() const { return data_; }
};
template <typename T, template <typename> class Traits, typename Index>
struct TensorAccessor<T, 1, Traits, Index> {
  typename Traits<T>::PtrType data_;
  const Index* sizes_;
  const Index* strides_;
  __device__ T& operator[](Index i) const { return data_[i * strides_[0]]; }
  __device__ Index size(int i) const { return sizes_[i]; }
  __device__ Index stride(int i) const { return strides_[i]; }
  __device__ typename Traits<T>::PtrType data() const { return data_; }
};
template <typename T, unsigned long N, template <typename> class Traits = DefaultPtrTraits,
          typename Index = long>
struct GenericPackedTensorAccessor {
  T* data_;
  Index sizes_[N], strides_[N];
  __device__ decltype(auto) operator[](Index i) const {
    return TensorAccessor<T, N, Traits, Index>{data_, sizes_, strides_}[i];
  }
  __device__ Index size(int i) const { return sizes_[i]; }
  __device__ Index stride(int i) const { return strides_[i]; }
  __device__ T* data() const { return data_; }
};
template <typename T, unsigned long N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int>;
template <typename T, unsigned long N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, long>;
}  // namespace at
namespace torch {
using namespace at;
}
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_WARP_SIZE 32
#define C10_LAUNCH_BOUNDS_1 __launch_bounds__
#define C10_RESTRICT __restrict__
#define WARP_SHFL(v, lane) __shfl_sync(0xffffffff, v, lane)
#define WARP_SHFL_DOWN(v, delta) __shfl_down_sync(0xffffffff, v, delta)
#define WARP_SHFL_XOR(v, lanes) __shfl_xor_sync(0xffffffff, v, lanes)
#define CUDA_KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
template <typename T>
__device__ inline T gpuAtomicAdd(T* to, T value) {
  return atomicAdd(to, value);
}
