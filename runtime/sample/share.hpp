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

/// Splits the answers to `prompts` among `size` processes and returns the share of each. The shares follow
/// each other in order, and are of about the same size. A process has to read each of its prompts, so the
/// samples of one prompt are split only if there are few prompts for each process.
std::vector<SampleShare> sample_shares(const std::vector<Prompt>& prompts, int size);

/// Returns answers[prompt][sample] to `prompts`, in all processes of the group. Each process has sampled its
/// share; `own` are this process's answers.
std::vector<std::vector<Answer>> all_answers(const Group& group, const std::vector<SampleShare>& shares,
                                             const std::vector<Prompt>& prompts,
                                             std::vector<std::vector<Answer>> own);

}  // namespace trl::runtime
