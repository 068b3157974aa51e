// A resolved document as docs/interfaces.md, section 2, defines it, and temporary folders.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter::testing {

/// A temporary folder, which is removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  std::filesystem::path path;
};

/// Writes a model folder of a few bytes with a complete safetensors file, at home/stdlib/windtunnel.
void write_model(const std::filesystem::path& home, const std::string& contents = "12345678");

/// "study": 2^4 cells over inputs, stages, pace and clock; two controls; 2 rounds; table main, plot learning,
/// hypothesis inputs_help. 4 + 6 training tasks, 2 + 3 in the exam.
nlohmann::json study();

/// Sets "design" and "cells" from the experiment's "vary", as for subsets(…). It must be called again when
/// "vary" changes.
void make_cells(nlohmann::json& experiment);

/// "imitation -> reinforce" with one extension: a quarter of the stages of `study()`.
nlohmann::json small_study();

nlohmann::json task(const std::string& suite, int id);
nlohmann::json extension(const std::string& name, const std::string& variant, const nlohmann::json& fields);

/// Plan options for a home folder that has a model.
PlanOptions options(const std::filesystem::path& home, bool purity = true);

}  // namespace trl::interpreter::testing
