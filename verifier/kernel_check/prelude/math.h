// Mathematical functions: C's for host and device, CUDA's for the device.
#pragma once

#define TRL_BOTH __attribute__((host, device))
#define TRL_DEVICE __attribute__((device))

#define TRL_UNARY(name)                     \
  extern "C" TRL_BOTH double name(double);  \
  extern "C" TRL_BOTH float name##f(float); \
  TRL_BOTH float name(float);               \
  namespace std {                           \
  using ::name;                             \
  using ::name##f;                          \
  }
#define TRL_BINARY(name)                           \
  extern "C" TRL_BOTH double name(double, double); \
  extern "C" TRL_BOTH float name##f(float, float); \
  TRL_BOTH float name(float, float);               \
  namespace std {                                  \
  using ::name;                                    \
  using ::name##f;                                 \
  }

TRL_UNARY(acos)
TRL_UNARY(acosh)
TRL_UNARY(asin)
TRL_UNARY(asinh)
TRL_UNARY(atan)
TRL_UNARY(atanh)
TRL_UNARY(cbrt)
TRL_UNARY(ceil)
TRL_UNARY(cos)
TRL_UNARY(cosh)
TRL_UNARY(erf)
TRL_UNARY(erfc)
TRL_UNARY(exp)
TRL_UNARY(exp2)
TRL_UNARY(expm1)
TRL_UNARY(fabs)
TRL_UNARY(floor)
TRL_UNARY(lgamma)
TRL_UNARY(log)
TRL_UNARY(log10)
TRL_UNARY(log1p)
TRL_UNARY(log2)
TRL_UNARY(nearbyint)
TRL_UNARY(rint)
TRL_UNARY(round)
TRL_UNARY(sin)
TRL_UNARY(sinh)
TRL_UNARY(sqrt)
TRL_UNARY(tan)
TRL_UNARY(tanh)
TRL_UNARY(tgamma)
TRL_UNARY(trunc)
TRL_BINARY(atan2)
TRL_BINARY(copysign)
TRL_BINARY(fdim)
TRL_BINARY(fmax)
TRL_BINARY(fmin)
TRL_BINARY(fmod)
TRL_BINARY(hypot)
TRL_BINARY(pow)
TRL_BINARY(remainder)
#undef TRL_UNARY
#undef TRL_BINARY

extern "C" {
TRL_BOTH double fma(double, double, double);
TRL_BOTH float fmaf(float, float, float);
TRL_BOTH double ldexp(double, int);
TRL_BOTH float ldexpf(float, int);
TRL_BOTH float frexpf(float, int*);
TRL_BOTH int abs(int);
TRL_BOTH long labs(long);
TRL_BOTH long long llabs(long long);
TRL_BOTH long lrintf(float);
TRL_BOTH long lroundf(float);
}
TRL_BOTH float fma(float, float, float);
TRL_BOTH long abs(long);
TRL_BOTH long long abs(long long);
TRL_BOTH float abs(float);
TRL_BOTH double abs(double);
TRL_BOTH float pow(float, int);
TRL_BOTH double pow(double, int);
TRL_BOTH bool isnan(float);
TRL_BOTH bool isnan(double);
TRL_BOTH bool isinf(float);
TRL_BOTH bool isinf(double);
TRL_BOTH bool isfinite(float);
TRL_BOTH bool isfinite(double);
TRL_BOTH bool signbit(float);
TRL_BOTH bool signbit(double);

// The function of an integer is that of the integer as a double.
#define TRL_OF_INTEGERS(f)                                          \
  template <class T>                                                \
  TRL_BOTH std::enable_if_t<std::is_integral_v<T>, double> f(T x) { \
    return f(static_cast<double>(x));                               \
  }                                                                 \
  namespace std {                                                   \
  using ::f;                                                        \
  }
TRL_OF_INTEGERS(ceil)
TRL_OF_INTEGERS(exp)
TRL_OF_INTEGERS(floor)
TRL_OF_INTEGERS(log)
TRL_OF_INTEGERS(log2)
TRL_OF_INTEGERS(sqrt)
#undef TRL_OF_INTEGERS

// Arguments of two types are converted to double.
#define TRL_MIXED(name)                                                                                     \
  template <class A, class B>                                                                               \
  TRL_BOTH                                                                                                  \
      std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>, double> \
      name(A a, B b) {                                                                                      \
    return name(static_cast<double>(a), static_cast<double>(b));                                            \
  }
TRL_MIXED(atan2)
TRL_MIXED(fmax)
TRL_MIXED(fmin)
TRL_MIXED(fmod)
TRL_MIXED(hypot)
TRL_MIXED(pow)
#undef TRL_MIXED

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::pow;
using ::signbit;
}  // namespace std

// CUDA's min and max for mixed integer types and for floats.
#define TRL_MIN_MAX(T)  \
  TRL_BOTH T min(T, T); \
  TRL_BOTH T max(T, T);
TRL_MIN_MAX(int)
TRL_MIN_MAX(unsigned int)
TRL_MIN_MAX(long)
TRL_MIN_MAX(unsigned long)
TRL_MIN_MAX(long long)
TRL_MIN_MAX(unsigned long long)
TRL_MIN_MAX(float)
TRL_MIN_MAX(double)
#undef TRL_MIN_MAX
TRL_BOTH unsigned int min(int, unsigned int);
TRL_BOTH unsigned int max(int, unsigned int);
TRL_BOTH unsigned int min(unsigned int, int);
TRL_BOTH unsigned int max(unsigned int, int);
TRL_BOTH long min(int, long);
TRL_BOTH long max(int, long);
TRL_BOTH long min(long, int);
TRL_BOTH long max(long, int);
TRL_BOTH double min(float, double);
TRL_BOTH double max(float, double);
TRL_BOTH double min(double, float);
TRL_BOTH double max(double, float);

extern "C" {
TRL_BOTH double rsqrt(double);
TRL_BOTH float rsqrtf(float);
TRL_BOTH float rcbrtf(float);
TRL_BOTH float exp10f(float);
TRL_BOTH float erfinvf(float);
TRL_BOTH float normcdff(float);
TRL_BOTH double normcdf(double);
TRL_BOTH float sinpif(float);
TRL_BOTH float cospif(float);
TRL_BOTH void sincosf(float, float*, float*);
TRL_BOTH void sincos(double, double*, double*);
TRL_BOTH float rhypotf(float, float);
TRL_DEVICE float __saturatef(float);
TRL_DEVICE float __expf(float);
TRL_DEVICE float __exp10f(float);
TRL_DEVICE float __logf(float);
TRL_DEVICE float __log2f(float);
TRL_DEVICE float __log10f(float);
TRL_DEVICE float __sinf(float);
TRL_DEVICE float __cosf(float);
TRL_DEVICE float __tanf(float);
TRL_DEVICE float __powf(float, float);
TRL_DEVICE float __fdividef(float, float);
TRL_DEVICE void __sincosf(float, float*, float*);
TRL_DEVICE float __frcp_rn(float);
TRL_DEVICE float __frsqrt_rn(float);
TRL_DEVICE float __fsqrt_rn(float);
TRL_DEVICE float __fmaf_rn(float, float, float);
TRL_DEVICE float __fadd_rn(float, float);
TRL_DEVICE float __fsub_rn(float, float);
TRL_DEVICE float __fmul_rn(float, float);
TRL_DEVICE float __fdiv_rn(float, float);
TRL_DEVICE double __fma_rn(double, double, double);
TRL_DEVICE double __dadd_rn(double, double);
TRL_DEVICE double __dmul_rn(double, double);
TRL_DEVICE int __float2int_rn(float);
TRL_DEVICE int __float2int_rz(float);
TRL_DEVICE int __float2int_rd(float);
TRL_DEVICE int __float2int_ru(float);
TRL_DEVICE unsigned int __float2uint_rn(float);
TRL_DEVICE float __int2float_rn(int);
TRL_DEVICE float __uint2float_rn(unsigned int);
TRL_DEVICE int __float_as_int(float);
TRL_DEVICE unsigned int __float_as_uint(float);
TRL_DEVICE float __int_as_float(int);
TRL_DEVICE float __uint_as_float(unsigned int);
TRL_DEVICE long long __double_as_longlong(double);
TRL_DEVICE double __longlong_as_double(long long);
TRL_DEVICE int __popc(unsigned int);
TRL_DEVICE int __popcll(unsigned long long);
TRL_DEVICE int __clz(int);
TRL_DEVICE int __clzll(long long);
TRL_DEVICE int __ffs(int);
TRL_DEVICE unsigned int __brev(unsigned int);
TRL_DEVICE unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
TRL_DEVICE int __mulhi(int, int);
TRL_DEVICE unsigned int __umulhi(unsigned int, unsigned int);
TRL_DEVICE unsigned long long __umul64hi(unsigned long long, unsigned long long);
TRL_DEVICE int __mul24(int, int);
TRL_DEVICE int __dp4a(int, int, int);
TRL_DEVICE int __vmaxs4(int, int);
TRL_DEVICE unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
TRL_DEVICE unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
}
TRL_BOTH float rsqrt(float);
