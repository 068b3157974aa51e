// How many optimiser steps a stage of training takes.
#pragma once
#include "language/check/inspection.hpp"

namespace trl::language {

/// The samples that a round of training has at most; 0 for a way to train without rounds, and where it can't
/// be told from the file. A sample of DPO is a pair.
double most_samples_of_round(const Resolved& train);

/// The largest number of steps that a stage of training takes, in all of its rounds; 0 if it can't be told
/// from the file.
double most_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// How many samples all GPUs of the experiment's machine take at once, of which a batch is a multiple.
double samples_at_once(const Inspection& inspection, const Resolved& train);

/// Of fewer steps the rule too_few_steps asks for more, unless they are large.
constexpr double fewest_steps = 10;

/// The largest share of a stage's steps over which anybody warms up on purpose.
constexpr double longest_warm_up = 0.5;

/// How far AdamW moves a weight at least in training that changes answers. The wind tunnel's imitation moves
/// its adapter by ten steps at 2e-4, 2e-3 (experiments/ablation.trl); two a round at 1e-5 changed no answer.
constexpr double least_reach = 3e-5, usual_reach = 2e-3;

/// The largest round number of samples that is at most `most` and that `unit` divides: a power of two, a
/// multiple of 8, or of 16 from 64 on, each times `unit`. 0 if `most` is below `unit`.
double round_batch(double most, double unit);

/// Whether a stage takes steps so few and so small that `too_few_steps` reports it.
bool takes_few_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// The lowest learning rate, in one digit, at which so many steps move a weight by `usual_reach`.
double rate_for(double steps);

}  // namespace trl::language
