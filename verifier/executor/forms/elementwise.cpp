// Elementwise operations on blocks.
#include <algorithm>
#include <iterator>

#include "verifier/executor/forms/library.hpp"
#include "verifier/executor/text/parser.hpp"
#include "verifier/executor/values/library.hpp"

namespace trl::executor {
namespace {

std::size_t operand_count(Code code) {
  if ((code >= Code::absi && code <= Code::signbit) || (code >= Code::extsi && code <= Code::bitcast))
    return 1;
  if (code == Code::fma) return 3;
  return 2;
}

}  // namespace

void Parser::refuse(const std::string& what) {
  lexer_.fail(std::string(operation_name_.substr(0, 80)) + " " + what + " isn't supported by the executor",
              operation_at_);
}

void Parser::elementwise(ir::Operation& op, Code code, Scalar from, Scalar to) {
  op.code = code;
  op.scalar = from;
  op.to = to;
  op.kernel = kernels().elementwise(code, from, to);
  if (op.kernel == nullptr) {
    refuse(from == to ? std::string("on ") + name(from)
                      : std::string("from ") + name(from) + " to " + name(to));
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
  const auto [from, to] = from_to(op);
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
  const auto* const own = std::find_if(std::begin(library_functions), std::end(library_functions),
                                       [&](const LibraryFunction& one) { return one.name == stem; });
  if (own != std::end(library_functions)) {
    bool fits = from.size() == own->count && op.operands.size() == own->count && to.scalar == own->to;
    for (std::size_t i = 0; fits && i < from.size(); ++i) {
      require_type(op.operands[i], from[i]);
      fits = from[i] == to.with(own->from[i]);
    }
    if (!fits) lexer_.fail(refused, operation_at_);
    op.code = Code::library;
    op.number = own - std::begin(library_functions);
    op.scalar = own->from[0];
    op.to = own->to;
    op.kernel = kernels().library(static_cast<std::size_t>(op.number));
    return {to};
  }
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
  const bool counts = code == Code::popcount || code == Code::leading_zeros || code == Code::find_first;
  const bool converts = code >= Code::extsi && code <= Code::bitcast;
  const Type expected = converts          ? from[0].with(to.scalar)
                        : tests || counts ? from[0].with(Scalar::i32)
                                          : from[0];
  if (from.size() != operand_count(code) || to != expected) {
    lexer_.fail(refused, operation_at_);
  }
  elementwise(op, code, from[0].scalar, to.scalar);
  return {to};
}

}  // namespace trl::executor
