// The exam's protocol, which is the same for every row of any comparison.
#pragma once

#include <vector>

#include "base/contract/protocol.hpp"

namespace trl::interpreter {

/// The inputs that a candidate meets in an exam.
std::vector<contract::Variation> exam_variations();

/// The share of the machine that one candidate may use, in training and in exams.
contract::Limits candidate_limits();

/// Notes in a protocol where its kernels' times come from.
contract::Protocol timed_or_modelled(contract::Protocol protocol, bool times_kernels);

/// The protocol of an exam's `verify` stage, and of the stage that measures purity: strict, and the same for
/// every row.
contract::Protocol exam_protocol(bool times_kernels = false);

}  // namespace trl::interpreter
