// How an exam judges: one protocol for every row, whatever is compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// The inputs that a candidate meets in an exam, as the resolved program writes variations (docs/seams.md,
/// 2).
nlohmann::json exam_variations();

/// What one candidate may take of the machine, in training and in exams.
nlohmann::json candidate_limits();

/// Notes in a protocol where its kernels' times come from.
nlohmann::json timed_or_modelled(nlohmann::json protocol, bool times_kernels);

/// Notes the precision that a declaration's `precision` allows below the task's own; without one, nothing.
nlohmann::json with_precision(nlohmann::json protocol, const nlohmann::json& declaration);

/// Spec of an exam's `verify` stage, and of the one that measures purity: strict, and the same for every row.
nlohmann::json exam_protocol(bool times_kernels = false);

/// Text of a variation as the program writes it: "resize(150%)", "extreme".
std::string variation_text(const nlohmann::json& variation);

}  // namespace trl::interpreter
