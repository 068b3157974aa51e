// How an exam judges: one protocol for every row, whatever is compared.
#pragma once

#include <vector>

#include "base/contract/protocol.hpp"

namespace trl::interpreter {

/// The inputs that a candidate meets in an exam.
std::vector<contract::Variation> exam_variations();

/// What one candidate may take of the machine, in training and in exams.
contract::Limits candidate_limits();

/// Notes in a protocol where its kernels' times come from.
contract::Protocol timed_or_modelled(contract::Protocol protocol, bool times_kernels);

/// Of an exam's `verify` stage, and of the one that measures purity: strict, and the same for every row.
contract::Protocol exam_protocol(bool times_kernels = false);

}  // namespace trl::interpreter
