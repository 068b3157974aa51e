// A resolved document as docs/seams.md, 2, has it, and folders to work in.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter::testing {

/// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  std::filesystem::path path;
};

/// A model folder of a few bytes with a whole safetensors file, at home/stdlib/windtunnel.
void write_model(const std::filesystem::path& home, const std::string& contents = "12345678");

/// "study": 2^4 cells over inputs, stages, pace and clock; two controls; 2 rounds; table main, plot learning,
/// hypothesis inputs_help. 4 + 6 training tasks, 2 + 3 in the exam.
nlohmann::json study();

/// The "design" and "cells" of subsets(…), from the experiment's "vary": to be called again when that
/// changes.
void make_cells(nlohmann::json& experiment);

/// "imitation -> reinforce" over one extension: a quarter of the stages.
nlohmann::json small_study();

nlohmann::json task(const std::string& suite, int id);
nlohmann::json extension(const std::string& name, const std::string& variant, const nlohmann::json& fields);

/// Options for a home that has a model.
PlanOptions options(const std::filesystem::path& home, bool purity = true);

}  // namespace trl::interpreter::testing
