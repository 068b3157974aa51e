// The shares of a curriculum, for the rules about them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {

/// The value of a share that is the same in every round; nothing for a share that depends on results, and for
/// `rest`.
std::optional<double> constant_share(const Value& share, const Schema& schema);

/// The shares of all groups, where each is constant and one is above 1: counts or percentages that were
/// written without a sign. Empty elsewhere.
std::vector<double> shares_as_counts(const Value& shares, const Schema& schema);

/// A share as percent, to six digits: `37.5%`.
std::string percent_text(double share);

}  // namespace trl::language
