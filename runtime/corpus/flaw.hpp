// The mistakes that generated answers make: which, how often, and where they can be made.
#pragma once

#include <string>
#include <vector>

#include "ground/random.hpp"
#include "runtime/tasks/kernel_language.hpp"
#include "runtime/tasks/task.hpp"

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
  // CUDA's own.
  FloatOnly,
  MissingSync,
  SharedSize,
  MissingLaunch,
};

struct FlawKind {
  Flaw flaw;
  const char* name;    // in samples.jsonl
  double weight;       // in the mix of flawed answers
  bool only_slow;      // the values stay right
  const char* effect;  // what it does, in a few words
};

/// The mix of a language. In Triton three are habits: the missing mask, commoner than the right answer among
/// documents of which 82 % are flawed, looks right on round sizes, so that only a reward that tries others
/// can unlearn it; the missing load shows at once; the extra pass only costs speed. The rest show at once,
/// hide from one input, or only cost speed. CUDA's habits are the same, the missing bounds guard being the
/// mask.
const std::vector<FlawKind>& flaw_kinds(KernelLanguage language = KernelLanguage::triton);

/// The flaw's name in samples.jsonl; empty for None, and for one that the language's mix lacks.
std::string flaw_name(Flaw flaw, KernelLanguage language = KernelLanguage::triton);

/// Can an answer to this task have the flaw so that it is one?
bool applies(const Task& task, Flaw flaw);

/// A flaw that applies to the task, by the weights of the language's mix.
Flaw draw_flaw(const Task& task, RandomStream& random, KernelLanguage language = KernelLanguage::triton);

}  // namespace trl::runtime
