// Functions of floats, rounded as <cmath> does.
#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/floats.hpp"
#include "verifier/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

TRL_UNARY(Exp, std::exp(a))
TRL_UNARY(Exp2, std::exp2(a))
TRL_UNARY(Exp10, std::pow(T(10), a))
TRL_UNARY(Log, std::log(a))
TRL_UNARY(Log2, std::log2(a))
TRL_UNARY(Log10, std::log10(a))
TRL_UNARY(Log1p, std::log1p(a))
TRL_UNARY(Expm1, std::expm1(a))
TRL_UNARY(Sin, std::sin(a))
TRL_UNARY(Cos, std::cos(a))
TRL_UNARY(Tan, std::tan(a))
TRL_UNARY(Sinh, std::sinh(a))
TRL_UNARY(Cosh, std::cosh(a))
TRL_UNARY(Tanh, std::tanh(a))
TRL_UNARY(Asin, std::asin(a))
TRL_UNARY(Acos, std::acos(a))
TRL_UNARY(Atan, std::atan(a))
TRL_UNARY(Asinh, std::asinh(a))
TRL_UNARY(Acosh, std::acosh(a))
TRL_UNARY(Atanh, std::atanh(a))
TRL_UNARY(Sqrt, std::sqrt(a))
TRL_UNARY(Rsqrt, T(1) / std::sqrt(a))
TRL_UNARY(Cbrt, std::cbrt(a))
TRL_UNARY(Erf, std::erf(a))
TRL_UNARY(Erfc, std::erfc(a))
TRL_UNARY(LGamma, std::lgamma(a))
TRL_UNARY(TGamma, std::tgamma(a))
TRL_UNARY(Logb, std::logb(a))
TRL_UNARY(Rcbrt, T(1) / std::cbrt(a))
TRL_UNARY(J0, static_cast<T>(::j0(a)))
TRL_UNARY(J1, static_cast<T>(::j1(a)))
TRL_UNARY(Y0, static_cast<T>(::y0(a)))
TRL_UNARY(Y1, static_cast<T>(::y1(a)))
// Negative numbers and NaN give 0, as with PTX's saturation.
TRL_UNARY(Saturate, a > 0 ? (a < 1 ? a : T(1)) : T(0))

constexpr double pi = 3.14159265358979323846, root_2 = 1.41421356237309504880,
                 root_pi = 1.77245385090551602730;
// Exact at multiples of a quarter turn.
TRL_UNARY(SinPi, static_cast<T>([](double x) {
            const double r = std::fmod(x, 2.0), f = std::fabs(r);
            if (f == 0.0 || f == 1.0) return std::copysign(0.0, x);
            return f == 0.5 || f == 1.5 ? (f == 0.5) == (r > 0) ? 1.0 : -1.0 : std::sin(pi * r);
          }(a)))
TRL_UNARY(CosPi, static_cast<T>([](double x) {
            const double f = std::fabs(std::fmod(x, 2.0));
            return f == 0.5 || f == 1.5 ? 0.0 : std::cos(pi * f);
          }(a)))
TRL_UNARY(NormCdf, static_cast<T>(0.5 * std::erfc(-static_cast<double>(a) / root_2)))
TRL_UNARY(Erfcx, static_cast<T>([](double x) {
            return x < 25 ? std::exp(x * x) * std::erfc(x) : (1 - 0.5 / (x * x)) / (x * root_pi);
          }(a)))

/// Finds x with erfc(x) = y by Newton's method, from a guess that is right to three digits (Winitzki's).
static double erfc_inverse(double y) {
  if (!(y > 0 && y < 2)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return y == 0 ? infinity : y == 2 ? -infinity : std::numeric_limits<double>::quiet_NaN();
  }
  const double tail = std::log(y * (2 - y)), half = 2 / (pi * 0.147) + tail / 2;
  double x = std::sqrt(std::sqrt(half * half - tail / 0.147) - half);
  if (y > 1) x = -x;
  for (int round = 0; round < 4; ++round) {
    const double slope = 2 / root_pi * std::exp(-x * x);
    if (slope > 0) x += (std::erfc(x) - y) / slope;
  }
  return x;
}
TRL_UNARY(ErfInv, static_cast<T>(a == 0 ? double(a) : erfc_inverse(1 - static_cast<double>(a))))
TRL_UNARY(ErfcInv, static_cast<T>(erfc_inverse(static_cast<double>(a))))
TRL_UNARY(NormCdfInv, static_cast<T>(-root_2* erfc_inverse(2 * static_cast<double>(a))))
TRL_BINARY(NextAfter, std::nextafter(a, b))
TRL_BINARY(Remainder, std::remainder(a, b))
TRL_BINARY(RHypot, T(1) / std::hypot(a, b))
TRL_BINARY(Pow, std::pow(a, b))
TRL_BINARY(Atan2, std::atan2(a, b))
TRL_BINARY(Hypot, std::hypot(a, b))

}  // namespace

Kernel math_kernel(Code code, Scalar from) {
  switch (code) {
    case Code::powf:
      return float_binary<Pow>(from);
    case Code::atan2:
      return float_binary<Atan2>(from);
    case Code::hypot:
      return float_binary<Hypot>(from);
    case Code::nextafter:
      return float_binary<NextAfter>(from);
    case Code::remainder:
      return float_binary<Remainder>(from);
    case Code::rhypot:
      return float_binary<RHypot>(from);
    case Code::logb:
      return float_unary<Logb>(from);
    case Code::saturate:
      return float_unary<Saturate>(from);
    case Code::sinpi:
      return float_unary<SinPi>(from);
    case Code::cospi:
      return float_unary<CosPi>(from);
    case Code::rcbrt:
      return float_unary<Rcbrt>(from);
    case Code::normcdf:
      return float_unary<NormCdf>(from);
    case Code::normcdfinv:
      return float_unary<NormCdfInv>(from);
    case Code::erfinv:
      return float_unary<ErfInv>(from);
    case Code::erfcinv:
      return float_unary<ErfcInv>(from);
    case Code::erfcx:
      return float_unary<Erfcx>(from);
    case Code::j0:
      return float_unary<J0>(from);
    case Code::j1:
      return float_unary<J1>(from);
    case Code::y0:
      return float_unary<Y0>(from);
    case Code::y1:
      return float_unary<Y1>(from);
    case Code::exp:
      return float_unary<Exp>(from);
    case Code::exp2:
      return float_unary<Exp2>(from);
    case Code::exp10:
      return float_unary<Exp10>(from);
    case Code::log:
      return float_unary<Log>(from);
    case Code::log2:
      return float_unary<Log2>(from);
    case Code::log10:
      return float_unary<Log10>(from);
    case Code::log1p:
      return float_unary<Log1p>(from);
    case Code::expm1:
      return float_unary<Expm1>(from);
    case Code::sin:
      return float_unary<Sin>(from);
    case Code::cos:
      return float_unary<Cos>(from);
    case Code::tan:
      return float_unary<Tan>(from);
    case Code::sinh:
      return float_unary<Sinh>(from);
    case Code::cosh:
      return float_unary<Cosh>(from);
    case Code::tanh:
      return float_unary<Tanh>(from);
    case Code::asin:
      return float_unary<Asin>(from);
    case Code::acos:
      return float_unary<Acos>(from);
    case Code::atan:
      return float_unary<Atan>(from);
    case Code::asinh:
      return float_unary<Asinh>(from);
    case Code::acosh:
      return float_unary<Acosh>(from);
    case Code::atanh:
      return float_unary<Atanh>(from);
    case Code::sqrt:
      return float_unary<Sqrt>(from);
    case Code::rsqrt:
      return float_unary<Rsqrt>(from);
    case Code::cbrt:
      return float_unary<Cbrt>(from);
    case Code::erf:
      return float_unary<Erf>(from);
    case Code::erfc:
      return float_unary<Erfc>(from);
    case Code::lgamma:
      return float_unary<LGamma>(from);
    case Code::tgamma:
      return float_unary<TGamma>(from);
    default:
      return nullptr;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
