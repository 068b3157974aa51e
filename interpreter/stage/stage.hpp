// A stage: one unit of work, whose key is a hash of everything that its result depends on.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

struct Stage {
  /// A kind that workers run (docs/interfaces.md, section 3), or a kind that trl itself runs: tasks, draw,
  /// select, pairs, generations, imported.
  std::string kind;
  std::string implementation;  ///< the version of the code that runs the stage
  /// The normalised spec, without names of declarations, documentation and source locations.
  nlohmann::json spec;
  /// The keys of the inputs, by name; an input is the folder of another stage's result or of a model.
  std::map<std::string, std::string> inputs;
  std::string key;   ///< a SHA-256 in hexadecimal
  std::string slot;  ///< the stage's first position in the plan, for display: "inputs/seed 1/round 2/sample"
  bool local() const;  ///< whether trl itself runs the stage, and not a worker
};

/// Completes a stage: normalises the spec and computes the key from kind, spec, inputs' keys, the
/// implementation's version (`versions.cpp`, and `variant_version` of the declaration's schema) and the
/// kind's tool chain.
Stage make_stage(std::string kind, nlohmann::json spec, std::map<std::string, std::string> inputs,
                 std::string slot, const nlohmann::json& variant_version = nullptr);

/// The version of the code that runs each kind of stage.
const std::map<std::string, int>& implementation_versions();
int implementation_version(const std::string& kind);

/// The software outside this repository on which all results depend: "torch 2.11.0, triton 3.6.0".
std::string tool_chain();

/// The Python and the packages that candidates can import in addition: "python 3.11, filelock 4.3.1, fsspec
/// 2026.9.0, …".
std::string importable();

/// The software on which results of this kind of stage depend. For `verify` it includes `importable()`.
std::string tool_chain_of(const std::string& kind);

}  // namespace trl::interpreter
