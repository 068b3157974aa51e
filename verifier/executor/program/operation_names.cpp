#include "verifier/executor/program/operation_names.hpp"

#include <array>

namespace trl::executor {

std::string_view operation_name(Code code) {
  switch (code) {
    case Code::maximumf:
    case Code::maxnumf:
      return "maximum";
    case Code::minimumf:
    case Code::minnumf:
      return "minimum";
    case Code::powf:
      return "pow";
    case Code::atan2:
      return "atan2";
    case Code::copysign:
      return "copysign";
    case Code::nextafter:
      return "nextafter";
    case Code::remainder:
      return "remainder";
    case Code::rhypot:
      return "rhypot";
    case Code::fdim:
      return "fdim";
    case Code::hypot:
      return "hypot";
    case Code::fma:
      return "fma";
    case Code::clampf:
    case Code::clampf_nan:
      return "clamp";
    case Code::extf:
    case Code::truncf:
    case Code::truncf_rtz:
    case Code::sitofp:
    case Code::uitofp:
      return "cast";
    case Code::bitcast:
      return "bitcast";
    default:
      break;
  }
  // Must have the order of Code.
  constexpr std::array names = {"-",     "exp",   "exp2",  "exp10",   "log",        "log2",   "log10",
                                "log1p", "expm1", "sin",   "cos",     "tan",        "sinh",   "cosh",
                                "tanh",  "asin",  "acos",  "atan",    "asinh",      "acosh",  "atanh",
                                "sqrt",  "rsqrt", "cbrt",  "abs",     "erf",        "erfc",   "floor",
                                "ceil",  "trunc", "round", "rint",    "reciprocal", "logb",   "saturate",
                                "sinpi", "cospi", "rcbrt", "normcdf", "normcdfinv", "erfinv", "erfcinv",
                                "erfcx", "j0",    "j1",    "y0",      "y1",         "lgamma", "tgamma"};
  static_assert(static_cast<std::size_t>(Code::tgamma) - static_cast<std::size_t>(Code::negf) + 1 ==
                names.size());
  if (code < Code::negf || code > Code::tgamma) return "operation";
  return names[static_cast<std::size_t>(code) - static_cast<std::size_t>(Code::negf)];
}

std::string_view operation_sign(Code code) {
  switch (code) {
    case Code::addf:
      return "+";
    case Code::subf:
      return "-";
    case Code::mulf:
      return "*";
    case Code::divf:
      return "/";
    case Code::remf:
      return "%";
    default:
      return {};
  }
}

}  // namespace trl::executor
