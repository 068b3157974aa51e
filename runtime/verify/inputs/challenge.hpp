#pragma once
// Timed runs that see another input than the rest: whoever kept the output of an earlier run is found out.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ground/random.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// Other values for a part of one input, in one run among the timed ones. CUDA kernels reach memory that
/// nobody clears: one that keeps its output there, to give it back without computing, must notice that an
/// input has changed, for which it has to read all of it.
struct Challenge {
  std::size_t input = 0;
  std::size_t begin = 0;  ///< bytes
  std::vector<std::byte> bytes;
};

/// One that changes a single element, and one that changes a sixteenth of an input: between other values of
/// that input, or among its indices. `types` are the inputs' element types. None where no input has two
/// elements.
std::vector<Challenge> draw_challenges(const std::vector<InputData>& inputs,
                                       const std::vector<ElementType>& types, RandomKey key);

/// The inputs as the run sees them.
std::vector<InputData> challenged(std::vector<InputData> inputs, const Challenge& challenge);

}  // namespace trl::runtime
