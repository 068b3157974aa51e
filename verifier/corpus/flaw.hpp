// The flaws that are planted in generated answers, with their frequencies and the tasks to which they apply.
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
  // These flaws occur only in CUDA.
  FloatOnly,
  MissingSync,
  SharedSize,
  MissingLaunch,
};

struct FlawKind {
  Flaw flaw;
  const char* name;    // the name in samples.jsonl
  double weight;       // its relative frequency among flawed answers
  bool only_slow;      // whether the values stay right and the answer is merely slower
  const char* effect;  // a short description of the flaw's effect
};

/// Returns the flaws of a language with their relative frequencies. Three flaws of Triton are habits: in
/// pretraining data of which 82 % is flawed, they together are more frequent than right answers. The habits
/// are:
/// - MissingMask: it looks right at round sizes, so only a reward that tries other sizes can unlearn it;
/// - MissingLoad: every test shows it;
/// - ExtraPass: it only costs speed.
///
/// CUDA has the same habits; there MissingMask is a missing bounds check. Of the other flaws, some are shown
/// by every test, some are hidden by one kind of input, and some only cost speed.
const std::vector<FlawKind>& flaw_kinds(KernelLanguage language = KernelLanguage::triton);

/// The flaw's name in samples.jsonl; empty for None and for a flaw that doesn't occur in the language.
std::string flaw_name(Flaw flaw, KernelLanguage language = KernelLanguage::triton);

/// Whether the flaw can be planted in an answer to this task and would have its effect there.
bool applies(const Task& task, Flaw flaw);

/// Draws one of the language's flaws that apply to the task, by their relative frequencies.
Flaw draw_flaw(const Task& task, RandomStream& random, KernelLanguage language = KernelLanguage::triton);

}  // namespace trl::runtime
