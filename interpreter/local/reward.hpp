// The reward of an answer, by the formula of a program.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/formula.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/verdict.hpp"
#include "base/formulas/evaluate.hpp"
#include "base/support/random.hpp"

namespace trl::interpreter {

/// Returns the verdict as the record of a reward formula. A step that was not tried (no tiny stage, no cubin
/// for wrong values) counts as passed exactly when the candidate is correct. Times are multiplied by `noise`;
/// `tokens` is the number of tokens of the answer.
formulas::Record reward_record(const contract::Verdict& verdict, double noise, std::int64_t tokens,
                               const contract::SelectSpec& spec);

/// Returns a random factor for a time, as if a timer with the coefficient of variation `cv` had measured it:
/// log-normal with mean 1, by the method of Box and Muller (1958).
double timer_noise(double cv, RandomStream random);

/// Returns the value of the formula for a record. Throws UserError if it has none.
double reward_of(const contract::Formula& formula, const formulas::Record& record);

/// Returns the terms whose sum is the reward, as pairs of text and value. For a conditional expression, these
/// are the terms of the branch that was taken; otherwise, the summands. Throws UserError if a term has no
/// value.
std::vector<std::pair<std::string, double>> reward_parts(const contract::Formula& formula,
                                                         const formulas::Record& record);

}  // namespace trl::interpreter
