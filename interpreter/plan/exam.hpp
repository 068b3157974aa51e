// The protocol by which an exam verifies answers. It is the same for all rows that are compared.
#pragma once

#include <vector>

#include "base/contract/protocol.hpp"

namespace trl::interpreter {

/// The variations of a task's inputs on which an exam runs a candidate.
std::vector<contract::Variation> exam_variations();

/// The limits of time and memory for one candidate, in training and in exams.
contract::Limits candidate_limits();

/// Returns a protocol in which kernels are timed on a GPU if `times_kernels`, and otherwise get modelled
/// times.
contract::Protocol timed_or_modelled(contract::Protocol protocol, bool times_kernels);

/// The strict protocol of an exam's `verify` stage, and of the stage that measures `purity`. It is the same
/// for every row.
contract::Protocol exam_protocol(bool times_kernels = false);

}  // namespace trl::interpreter
