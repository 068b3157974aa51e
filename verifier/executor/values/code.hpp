#pragma once
// The operations that the executor knows.
#include <cstdint>

namespace trl::executor {

// clang-format off
enum class Code : std::uint8_t {
  // element by element, two operands of one type: integers, then floats
  addi, subi, muli, divsi, divui, remsi, remui, floordivsi, ceildivsi, ceildivui, minsi, maxsi, minui, maxui,
  andi, ori, xori, shli, shrsi, shrui, mulhiui, mulhisi,
  addf, subf, mulf, divf, remf, maximumf, minimumf, maxnumf, minnumf, powf, atan2, copysign, nextafter, remainder, rhypot, fdim, hypot,
  // one operand
  absi, popcount, leading_zeros, reverse_bits, find_first,
  negf, exp, exp2, exp10, log, log2, log10, log1p, expm1, sin, cos, tan, sinh, cosh, tanh, asin, acos, atan, asinh, acosh, atanh,
  sqrt, rsqrt, cbrt, absf, erf, erfc, floor, ceil, trunc, round, rint, reciprocal,
  logb, saturate, sinpi, cospi, rcbrt, normcdf, normcdfinv, erfinv, erfcinv, erfcx, j0, j1, y0, y1, lgamma, tgamma,
  isnan, isinf, isfinite, signbit,
  // three operands
  fma, clampf, clampf_nan, select,
  // comparisons, one code per predicate
  cmpi_eq, cmpi_ne, cmpi_slt, cmpi_sle, cmpi_sgt, cmpi_sge, cmpi_ult, cmpi_ule, cmpi_ugt, cmpi_uge,
  cmpf_false, cmpf_oeq, cmpf_ogt, cmpf_oge, cmpf_olt, cmpf_ole, cmpf_one, cmpf_ord,
  cmpf_ueq, cmpf_ugt, cmpf_uge, cmpf_ult, cmpf_ule, cmpf_une, cmpf_uno, cmpf_true,
  library,  // a function of libdevice without a code of its own (values/library.def), with up to four operands
  // conversions
  extsi, extui, trunci, extf, truncf, truncf_rtz, sitofp, uitofp, fptosi, fptoui, bitcast, copy,
  addptr,
  // other operations of arith and tt
  constant, program_id, num_programs, make_range, splat, reshape, broadcast, trans, join, split, cat, gather, histogram,
  load, store, int_to_ptr, ptr_to_int, dot, dot_scaled, reduce, scan, map, atomic_rmw, atomic_cas, assertion, barrier, nothing,
  // control flow
  call, ret, if_, for_, while_, yield, condition, branch, branch_if,
};
// clang-format on

/// Whether an operation works element by element without side effects. The combining region of a reduction or
/// scan that consists only of such operations runs on whole blocks.
inline bool is_elementwise(Code code) { return code <= Code::addptr; }
inline bool is_division(Code code) { return code >= Code::divsi && code <= Code::ceildivui; }

}  // namespace trl::executor
