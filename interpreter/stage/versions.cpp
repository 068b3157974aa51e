// Versions of the kinds of stages. Raise a kind's number when its results change.
#include <stdexcept>

#include "interpreter/stage/stage.hpp"

#ifndef TRL_TOOL_CHAIN
#define TRL_TOOL_CHAIN "unknown"
#endif
#ifndef TRL_IMPORTABLE
#define TRL_IMPORTABLE "unknown"
#endif

namespace trl::interpreter {

const std::map<std::string, int>& implementation_versions() {
  static const std::map<std::string, int> versions = {
      {"corpus", 2},  {"tokenizer", 1},   {"pretrain", 1}, {"finetune", 4}, {"sample", 3},
      {"verify", 15}, {"tasks", 1},       {"draw", 1},     {"select", 2},   {"pairs", 1},
      {"ask", 1},     {"generations", 1}, {"imported", 1}, {"served", 1},   {"rollout", 1},
  };
  return versions;
}

int implementation_version(const std::string& kind) {
  const auto version = implementation_versions().find(kind);
  if (version == implementation_versions().end()) throw std::logic_error("no version for stage " + kind);
  return version->second;
}

std::string tool_chain() { return TRL_TOOL_CHAIN; }

std::string importable() { return TRL_IMPORTABLE; }

std::string tool_chain_of(const std::string& kind) {
  return kind == "verify" ? tool_chain() + ", " + importable() : tool_chain();
}

}  // namespace trl::interpreter
