// How many optimiser steps a stage of training takes.
#pragma once
#include "language/check/inspection.hpp"

namespace trl::language {

/// Returns the largest number of samples in a round of training; a sample of DPO is a pair. 0 if the way to
/// train has no rounds, or if the number doesn't follow from the file.
double most_samples_of_round(const Resolved& train);

/// Returns the largest number of steps that a stage of training takes in all its rounds. 0 if it doesn't
/// follow from the file.
double most_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// Returns the number of samples that all GPUs of the experiment's machine train on at the same time. A batch
/// must be a multiple of it.
double samples_at_once(const Inspection& inspection, const Resolved& train);

/// The rule `too_few_steps` reports fewer optimiser steps than these, unless the steps are large.
constexpr double fewest_steps = 10;

/// The share of a stage's steps up to which a warm-up of the learning rate may be intended; the rules report
/// a longer one.
constexpr double longest_warm_up = 0.5;

/// `least_reach`: learning rate × steps, an estimate of the distance that AdamW moves a weight, below which
/// training hardly changes any answer. `usual_reach`: this distance in training that works. The wind tunnel's
/// imitation takes ten steps at 2e-4, so its distance is 2e-3 (experiments/ablation.trl); two steps a round
/// at 1e-5 changed no answer.
constexpr double least_reach = 3e-5, usual_reach = 2e-3;

/// The largest round number of samples that is at most `most` and that `unit` divides: a power of two, a
/// multiple of 8, or of 16 from 64 on, each times `unit`. 0 if `most` is below `unit`.
double round_batch(double most, double unit);

/// Whether a stage takes steps so few and so small that `too_few_steps` reports it.
bool takes_few_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites);

/// Returns the lowest learning rate of one digit (rounded up) with which this many steps move a weight by at
/// least `usual_reach`.
double rate_for(double steps);

}  // namespace trl::language
