// A stage: one unit of work, whose key is a hash of everything that its result depends on.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

struct Stage {
  std::string kind;  ///< one of docs/interfaces.md, section 3, or a local one: tasks, draw, select, pairs,
                     ///< generations, imported
  std::string implementation;  ///< the version of the code that carries it out
  nlohmann::json spec;         ///< normalised: without names of declarations, documentation and source places
  std::map<std::string, std::string>
      inputs;          ///< name → key of the stage, or of the model, that provides the folder
  std::string key;     ///< SHA-256, hexadecimal
  std::string slot;    ///< "inputs/seed 1/round 2/sample": where the stage first appears, for people
  bool local() const;  ///< whether trl itself carries it out
};

/// Completes a stage: normalises the spec and computes the key from kind, spec, inputs' keys, the
/// implementation's version (`versions.cpp`, and `variant_version` of the declaration's schema) and the
/// kind's tool chain.
Stage make_stage(std::string kind, nlohmann::json spec, std::map<std::string, std::string> inputs,
                 std::string slot, const nlohmann::json& variant_version = nullptr);

/// Versions of the code that carries out each kind of stage.
const std::map<std::string, int>& implementation_versions();
int implementation_version(const std::string& kind);

/// The software outside this repository on which all results depend: "torch 2.11.0, triton 3.6.0".
std::string tool_chain();

/// What candidates can import besides: "python 3.11, filelock 4.3.1, fsspec 2026.9.0, …".
std::string importable();

/// The software on which results of this kind of stage depend: of `verify`, `importable()` too.
std::string tool_chain_of(const std::string& kind);

}  // namespace trl::interpreter
