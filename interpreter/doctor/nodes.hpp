// Finds what is missing on the nodes of a Ray cluster, as findings of `trl doctor --on ray`.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "interpreter/doctor/finding.hpp"

namespace trl::interpreter {

/// A finding for each node, by runtime/cluster/'s description of it (Cluster::examined). A node that can't
/// confine candidates lacks something only if no other one can.
std::vector<Finding> findings_of(const nlohmann::json& nodes);

}  // namespace trl::interpreter
