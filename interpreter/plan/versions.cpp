// Raise a number here when the results of a kind of stage change.
#include <stdexcept>

#include "interpreter/plan/stage.hpp"

#ifndef TRL_TOOL_CHAIN
#define TRL_TOOL_CHAIN "unknown"
#endif

namespace trl::interpreter {

int implementation_version(const std::string& kind) {
  static constexpr struct {
    const char* kind;
    int version;
  } versions[] = {
      {"corpus", 2}, {"tokenizer", 1}, {"pretrain", 1}, {"finetune", 2}, {"sample", 1},
      {"verify", 4}, {"tasks", 1},     {"draw", 1},     {"select", 1},   {"train", 1},
  };
  for (const auto& entry : versions)
    if (kind == entry.kind) return entry.version;
  throw std::logic_error("no version for stage " + kind);
}

std::string tool_chain() { return TRL_TOOL_CHAIN; }

}  // namespace trl::interpreter
