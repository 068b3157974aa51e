// The mistakes that generated answers make: which, how often, and where they can be made.
#pragma once

#include <string>
#include <vector>

#include "runtime/random.hpp"
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
};

struct FlawKind {
  Flaw flaw;
  const char* name;    // in samples.jsonl
  double weight;       // in the mix of flawed answers
  bool only_slow;      // the values stay right
  const char* effect;  // what it does, in a few words
};

/// The mix. Three are habits: the missing mask, commoner than the right answer among documents of which 82 %
/// are flawed, looks right on round sizes, so that only a reward that tries others can unlearn it; the
/// missing load shows at once; the extra pass only costs speed. The rest show at once, hide from one input,
/// or only cost speed.
const std::vector<FlawKind>& flaw_kinds();

/// The flaw's name in samples.jsonl; empty for None.
std::string flaw_name(Flaw flaw);

/// Can an answer to this task have the flaw so that it is one?
bool applies(const Task& task, Flaw flaw);

/// A flaw that applies to the task, by the weights of the mix.
Flaw draw_flaw(const Task& task, RandomStream& random);

}  // namespace trl::runtime
