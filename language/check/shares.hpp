// The shares of a curriculum, for the rules about them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {

/// Returns the value of a share that is the same in every round. Nothing for a share that depends on results,
/// and for `rest`.
std::optional<double> constant_share(const Value& share, const Schema& schema);

/// If all shares of a curriculum are constant and one of them is above 1, returns all of them: they are
/// probably meant as counts, or as percentages without the sign. Otherwise empty.
std::vector<double> shares_as_counts(const Value& shares, const Schema& schema);

/// A share as percent, to six digits: `37.5%`.
std::string percent_text(double share);

}  // namespace trl::language
