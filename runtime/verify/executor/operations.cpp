// How each operation is written. A new one is a line in forms(), and a form of its own if none here fits.
#include <charconv>
#include <cstring>

#include "runtime/verify/executor/half.hpp"
#include "runtime/verify/executor/parser.hpp"

namespace trl::executor {
namespace {

std::size_t operand_count(Code code) {
  if (code >= Code::absi && code <= Code::signbit) return 1;
  if (code == Code::fma) return 3;
  return 2;
}

/// libdevice functions by name, without the `__nv_` before and the `f` behind.
const std::unordered_map<std::string_view, Code>& library() {
  static const std::unordered_map<std::string_view, Code> functions = {{"exp", Code::exp},
                                                                       {"exp2", Code::exp2},
                                                                       {"exp10", Code::exp10},
                                                                       {"expm1", Code::expm1},
                                                                       {"log", Code::log},
                                                                       {"log2", Code::log2},
                                                                       {"log10", Code::log10},
                                                                       {"log1p", Code::log1p},
                                                                       {"sin", Code::sin},
                                                                       {"cos", Code::cos},
                                                                       {"tan", Code::tan},
                                                                       {"sinh", Code::sinh},
                                                                       {"cosh", Code::cosh},
                                                                       {"tanh", Code::tanh},
                                                                       {"asin", Code::asin},
                                                                       {"acos", Code::acos},
                                                                       {"atan", Code::atan},
                                                                       {"asinh", Code::asinh},
                                                                       {"acosh", Code::acosh},
                                                                       {"atanh", Code::atanh},
                                                                       {"sqrt", Code::sqrt},
                                                                       {"rsqrt", Code::rsqrt},
                                                                       {"cbrt", Code::cbrt},
                                                                       {"fabs", Code::absf},
                                                                       {"erf", Code::erf},
                                                                       {"erfc", Code::erfc},
                                                                       {"floor", Code::floor},
                                                                       {"ceil", Code::ceil},
                                                                       {"trunc", Code::trunc},
                                                                       {"round", Code::round},
                                                                       {"rint", Code::rint},
                                                                       {"nearbyint", Code::rint},
                                                                       {"lgamma", Code::lgamma},
                                                                       {"tgamma", Code::tgamma},
                                                                       {"pow", Code::powf},
                                                                       {"fmod", Code::remf},
                                                                       {"atan2", Code::atan2},
                                                                       {"copysign", Code::copysign},
                                                                       {"fdim", Code::fdim},
                                                                       {"hypot", Code::hypot},
                                                                       {"fmax", Code::maxnumf},
                                                                       {"fmin", Code::minnumf},
                                                                       {"fma", Code::fma},
                                                                       {"isnan", Code::isnan},
                                                                       {"isnand", Code::isnan},
                                                                       {"isinf", Code::isinf},
                                                                       {"isinfd", Code::isinf},
                                                                       {"finite", Code::isfinite},
                                                                       {"isfinited", Code::isfinite},
                                                                       {"signbit", Code::signbit},
                                                                       {"signbitd", Code::signbit},
                                                                       {"abs", Code::absi},
                                                                       {"llabs", Code::absi},
                                                                       {"popc", Code::popcount},
                                                                       {"popcll", Code::popcount},
                                                                       {"clz", Code::leading_zeros},
                                                                       {"clzll", Code::leading_zeros},
                                                                       {"mulhi", Code::nothing},
                                                                       {"umulhi", Code::mulhiui},
                                                                       {"umul64hi", Code::mulhiui},
                                                                       {"fast_exp", Code::exp},
                                                                       {"fast_exp10", Code::exp10},
                                                                       {"fast_log", Code::log},
                                                                       {"fast_log2", Code::log2},
                                                                       {"fast_log10", Code::log10},
                                                                       {"fast_sin", Code::sin},
                                                                       {"fast_cos", Code::cos},
                                                                       {"fast_tan", Code::tan},
                                                                       {"fast_tanh", Code::tanh},
                                                                       {"fast_pow", Code::powf},
                                                                       {"fast_fdivide", Code::divf},
                                                                       {"fdiv_rn", Code::divf},
                                                                       {"ddiv_rn", Code::divf},
                                                                       {"fadd_rn", Code::addf},
                                                                       {"dadd_rn", Code::addf},
                                                                       {"fsub_rn", Code::subf},
                                                                       {"dsub_rn", Code::subf},
                                                                       {"fmul_rn", Code::mulf},
                                                                       {"dmul_rn", Code::mulf},
                                                                       {"fsqrt_rn", Code::sqrt},
                                                                       {"dsqrt_rn", Code::sqrt},
                                                                       {"frsqrt_rn", Code::rsqrt},
                                                                       {"frcp_rn", Code::reciprocal},
                                                                       {"drcp_rn", Code::reciprocal},
                                                                       {"fmaf_rn", Code::fma},
                                                                       {"fma_rn", Code::fma}};
  return functions;
}

}  // namespace

const std::unordered_map<std::string_view, std::pair<Code, Parser::Form>>& Parser::forms() {
  static const std::unordered_map<std::string_view, std::pair<Code, Form>> table = {
      {"arith.addi", {Code::addi, &Parser::same}},
      {"arith.subi", {Code::subi, &Parser::same}},
      {"arith.muli", {Code::muli, &Parser::same}},
      {"arith.divsi", {Code::divsi, &Parser::same}},
      {"arith.divui", {Code::divui, &Parser::same}},
      {"arith.remsi", {Code::remsi, &Parser::same}},
      {"arith.remui", {Code::remui, &Parser::same}},
      {"arith.floordivsi", {Code::floordivsi, &Parser::same}},
      {"arith.ceildivsi", {Code::ceildivsi, &Parser::same}},
      {"arith.ceildivui", {Code::ceildivui, &Parser::same}},
      {"arith.minsi", {Code::minsi, &Parser::same}},
      {"arith.maxsi", {Code::maxsi, &Parser::same}},
      {"arith.minui", {Code::minui, &Parser::same}},
      {"arith.maxui", {Code::maxui, &Parser::same}},
      {"arith.andi", {Code::andi, &Parser::same}},
      {"arith.ori", {Code::ori, &Parser::same}},
      {"arith.xori", {Code::xori, &Parser::same}},
      {"arith.shli", {Code::shli, &Parser::same}},
      {"arith.shrsi", {Code::shrsi, &Parser::same}},
      {"arith.shrui", {Code::shrui, &Parser::same}},
      {"tt.mulhiui", {Code::mulhiui, &Parser::same}},
      {"arith.addf", {Code::addf, &Parser::same}},
      {"arith.subf", {Code::subf, &Parser::same}},
      {"arith.mulf", {Code::mulf, &Parser::same}},
      {"arith.divf", {Code::divf, &Parser::same}},
      {"tt.precise_divf", {Code::divf, &Parser::same}},
      {"arith.remf", {Code::remf, &Parser::same}},
      {"arith.maximumf", {Code::maximumf, &Parser::same}},
      {"arith.minimumf", {Code::minimumf, &Parser::same}},
      {"arith.maxnumf", {Code::maxnumf, &Parser::same}},
      {"arith.minnumf", {Code::minnumf, &Parser::same}},
      {"math.powf", {Code::powf, &Parser::same}},
      {"math.atan2", {Code::atan2, &Parser::same}},
      {"math.copysign", {Code::copysign, &Parser::same}},
      {"math.absi", {Code::absi, &Parser::same}},
      {"math.ctpop", {Code::popcount, &Parser::same}},
      {"math.ctlz", {Code::leading_zeros, &Parser::same}},
      {"arith.negf", {Code::negf, &Parser::same}},
      {"math.exp", {Code::exp, &Parser::same}},
      {"math.exp2", {Code::exp2, &Parser::same}},
      {"math.expm1", {Code::expm1, &Parser::same}},
      {"math.log", {Code::log, &Parser::same}},
      {"math.log2", {Code::log2, &Parser::same}},
      {"math.log10", {Code::log10, &Parser::same}},
      {"math.log1p", {Code::log1p, &Parser::same}},
      {"math.sin", {Code::sin, &Parser::same}},
      {"math.cos", {Code::cos, &Parser::same}},
      {"math.tan", {Code::tan, &Parser::same}},
      {"math.sinh", {Code::sinh, &Parser::same}},
      {"math.cosh", {Code::cosh, &Parser::same}},
      {"math.tanh", {Code::tanh, &Parser::same}},
      {"math.asin", {Code::asin, &Parser::same}},
      {"math.acos", {Code::acos, &Parser::same}},
      {"math.atan", {Code::atan, &Parser::same}},
      {"math.asinh", {Code::asinh, &Parser::same}},
      {"math.acosh", {Code::acosh, &Parser::same}},
      {"math.atanh", {Code::atanh, &Parser::same}},
      {"math.sqrt", {Code::sqrt, &Parser::same}},
      {"tt.precise_sqrt", {Code::sqrt, &Parser::same}},
      {"math.rsqrt", {Code::rsqrt, &Parser::same}},
      {"math.cbrt", {Code::cbrt, &Parser::same}},
      {"math.absf", {Code::absf, &Parser::same}},
      {"math.erf", {Code::erf, &Parser::same}},
      {"math.erfc", {Code::erfc, &Parser::same}},
      {"math.floor", {Code::floor, &Parser::same}},
      {"math.ceil", {Code::ceil, &Parser::same}},
      {"math.trunc", {Code::trunc, &Parser::same}},
      {"math.round", {Code::round, &Parser::same}},
      {"math.roundeven", {Code::rint, &Parser::same}},
      {"math.fma", {Code::fma, &Parser::same}},
      {"tt.clampf", {Code::clampf, &Parser::clamp}},
      {"arith.select", {Code::select, &Parser::select}},
      {"arith.cmpi", {Code::cmpi_eq, &Parser::compare}},
      {"arith.cmpf", {Code::cmpf_false, &Parser::compare}},
      {"arith.extsi", {Code::extsi, &Parser::cast}},
      {"arith.extui", {Code::extui, &Parser::cast}},
      {"arith.trunci", {Code::trunci, &Parser::cast}},
      {"arith.extf", {Code::extf, &Parser::cast}},
      {"arith.truncf", {Code::truncf, &Parser::cast}},
      {"arith.sitofp", {Code::sitofp, &Parser::cast}},
      {"arith.uitofp", {Code::uitofp, &Parser::cast}},
      {"arith.fptosi", {Code::fptosi, &Parser::cast}},
      {"arith.fptoui", {Code::fptoui, &Parser::cast}},
      {"arith.bitcast", {Code::bitcast, &Parser::cast}},
      {"tt.bitcast", {Code::bitcast, &Parser::cast}},
      {"tt.fp_to_fp", {Code::extf, &Parser::fp_to_fp}},
      {"arith.index_cast", {Code::extsi, &Parser::index_cast}},
      {"arith.index_castui", {Code::extui, &Parser::index_cast}},
      {"tt.extern_elementwise", {Code::copy, &Parser::external}},
      {"arith.constant", {Code::constant, &Parser::constant}},
      {"ub.poison", {Code::constant, &Parser::poison}},
      {"tt.get_program_id", {Code::program_id, &Parser::grid}},
      {"tt.get_num_programs", {Code::num_programs, &Parser::grid}},
      {"tt.make_range", {Code::make_range, &Parser::make_range}},
      {"tt.splat", {Code::splat, &Parser::reshaping}},
      {"tt.unsplat", {Code::reshape, &Parser::reshaping}},
      {"tt.reshape", {Code::reshape, &Parser::reshaping}},
      {"tt.broadcast", {Code::broadcast, &Parser::reshaping}},
      {"tt.expand_dims", {Code::reshape, &Parser::expand_dims}},
      {"tt.trans", {Code::trans, &Parser::trans}},
      {"tt.join", {Code::join, &Parser::join}},
      {"tt.cat", {Code::cat, &Parser::join}},
      {"tt.split", {Code::split, &Parser::split}},
      {"tt.gather", {Code::gather, &Parser::gather}},
      {"tt.histogram", {Code::histogram, &Parser::histogram}},
      {"tt.addptr", {Code::addptr, &Parser::addptr}},
      {"tt.load", {Code::load, &Parser::load}},
      {"tt.store", {Code::store, &Parser::store}},
      {"tt.dot", {Code::dot, &Parser::dot}},
      {"tt.reduce", {Code::reduce, &Parser::along_axis}},
      {"tt.scan", {Code::scan, &Parser::along_axis}},
      {"tt.atomic_rmw", {Code::atomic_rmw, &Parser::atomic_rmw}},
      {"tt.atomic_cas", {Code::atomic_cas, &Parser::atomic_cas}},
      {"tt.assert", {Code::assertion, &Parser::assertion}},
      {"tt.print", {Code::nothing, &Parser::print}},
      {"gpu.barrier", {Code::nothing, &Parser::barrier}},
      {"ttg.barrier", {Code::nothing, &Parser::barrier}},
      {"llvm.intr.assume", {Code::nothing, &Parser::assume}},
      {"tt.ptr_to_int", {Code::nothing, &Parser::refuse_pointer}},
      {"tt.int_to_ptr", {Code::nothing, &Parser::refuse_pointer}},
      {"tt.call", {Code::call, &Parser::call}},
      {"tt.return", {Code::ret, &Parser::yield}},
      {"tt.reduce.return", {Code::yield, &Parser::yield}},
      {"tt.scan.return", {Code::yield, &Parser::yield}},
      {"scf.yield", {Code::yield, &Parser::yield}},
      {"scf.condition", {Code::condition, &Parser::condition}},
      {"cf.br", {Code::branch, &Parser::branch}},
      {"cf.cond_br", {Code::branch_if, &Parser::branch_if}},
      {"scf.if", {Code::if_, &Parser::if_}},
      {"scf.for", {Code::for_, &Parser::for_}},
      {"scf.while", {Code::while_, &Parser::while_}}};
  return table;
}

void Parser::elementwise(ir::Operation& op, Code code, Scalar from, Scalar to) {
  op.code = code;
  op.scalar = from;
  op.kernel = kernels().elementwise(code, from, to);
  if (op.kernel == nullptr) {
    const std::string on = from == to ? std::string(name(from)) : std::string(name(from)) + " to " + name(to);
    lexer_.fail("this operation isn't supported on " + on + " by the executor", operation_at_);
  }
}

/// `%a, %b : T`
Parser::Types Parser::same(ir::Operation& op, Code code) {
  operands(op, operand_count(code));
  skip_flags();
  attributes();
  lexer_.expect(":");
  const Type result = type();
  for (const int operand : op.operands) require_type(operand, result);
  elementwise(op, code, result.scalar, result.scalar);
  return {result};
}

/// `slt, %a, %b : T`
Parser::Types Parser::compare(ir::Operation& op, Code code) {
  static const std::unordered_map<std::string_view, Code> integer = {
      {"eq", Code::cmpi_eq},   {"ne", Code::cmpi_ne},   {"slt", Code::cmpi_slt}, {"sle", Code::cmpi_sle},
      {"sgt", Code::cmpi_sgt}, {"sge", Code::cmpi_sge}, {"ult", Code::cmpi_ult}, {"ule", Code::cmpi_ule},
      {"ugt", Code::cmpi_ugt}, {"uge", Code::cmpi_uge}};
  static const std::unordered_map<std::string_view, Code> real = {
      {"false", Code::cmpf_false}, {"oeq", Code::cmpf_oeq}, {"ogt", Code::cmpf_ogt},
      {"oge", Code::cmpf_oge},     {"olt", Code::cmpf_olt}, {"ole", Code::cmpf_ole},
      {"one", Code::cmpf_one},     {"ord", Code::cmpf_ord}, {"ueq", Code::cmpf_ueq},
      {"ugt", Code::cmpf_ugt},     {"uge", Code::cmpf_uge}, {"ult", Code::cmpf_ult},
      {"ule", Code::cmpf_ule},     {"une", Code::cmpf_une}, {"uno", Code::cmpf_uno},
      {"true", Code::cmpf_true}};
  const auto& predicates = code == Code::cmpi_eq ? integer : real;
  const Token predicate = lexer_.next();
  const auto found = predicates.find(predicate.text);
  if (found == predicates.end()) lexer_.fail("unknown comparison", predicate.at);
  lexer_.expect(",");
  operands(op, 2);
  skip_flags();
  attributes();
  lexer_.expect(":");
  const Type compared = type();
  for (const int operand : op.operands) require_type(operand, compared);
  elementwise(op, found->second, compared.scalar, Scalar::i1);
  return {compared.with(Scalar::i1)};
}

/// `%a : T to U` or `%a : T -> U`
Parser::Types Parser::cast(ir::Operation& op, Code code) {
  operands(op, 1);
  skip_flags();
  if (lexer_.accept("toward_zero")) {
    require(code == Code::truncf, "a rounding mode isn't expected here");
    code = Code::truncf_rtz;
  } else {
    lexer_.accept("to_nearest_even");
  }
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  if (!lexer_.accept("->")) lexer_.expect("to");
  const Type to = type();
  require(from.tensor == to.tensor && from.shape == to.shape, "a conversion must keep the shape");
  const int wider = bits(to.scalar) - bits(from.scalar);
  if (code == Code::extsi || code == Code::extui) require(wider > 0, "an extension must be to a wider type");
  if (code == Code::trunci) require(wider < 0, "a truncation must be to a narrower type");
  elementwise(op, code, from.scalar, to.scalar);
  return {to};
}

/// `%a, rounding = rtne : T -> U`
Parser::Types Parser::fp_to_fp(ir::Operation& op, Code) {
  operands(op, 1);
  bool towards_zero = false;
  if (lexer_.accept(",")) {
    lexer_.expect("rounding");
    lexer_.expect("=");
    const Token mode = lexer_.next();
    if (mode.text != "rtne" && mode.text != "rtz") lexer_.fail("unknown rounding mode", mode.at);
    towards_zero = mode.text == "rtz";
  }
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.tensor == to.tensor && from.shape == to.shape, "a conversion must keep the shape");
  require(is_float(from.scalar) && is_float(to.scalar), "fp_to_fp is between float types");
  elementwise(op, towards_zero ? Code::truncf_rtz : Code::truncf, from.scalar, to.scalar);
  return {to};
}

Parser::Types Parser::index_cast(ir::Operation& op, Code code) {
  operands(op, 1);
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("to");
  const Type to = type();
  require(from.tensor == to.tensor && from.shape == to.shape, "a conversion must keep the shape");
  require(is_integer(from.scalar) && is_integer(to.scalar), "index_cast is between integer types");
  const int wider = bits(to.scalar) - bits(from.scalar);
  elementwise(op, wider > 0 ? code : wider < 0 ? Code::trunci : Code::copy, from.scalar, to.scalar);
  return {to};
}

/// `%c, %a, %b : T` with a scalar condition, or `: C, T`
Parser::Types Parser::select(ir::Operation& op, Code code) {
  operands(op, 3);
  attributes();
  lexer_.expect(":");
  Type chosen = type();
  Type condition;
  condition.scalar = Scalar::i1;
  if (lexer_.accept(",")) {
    condition = chosen;
    chosen = type();
    require(condition == chosen.with(Scalar::i1) || !condition.tensor,
            "the condition doesn't fit the values");
  }
  require(condition.scalar == Scalar::i1, "a condition must be i1");
  require_type(op.operands[0], condition);
  require_type(op.operands[1], chosen);
  require_type(op.operands[2], chosen);
  elementwise(op, code, chosen.scalar, chosen.scalar);
  return {chosen};
}

/// `%x, %low, %high, propagateNan = none : T`
Parser::Types Parser::clamp(ir::Operation& op, Code code) {
  operands(op, 3);
  lexer_.expect(",");
  lexer_.expect("propagateNan");
  lexer_.expect("=");
  if (lexer_.next().text == "all") code = Code::clampf_nan;
  attributes();
  lexer_.expect(":");
  const Type result = type();
  for (const int operand : op.operands) require_type(operand, result);
  elementwise(op, code, result.scalar, result.scalar);
  return {result};
}

/// `%a, %b {symbol = "__nv_powf", …} : (T, T) -> U`
Parser::Types Parser::external(ir::Operation& op, Code) {
  op.operands = operand_list();
  std::string_view symbol;
  for (const auto& [key, attribute] : attributes()) {
    if (key == "symbol") symbol = attribute.text;
  }
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type to = type();
  const std::string refused =
      "the library function " + std::string(symbol.substr(0, 80)) + " isn't supported by the executor";
  std::string_view stem = symbol.starts_with("__nv_") ? symbol.substr(5) : std::string_view();
  auto found = library().find(stem);
  if (found == library().end() && stem.ends_with('f'))
    found = library().find(stem.substr(0, stem.size() - 1));
  if (found == library().end()) lexer_.fail(refused, operation_at_);
  const Code code = found->second;
  require(from.size() == op.operands.size() && !from.empty(),
          "the library call's types don't fit its operands");
  for (std::size_t i = 0; i < from.size(); ++i) {
    require_type(op.operands[i], from[i]);
    require(from[i] == from[0], "the library call's operands differ in type");
  }
  const bool tests = code >= Code::isnan && code <= Code::signbit;
  const Type expected = tests ? from[0].with(Scalar::i32) : from[0];
  if (code == Code::nothing || from.size() != operand_count(code) || to != expected) {
    lexer_.fail(refused, operation_at_);
  }
  elementwise(op, code, from[0].scalar, to.scalar);
  return {to};
}

// ---- constants and ranges ----

void Parser::element(const Token& token, Scalar scalar, std::vector<std::byte>& out) {
  const auto put = [&out](auto value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
  };
  if (is_integer(scalar)) {
    std::int64_t value = token.integer;
    if (token.kind == TokenKind::name && (token.text == "true" || token.text == "false")) {
      value = token.text == "true" ? 1 : 0;
    } else if (token.kind != TokenKind::integer) {
      lexer_.fail("expected a whole number", token.at);
    }
    switch (scalar) {
      case Scalar::i1:
        put(static_cast<std::uint8_t>(value & 1));
        return;
      case Scalar::i8:
        put(static_cast<std::int8_t>(value));
        return;
      case Scalar::i16:
        put(static_cast<std::int16_t>(value));
        return;
      case Scalar::i32:
        put(static_cast<std::int32_t>(value));
        return;
      default:
        put(value);
        return;
    }
  }
  if (!is_float(scalar)) lexer_.fail("a constant of this type isn't supported by the executor", token.at);
  if (token.kind == TokenKind::integer && token.hexadecimal) {
    const auto pattern = static_cast<std::uint64_t>(token.integer);
    switch (scalar) {
      case Scalar::f16:
        put(half::from_f16_bits(static_cast<std::uint16_t>(pattern)));
        return;
      case Scalar::bf16:
        put(half::from_bf16_bits(static_cast<std::uint16_t>(pattern)));
        return;
      case Scalar::f32:
        put(static_cast<std::uint32_t>(pattern));
        return;
      default:
        put(pattern);
        return;
    }
  }
  if (token.kind != TokenKind::real && token.kind != TokenKind::integer)
    lexer_.fail("expected a number", token.at);
  double wide = 0;
  float narrow = 0;
  const char* const begin = token.text.data();
  const char* const end = begin + token.text.size();
  // Out of range leaves 0, which MLIR never writes: it has hexadecimal for what decimals can't say.
  std::from_chars(begin, end, wide);
  std::from_chars(begin, end, narrow);
  switch (scalar) {
    case Scalar::f16:
      put(half::round_f16(narrow));
      return;
    case Scalar::bf16:
      put(half::round_bf16(narrow));
      return;
    case Scalar::f32:
      put(narrow);
      return;
    default:
      put(wide);
      return;
  }
}

/// `dense<1.0>`, `dense<[[1, 2], [3, 4]]>`: what stands between the angles. op.number is the number of
/// elements stored.
void Parser::elements(ir::Operation& op, const Type& type) {
  if (!lexer_.at("[")) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::text)
      lexer_.fail("packed constants aren't supported by the executor", token.at);
    element(token, type.scalar, op.payload);
    op.number = 1;
    return;
  }
  std::int64_t count = 0;
  int open = 0;
  do {
    if (lexer_.accept("[")) {
      if (++open > 24) lexer_.fail("a constant is nested too deeply");
    } else if (lexer_.accept("]")) {
      --open;
    } else if (!lexer_.accept(",")) {
      if (++count > type.count()) lexer_.fail("a constant has too many elements");
      element(lexer_.next(), type.scalar, op.payload);
    }
  } while (open > 0);
  if (count != type.count()) lexer_.fail("a constant has too few elements");
  op.number = count;
}

Parser::Types Parser::constant(ir::Operation& op, Code) {
  attributes();
  if (!lexer_.accept("dense")) {
    const Token token = lexer_.next();
    Type result;
    if (token.kind == TokenKind::name) {
      result.scalar = Scalar::i1;
      if (lexer_.accept(":")) result = type();
    } else {
      lexer_.expect(":");
      result = type();
    }
    require(!result.tensor, "a block's constant is written dense<…>");
    element(token, result.scalar, op.payload);
    op.number = 1;
    op.scalar = result.scalar;
    return {result};
  }
  // The type stands behind the elements: find it first.
  lexer_.expect("<");
  const std::string_view text = lexer_.rest();
  const std::size_t close = text.find('>');
  if (close == std::string_view::npos) lexer_.fail("a constant is not closed");
  Lexer behind(text.substr(close));
  std::swap(lexer_, behind);
  Type result;
  try {
    lexer_.expect(">");
    lexer_.expect(":");
    result = type();
  } catch (Failure& failure) {
    std::swap(lexer_, behind);
    failure.at = operation_at_;
    throw;
  }
  std::swap(lexer_, behind);
  require(result.tensor, "dense<…> is a block's constant");
  elements(op, result);
  lexer_.expect(">");
  lexer_.expect(":");
  type();
  op.scalar = result.scalar;
  return {result};
}

/// A value that is never looked at.
Parser::Types Parser::poison(ir::Operation& op, Code) {
  lexer_.expect(":");
  const Type result = type();
  op.payload.resize(static_cast<std::size_t>(storage_bytes(result.scalar)));
  op.number = 1;
  op.scalar = result.scalar;
  return {result};
}

Parser::Types Parser::grid(ir::Operation& op, Code) {
  const Token axis = lexer_.next();
  require(axis.text == "x" || axis.text == "y" || axis.text == "z", "expected x, y or z");
  op.number = axis.text[0] - 'x';
  attributes();
  lexer_.expect(":");
  const Type result = type();
  require(result == Type{}, "a program's number is i32");
  return {result};
}

Parser::Types Parser::make_range(ir::Operation& op, Code) {
  std::int64_t start = 0, end = 0;
  for (const auto& [key, attribute] : attributes()) {
    if (key == "start") start = attribute.integer;
    if (key == "end") end = attribute.integer;
  }
  lexer_.expect(":");
  const Type result = type();
  require(result.scalar == Scalar::i32 && result.shape.size() == 1,
          "a range is a block of i32 with one dimension");
  constexpr std::int64_t far = std::int64_t{1} << 31;
  require(start >= -far && end <= far && start < end && end - start == result.count(),
          "a range doesn't fit its block");
  op.number = start;
  return {result};
}

// ---- shapes ----

/// splat, broadcast, reshape: `%a : T -> U`
Parser::Types Parser::reshaping(ir::Operation& op, Code code) {
  operands(op, 1);
  while (lexer_.accept("allow_reorder") || lexer_.accept("efficient_layout")) {
  }
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == to.scalar && from.pointee == to.pointee, "the element type must stay");
  op.scalar = from.scalar;
  if (code == Code::splat) {
    require(from.count() == 1, "only one value can be splat");
  } else if (code == Code::reshape) {
    require(from.count() == to.count(), "a reshape must keep the number of elements");
  } else {
    require(from.shape.size() == to.shape.size(), "a broadcast must keep the number of dimensions");
    for (std::size_t i = 0; i < from.shape.size(); ++i) {
      require(from.shape[i] == to.shape[i] || from.shape[i] == 1, "a broadcast dimension must be 1 before");
    }
  }
  return {to};
}

Parser::Types Parser::expand_dims(ir::Operation& op, Code code) {
  return reshaping(op, code);  // one dimension of 1 more: the elements stay
}

Parser::Types Parser::trans(ir::Operation& op, Code) {
  operands(op, 1);
  for (const auto& [key, attribute] : attributes()) {
    if (key == "order") op.list = attribute.list;
  }
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == to.scalar && from.pointee == to.pointee, "the element type must stay");
  const std::size_t rank = from.shape.size();
  require(op.list.size() == rank && to.shape.size() == rank, "the order doesn't fit the block");
  std::vector<bool> used(rank, false);
  for (std::size_t i = 0; i < rank; ++i) {
    require(op.list[i] >= 0 && op.list[i] < static_cast<std::int64_t>(rank),
            "the order doesn't fit the block");
    const auto source = static_cast<std::size_t>(op.list[i]);
    require(!used[source] && to.shape[i] == from.shape[source], "the order doesn't fit the block");
    used[source] = true;
  }
  op.scalar = from.scalar;
  return {to};
}

/// join puts two blocks side by side in a new last dimension, cat one behind the other.
Parser::Types Parser::join(ir::Operation& op, Code) {
  operands(op, 2);
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  require_type(op.operands[1], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == to.scalar && from.pointee == to.pointee && to.count() == 2 * from.count(),
          "the result doesn't fit the blocks");
  op.scalar = from.scalar;
  return {to};
}

Parser::Types Parser::split(ir::Operation& op, Code) {
  operands(op, 1);
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == to.scalar && from.pointee == to.pointee && !from.shape.empty() &&
              from.shape.back() == 2 && from.count() == 2 * to.count(),
          "the results don't fit the block");
  op.scalar = from.scalar;
  return {to, to};
}

/// `%a[%i] {axis = 0 : i32} : (T, I) -> U`
Parser::Types Parser::gather(ir::Operation& op, Code) {
  op.operands.push_back(operand());
  lexer_.expect("[");
  op.operands.push_back(operand());
  lexer_.expect("]");
  for (const auto& [key, attribute] : attributes()) {
    if (key == "axis") op.number = attribute.integer;
  }
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type to = type();
  require(from.size() == 2, "a gather takes a block and indices");
  require_type(op.operands[0], from[0]);
  require_type(op.operands[1], from[1]);
  const std::size_t rank = from[0].shape.size();
  require(op.number >= 0 && op.number < static_cast<std::int64_t>(rank) && from[1].shape.size() == rank &&
              to.shape == from[1].shape && to.scalar == from[0].scalar && to.pointee == from[0].pointee &&
              (from[1].scalar == Scalar::i32 || from[1].scalar == Scalar::i64),
          "a gather's types don't fit");
  for (std::size_t i = 0; i < rank; ++i) {
    require(static_cast<std::int64_t>(i) == op.number || from[0].shape[i] == from[1].shape[i],
            "a gather's shapes may differ along its axis only");
  }
  op.scalar = from[0].scalar;
  return {to};
}

Parser::Types Parser::histogram(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(op.operands.size() == 1 || op.operands.size() == 2, "a histogram takes values and a mask");
  op.has_mask = op.operands.size() == 2;
  attributes();
  lexer_.expect(":");
  const Type from = type();
  require_type(op.operands[0], from);
  if (op.has_mask) require_type(op.operands[1], from.with(Scalar::i1));
  lexer_.expect("->");
  const Type to = type();
  require(from.scalar == Scalar::i32 && to.scalar == Scalar::i32 && to.shape.size() == 1,
          "a histogram is of i32");
  return {to};
}

// ---- memory ----

Parser::Types Parser::addptr(ir::Operation& op, Code) {
  operands(op, 2);
  attributes();
  lexer_.expect(":");
  const Type pointer = type();
  lexer_.expect(",");
  const Type index = type();
  require_type(op.operands[0], pointer);
  require_type(op.operands[1], index);
  require(pointer.scalar == Scalar::ptr && is_integer(index.scalar) && pointer.tensor == index.tensor &&
              pointer.shape == index.shape,
          "a pointer is advanced by integers of its shape");
  op.kernel = kernels().addptr(index.scalar);
  require(op.kernel != nullptr, "a pointer can't be advanced by i1");
  op.scalar = index.scalar;
  op.number = memory_bytes(pointer.pointee);
  return {pointer};
}

/// `cacheModifier = cg evictionPolicy = evict_first {…}`: they change speed, not values.
void Parser::memory_options(ir::Operation& op) {
  static_cast<void>(op);
  while (lexer_.peek().kind == TokenKind::name) {
    lexer_.next();
    lexer_.expect("=");
    lexer_.next();
  }
  attributes();
}

Parser::Types Parser::load(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(!op.operands.empty() && op.operands.size() <= 3,
          "a load takes a pointer, a mask and what else to give");
  op.has_mask = op.operands.size() > 1;
  op.has_other = op.operands.size() > 2;
  memory_options(op);
  lexer_.expect(":");
  const Type pointer = type();
  require_type(op.operands[0], pointer);
  require(pointer.scalar == Scalar::ptr, "a load takes a pointer");
  const Type result = pointer.with(pointer.pointee);
  if (op.has_mask) require_type(op.operands[1], pointer.with(Scalar::i1));
  if (op.has_other) require_type(op.operands[2], result);
  op.scalar = result.scalar;
  return {result};
}

Parser::Types Parser::store(ir::Operation& op, Code) {
  op.operands = operand_list();
  require(op.operands.size() == 2 || op.operands.size() == 3, "a store takes a pointer, values and a mask");
  op.has_mask = op.operands.size() == 3;
  memory_options(op);
  lexer_.expect(":");
  const Type pointer = type();
  require_type(op.operands[0], pointer);
  require(pointer.scalar == Scalar::ptr, "a store takes a pointer");
  require_type(op.operands[1], pointer.with(pointer.pointee));
  if (op.has_mask) require_type(op.operands[2], pointer.with(Scalar::i1));
  op.scalar = pointer.pointee;
  return {};
}

void Parser::order(ir::Operation& op, std::string_view word) {
  require(word == "relaxed" || word == "acquire" || word == "release" || word == "acq_rel",
          "unknown memory order");
  op.acquires = word == "acquire" || word == "acq_rel";
  op.releases = word == "release" || word == "acq_rel";
}

/// `fadd, acq_rel, gpu, %p, %v, %m : (P, V, M) -> R`
Parser::Types Parser::atomic_rmw(ir::Operation& op, Code) {
  static const std::unordered_map<std::string_view, ir::Atomic> kinds = {
      {"fadd", ir::Atomic::fadd},     {"add", ir::Atomic::add},   {"max", ir::Atomic::max},
      {"min", ir::Atomic::min},       {"umax", ir::Atomic::umax}, {"umin", ir::Atomic::umin},
      {"exch", ir::Atomic::exchange}, {"and", ir::Atomic::and_},  {"or", ir::Atomic::or_},
      {"xor", ir::Atomic::xor_}};
  const Token kind = lexer_.next();
  const auto found = kinds.find(kind.text);
  if (found == kinds.end()) lexer_.fail("this atomic isn't supported by the executor", kind.at);
  op.atomic = found->second;
  lexer_.expect(",");
  order(op, lexer_.next().text);
  lexer_.expect(",");
  lexer_.next();  // scope
  lexer_.expect(",");
  op.operands = operand_list();
  require(op.operands.size() == 2 || op.operands.size() == 3, "an atomic takes a pointer, values and a mask");
  op.has_mask = op.operands.size() == 3;
  attributes();
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type result = type();
  require(from.size() == op.operands.size(), "an atomic's types don't fit its operands");
  for (std::size_t i = 0; i < from.size(); ++i) require_type(op.operands[i], from[i]);
  require(from[0].scalar == Scalar::ptr && from[1] == from[0].with(from[0].pointee) && result == from[1] &&
              (!op.has_mask || from[2] == from[0].with(Scalar::i1)),
          "an atomic's types don't fit");
  op.scalar = result.scalar;
  const bool real = is_float(op.scalar);
  require(op.atomic == ir::Atomic::exchange ? op.scalar != Scalar::ptr && op.scalar != Scalar::i1
          : op.atomic == ir::Atomic::fadd   ? real
                                            : is_integer(op.scalar) && op.scalar != Scalar::i1,
          "this atomic isn't supported on this type");
  return {result};
}

/// `acq_rel, gpu, %p, %expected, %new : (P, V, V) -> R`
Parser::Types Parser::atomic_cas(ir::Operation& op, Code) {
  order(op, lexer_.next().text);
  lexer_.expect(",");
  lexer_.next();
  lexer_.expect(",");
  operands(op, 3);
  attributes();
  lexer_.expect(":");
  const Types from = types();
  lexer_.expect("->");
  const Type result = type();
  require(from.size() == 3, "a compare-and-swap takes a pointer and two values");
  for (std::size_t i = 0; i < from.size(); ++i) require_type(op.operands[i], from[i]);
  require(from[0].scalar == Scalar::ptr && from[1] == from[0].with(from[0].pointee) && from[2] == from[1] &&
              result == from[1] && is_integer(result.scalar) && result.scalar != Scalar::i1,
          "a compare-and-swap's types don't fit");
  op.scalar = result.scalar;
  return {result};
}

Parser::Types Parser::refuse_pointer(ir::Operation&, Code) {
  lexer_.fail(
      "a pointer used as a number isn't supported by the executor: it could lead out of its buffer. Use "
      "pointer "
      "arithmetic instead",
      operation_at_);
}

// ---- dot, reduce, scan ----

/// `%a, %b, %c, inputPrecision = tf32 : A * B -> C`
Parser::Types Parser::dot(ir::Operation& op, Code) {
  operands(op, 3);
  if (lexer_.accept(",")) {
    lexer_.expect("inputPrecision");
    lexer_.expect("=");
    const Token precision = lexer_.next();
    if (precision.text == "tf32") {
      op.precision = ir::Precision::tf32;
    } else if (precision.text == "tf32x3") {
      op.precision = ir::Precision::tf32x3;
    } else if (precision.text != "ieee") {
      lexer_.fail("this input precision isn't supported by the executor", precision.at);
    }
  }
  attributes();
  lexer_.expect(":");
  const Type a = type();
  lexer_.expect("*");
  const Type b = type();
  lexer_.expect("->");
  const Type c = type();
  require_type(op.operands[0], a);
  require_type(op.operands[1], b);
  require_type(op.operands[2], c);
  const std::size_t rank = a.shape.size();
  require((rank == 2 || rank == 3) && b.shape.size() == rank && c.shape.size() == rank,
          "a dot is of 2 or 3 dimensions");
  require(a.shape[rank - 1] == b.shape[rank - 2] && a.shape[rank - 2] == c.shape[rank - 2] &&
              b.shape[rank - 1] == c.shape[rank - 1],
          "a dot's shapes don't fit");
  if (rank == 3) require(a.shape[0] == b.shape[0] && a.shape[0] == c.shape[0], "a dot's shapes don't fit");
  const bool narrow = a.scalar == Scalar::f16 || a.scalar == Scalar::bf16 || a.scalar == Scalar::f32;
  const bool real = narrow && (c.scalar == Scalar::f32 || c.scalar == Scalar::f16);
  const bool wide = a.scalar == Scalar::f64 && c.scalar == Scalar::f64;
  const bool whole = a.scalar == Scalar::i8 && c.scalar == Scalar::i32;
  require(a.scalar == b.scalar && (real || wide || whole),
          "a dot of these types isn't supported by the executor");
  if (a.scalar != Scalar::f32) op.precision = ir::Precision::ieee;
  op.scalar = a.scalar;
  return {c};
}

/// `"tt.reduce"(%a, %b) <{axis = 0 : i32}> ({ region }) : (T, U) -> (V, W)`; the same for a scan.
Parser::Types Parser::along_axis(ir::Operation& op, Code code) {
  lexer_.expect("(");
  op.operands = operand_list();
  lexer_.expect(")");
  require(!op.operands.empty(), "there is nothing to reduce");
  lexer_.expect("<");
  for (const auto& [key, attribute] : attributes()) {
    if (key == "axis") op.number = attribute.integer;
    if (key == "reverse") op.reverse = attribute.integer != 0;
  }
  lexer_.expect(">");
  const std::vector<std::int32_t> from = type_of(op.operands[0]).shape;
  require(op.number >= 0 && op.number < static_cast<std::int64_t>(from.size()), "there is no such axis");
  Shape shape;
  shape.labelled = true;
  for (const int operand : op.operands) {
    require(type_of(operand).shape == from, "the blocks differ in shape");
    Type element = type_of(operand);
    element.tensor = false;
    element.shape.clear();
    shape.yields.push_back(element);
  }
  shape.arguments = shape.yields;
  shape.arguments.insert(shape.arguments.end(), shape.yields.begin(), shape.yields.end());
  shape.lanes = value(op.operands[0]).count;
  lexer_.expect("(");
  const std::size_t at = operation_at_;
  region(op.regions.emplace_back(), shape);
  operation_at_ = at;
  lexer_.expect(")");
  attributes();
  lexer_.expect(":");
  const Types given = types();
  lexer_.expect("->");
  const Types results = types();
  require(given.size() == op.operands.size() && results.size() == given.size(),
          "the types don't fit the operands");
  std::vector<std::int32_t> to = from;
  if (code == Code::reduce) to.erase(to.begin() + op.number);
  for (std::size_t i = 0; i < given.size(); ++i) {
    require_type(op.operands[i], given[i]);
    require(results[i].scalar == given[i].scalar && results[i].pointee == given[i].pointee &&
                results[i].shape == to && results[i].tensor == !to.empty(),
            "the results don't fit");
  }
  // A region of one operation on its two arguments has a loop of its own.
  const std::vector<ir::Operation>& body = op.regions[0].blocks[0].operations;
  const std::vector<int>& arguments = op.regions[0].blocks[0].arguments;
  if (given.size() == 1 && body.size() == 2 && body[0].operands.size() == 2 && !body[0].results.empty() &&
      body[1].operands[0] == body[0].results[0] &&
      ((body[0].operands[0] == arguments[0] && body[0].operands[1] == arguments[1]) ||
       (body[0].operands[0] == arguments[1] && body[0].operands[1] == arguments[0]))) {
    const Scalar scalar = given[0].scalar;
    op.axis_kernel =
        code == Code::reduce ? kernels().reduce(body[0].code, scalar) : kernels().scan(body[0].code, scalar);
  }
  op.scalar = given[0].scalar;
  return results;
}

// ---- effects and calls ----

Parser::Types Parser::assertion(ir::Operation& op, Code) {
  operands(op, 1);
  lexer_.expect(",");
  const Token message = lexer_.next();
  require(message.kind == TokenKind::text, "expected an assertion's message");
  op.text = std::string(message.text.substr(0, 200));
  attributes();
  lexer_.expect(":");
  const Type condition = type();
  require_type(op.operands[0], condition);
  require(condition.scalar == Scalar::i1, "a condition must be i1");
  return {};
}

/// `" text: " {…} : %a, %b : T, U`: what it would print is nobody's business here.
Parser::Types Parser::print(ir::Operation&, Code) {
  require(lexer_.next().kind == TokenKind::text, "expected what to print");
  attributes();
  if (lexer_.accept(":")) {
    operand_list();
    lexer_.expect(":");
    do {
      type();
    } while (lexer_.accept(","));
  }
  return {};
}

Parser::Types Parser::barrier(ir::Operation&, Code) {
  if (lexer_.peek().kind == TokenKind::name && !lexer_.at("loc") &&
      lexer_.peek().text.find('.') == std::string_view::npos) {
    lexer_.next();
  }
  attributes();
  return {};
}

Parser::Types Parser::assume(ir::Operation&, Code) {
  operand();
  attributes();
  lexer_.expect(":");
  type();
  return {};
}

Parser::Types Parser::call(ir::Operation& op, Code) {
  const Token callee = lexer_.next();
  require(callee.kind == TokenKind::symbol, "expected a function's name");
  op.text = std::string(callee.text);
  lexer_.expect("(");
  op.operands = operand_list();
  lexer_.expect(")");
  attributes();
  lexer_.expect(":");
  const Types arguments = types();
  lexer_.expect("->");
  const Types results = types();
  require(arguments.size() == op.operands.size(), "the types don't fit the operands");
  for (std::size_t i = 0; i < arguments.size(); ++i) require_type(op.operands[i], arguments[i]);
  calls_.push_back(
      {static_cast<int>(program_.functions.size()) - 1, op.text, arguments, results, operation_at_});
  return results;
}

// ---- control flow ----

/// yield and return: `%a, %b : T, U`
Parser::Types Parser::yield(ir::Operation& op, Code) {
  op.operands = operand_list();
  attributes();
  if (op.operands.empty()) return {};
  lexer_.expect(":");
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (i > 0) lexer_.expect(",");
    require_type(op.operands[i], type());
  }
  return {};
}

Parser::Types Parser::condition(ir::Operation& op, Code) {
  lexer_.expect("(");
  op.operands.push_back(operand());
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  lexer_.expect(")");
  const std::vector<int> values = operand_list();
  attributes();
  if (!values.empty()) lexer_.expect(":");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) lexer_.expect(",");
    require_type(values[i], type());
    op.operands.push_back(values[i]);
  }
  return {};
}

void Parser::successor(ir::Operation& op) {
  const Token label = lexer_.next();
  require(label.kind == TokenKind::block, "expected a block");
  ir::Successor& target = op.successors.emplace_back();
  if (lexer_.accept("(")) {
    target.operands = operand_list();
    lexer_.expect(":");
    for (std::size_t i = 0; i < target.operands.size(); ++i) {
      if (i > 0) lexer_.expect(",");
      require_type(target.operands[i], type());
    }
    lexer_.expect(")");
  }
  jumps_.push_back({-1, -1, static_cast<int>(op.successors.size()) - 1, label.text, operation_at_});
}

Parser::Types Parser::branch(ir::Operation& op, Code) {
  successor(op);
  attributes();
  return {};
}

Parser::Types Parser::branch_if(ir::Operation& op, Code) {
  operands(op, 1);
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  if (lexer_.accept("weights")) {
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
      if (lexer_.next().kind == TokenKind::end) lexer_.fail("'(' is not closed");
    }
  }
  lexer_.expect(",");
  successor(op);
  lexer_.expect(",");
  successor(op);
  attributes();
  return {};
}

/// `%c -> (T) { … } else { … }`
Parser::Types Parser::if_(ir::Operation& op, Code) {
  operands(op, 1);
  Type flag;
  flag.scalar = Scalar::i1;
  require_type(op.operands[0], flag);
  Shape shape;
  if (lexer_.accept("->")) shape.yields = types();
  op.regions.resize(2);
  region(op.regions[0], shape);
  if (lexer_.accept("else")) {
    region(op.regions[1], shape);
  } else if (!shape.yields.empty()) {
    lexer_.fail("an if with results needs an else");
  }
  attributes();
  return shape.yields;
}

/// `%k = %low to %high step %step iter_args(%a = %x) -> (T) : i32 { … }`
Parser::Types Parser::for_(ir::Operation& op, Code) {
  op.is_unsigned = lexer_.accept("unsigned");
  Shape shape;
  const Token counter = lexer_.next();
  require(counter.kind == TokenKind::value, "expected the loop's counter");
  lexer_.expect("=");
  op.operands.push_back(operand());
  lexer_.expect("to");
  op.operands.push_back(operand());
  lexer_.expect("step");
  op.operands.push_back(operand());
  const Type type_of_counter = type_of(op.operands[0]);
  require(
      is_integer(type_of_counter.scalar) && type_of_counter.scalar != Scalar::i1 && !type_of_counter.tensor,
      "a loop counts in integers");
  require_type(op.operands[1], type_of_counter);
  require_type(op.operands[2], type_of_counter);
  shape.names.push_back({counter.text, 1});
  shape.arguments.push_back(type_of_counter);
  if (lexer_.accept("iter_args")) {
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
      const Token name = lexer_.next();
      require(name.kind == TokenKind::value, "expected a loop value");
      lexer_.expect("=");
      op.operands.push_back(operand());
      shape.names.push_back({name.text, 1});
      if (!lexer_.at(")")) lexer_.expect(",");
      if (shape.names.size() > 1000) lexer_.fail("too many loop values");
    }
    lexer_.expect("->");
    shape.yields = types();
  }
  require(shape.yields.size() + 1 == shape.names.size(), "the loop's types don't fit its values");
  for (std::size_t i = 0; i < shape.yields.size(); ++i) {
    require_type(op.operands[3 + i], shape.yields[i]);
    shape.arguments.push_back(shape.yields[i]);
  }
  if (lexer_.accept(":")) {
    require(type() == type_of_counter, "the loop's counter has another type");
  }
  op.scalar = type_of_counter.scalar;
  region(op.regions.emplace_back(), shape);
  attributes();
  return shape.yields;
}

/// `(%a = %x) : (T) -> U { … } do { ^bb0(%b: U): … }`
Parser::Types Parser::while_(ir::Operation& op, Code) {
  Shape before;
  if (lexer_.accept("(")) {
    while (!lexer_.accept(")")) {
      const Token name = lexer_.next();
      require(name.kind == TokenKind::value, "expected a loop value");
      lexer_.expect("=");
      op.operands.push_back(operand());
      before.names.push_back({name.text, 1});
      if (!lexer_.at(")")) lexer_.expect(",");
      if (before.names.size() > 1000) lexer_.fail("too many loop values");
    }
  }
  lexer_.expect(":");
  before.arguments = types();
  lexer_.expect("->");
  before.yields = types();
  before.terminator = Code::condition;
  require(before.arguments.size() == op.operands.size(), "the loop's types don't fit its values");
  for (std::size_t i = 0; i < op.operands.size(); ++i) require_type(op.operands[i], before.arguments[i]);
  Shape after;
  after.labelled = !before.yields.empty();
  after.arguments = before.yields;
  after.yields = before.arguments;
  op.regions.resize(2);
  region(op.regions[0], before);
  lexer_.expect("do");
  region(op.regions[1], after);
  if (lexer_.accept("attributes")) attributes();
  return before.yields;
}

}  // namespace trl::executor
