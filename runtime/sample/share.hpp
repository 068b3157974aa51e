// The answers that each process of a group samples.
#pragma once

#include <vector>

#include "runtime/group/group.hpp"
#include "runtime/sample/generate.hpp"

namespace trl::runtime {

/// A process's share of the answers to some prompts.
struct SampleShare {
  std::vector<Prompt> prompts;       ///< with the process's samples alone
  std::vector<std::size_t> numbers;  ///< of each of these prompts, among all of them
};

/// Splits the answers to `prompts` among `size` processes and returns the share of each. Shares follow each
/// other, and are about as large. Every process has to read its prompts, so that a prompt's samples are only
/// split where there are few prompts for each process.
std::vector<SampleShare> sample_shares(const std::vector<Prompt>& prompts, int size);

/// Returns answers[prompt][sample] to `prompts`, of which each process of the group has sampled the answers
/// to its share; all processes get all of them. `own` are the answers to this process's share.
std::vector<std::vector<Answer>> all_answers(const Group& group, const std::vector<SampleShare>& shares,
                                             const std::vector<Prompt>& prompts,
                                             std::vector<std::vector<Answer>> own);

}  // namespace trl::runtime
