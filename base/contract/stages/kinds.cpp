#include "base/contract/stages/kinds.hpp"

#include "base/contract/stages/ask.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/generations.hpp"
#include "base/contract/stages/pretrain.hpp"
#include "base/contract/stages/rollout.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/stages/served.hpp"

namespace trl::contract {

bool keeps_checkpoints(const std::string& kind) {
  return kind == PretrainSpec::kind || kind == FinetuneSpec::kind || kind == AskSpec::kind ||
         kind == RolloutSpec::kind;
}

bool uses_group(const std::string& kind) { return kind == FinetuneSpec::kind || kind == SampleSpec::kind; }

bool samples_answers(const std::string& kind) {
  return kind == SampleSpec::kind || kind == AskSpec::kind || kind == RolloutSpec::kind;
}

bool gives_candidates(const std::string& kind) {
  return samples_answers(kind) || kind == GenerationsSpec::kind || kind == ServedSpec::kind;
}

}  // namespace trl::contract
