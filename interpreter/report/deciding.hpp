#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// What deciding an undecided hypothesis about a share would take, from the variances of the rows that it
/// compares and the seconds that their stages took. Nothing for other columns, and where no effect is named
/// or found.
std::optional<Deciding> deciding(const HypothesisResult& result, const Inference& inference,
                                 const nlohmann::json& experiment);

}  // namespace trl::interpreter
