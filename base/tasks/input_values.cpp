#include "base/tasks/input_values.hpp"

#include <algorithm>
#include <array>

#include "base/support/error.hpp"

namespace trl::tasks {
namespace {

using ValuesKind = InputValues::Kind;

struct Named {
  ValuesKind kind;
  const char* name;
};
constexpr std::array<Named, 9> kinds = {{{ValuesKind::unbounded, "unbounded"},
                                         {ValuesKind::normal, "normal"},
                                         {ValuesKind::range, "range"},
                                         {ValuesKind::positive, "positive"},
                                         {ValuesKind::one_hot, "one_hot"},
                                         {ValuesKind::offsets, "offsets"},
                                         {ValuesKind::symmetric, "symmetric"},
                                         {ValuesKind::upper_triangular, "upper_triangular"},
                                         {ValuesKind::lower_triangular, "lower_triangular"}}};

}  // namespace

std::string name(ValuesKind kind) {
  return std::find_if(kinds.begin(), kinds.end(), [&](const Named& one) { return one.kind == kind; })->name;
}

InputValues InputValues::parse(const nlohmann::json& values) {
  const std::string wanted = values.at("kind").get<std::string>();
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const Named& one) { return one.name == wanted; });
  if (found == kinds.end() || found->kind == ValuesKind::unbounded)
    throw UserError("no values of an input are called " + wanted, "docs/interfaces.md, 1, lists them");
  InputValues out;
  out.kind = found->kind;
  if (out.kind == ValuesKind::range || (out.is_matrix() && values.contains("low")))
    out.low = values.at("low").get<double>(), out.high = values.at("high").get<double>();
  if (out.kind == ValuesKind::normal)
    out.mean = values.at("mean").get<double>(), out.deviation = values.at("deviation").get<double>();
  if (out.kind == ValuesKind::offsets) out.of = parse_extent(values.at("of"));
  return out;
}

nlohmann::json InputValues::to_json() const {
  nlohmann::json out = {{"kind", name(kind)}};
  if (kind == ValuesKind::range || (is_matrix() && low < high)) out["low"] = low, out["high"] = high;
  if (kind == ValuesKind::normal) out["mean"] = mean, out["deviation"] = deviation;
  if (kind == ValuesKind::offsets) out["of"] = extent_json(*of);
  return out;
}

}  // namespace trl::tasks
