#include "language/check/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trl::language {

std::optional<double> constant_share(const Value& share, const Schema& schema) {
  if (!share.is(Value::Kind::formula)) return std::nullopt;
  const formulas::Interval values = bound(share.formula, ranges_of(share, schema));
  return values.low == values.high ? std::optional(values.low) : std::nullopt;
}

std::vector<double> shares_as_counts(const Value& shares, const Schema& schema) {
  std::vector<double> out;
  for (const auto& [group, value] : shares.entries) {
    const auto share = constant_share(value, schema);
    if (!share || *share < 0) return {};
    out.push_back(*share);
  }
  if (std::none_of(out.begin(), out.end(), [](double share) { return share > 1; })) return {};
  return out;
}

std::string percent_text(double share) { return fmt::format("{:.6g}%", 100 * share); }

}  // namespace trl::language
