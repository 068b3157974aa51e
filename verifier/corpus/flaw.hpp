// The flaws of generated answers: which there are, how often each occurs, and to which tasks it applies.
#pragma once

#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/tasks/kernel_language.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

enum class Flaw {
  None,
  MissingMask,
  FloorGrid,
  OtherPad,
  WrongConstant,
  WrongOperator,
  WrongAxis,
  Syntax,
  UndefinedName,
  MissingLoad,
  NoUpcast,
  TinyBlocks,
  ExtraPass,
  NeedlessCopy,
  // These flaws occur in CUDA alone.
  FloatOnly,
  MissingSync,
  SharedSize,
  MissingLaunch,
};

struct FlawKind {
  Flaw flaw;
  const char* name;    // the name in samples.jsonl
  double weight;       // its weight in the mix of flawed answers
  bool only_slow;      // the values stay right, and only the time is worse
  const char* effect;  // its effect in a few words
};

/// The mix of flaws of a language. Three of Triton's are habits, which are commoner than the right answer
/// where 82 % of the documents are flawed. The missing mask looks right at round sizes, so only a reward that
/// tries other sizes can unlearn it; the missing load shows at once; the extra pass only costs speed. The
/// other flaws show at once, hide from one kind of input, or only cost speed. CUDA has the same habits, with
/// a missing bounds guard instead of the mask.
const std::vector<FlawKind>& flaw_kinds(KernelLanguage language = KernelLanguage::triton);

/// The flaw's name in samples.jsonl; empty for None, and for one that the language's mix lacks.
std::string flaw_name(Flaw flaw, KernelLanguage language = KernelLanguage::triton);

/// Whether the flaw can be planted in an answer to this task and then has its effect.
bool applies(const Task& task, Flaw flaw);

/// Draws a flaw that applies to the task, with the weights of the language's mix.
Flaw draw_flaw(const Task& task, RandomStream& random, KernelLanguage language = KernelLanguage::triton);

}  // namespace trl::runtime
