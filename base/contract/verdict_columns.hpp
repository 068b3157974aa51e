// The names of the columns of verdicts.jsonl.
#pragma once

#include <string>
#include <vector>

namespace trl::contract {

/// The names of all fields of a `VerdictRow`, also of fields that are left out where they have no value.
std::vector<std::string> verdict_columns();

}  // namespace trl::contract
