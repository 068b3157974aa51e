// Finds what is missing on the nodes of a Ray cluster, as findings of `trl doctor --on ray`.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "interpreter/doctor/finding.hpp"

namespace trl::interpreter {

/// Returns a finding for each node. `nodes` is the result of Cluster::examined, in which runtime/cluster/
/// describes each node. A node that can't confine candidates (put them into a sandbox) is `lacking` only if
/// no other node can; otherwise it gets a note.
std::vector<Finding> findings_of(const nlohmann::json& nodes);

}  // namespace trl::interpreter
