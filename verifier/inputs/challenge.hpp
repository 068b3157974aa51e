#pragma once
// Some timed runs see other inputs than the rest, which reveals a candidate that kept the output of an
// earlier run.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// Other values for a part of one input, in one of the timed runs. CUDA kernels can reach memory that nobody
/// clears. A kernel that keeps its output there, to return it without computing, has to notice that an input
/// has changed, for which it has to read all of it.
struct Challenge {
  std::size_t input = 0;
  std::size_t begin = 0;  ///< bytes
  std::vector<std::byte> bytes;
};

/// Draws two challenges: one changes a single element and one changes a sixteenth of an input. The new values
/// lie between other values of that input, or among its integers. `types` are the inputs' element types. An
/// input that is `fixed` stays as it is, since its elements depend on each other; with an empty list none
/// is fixed. Returns none where no input has two elements that may change.
std::vector<Challenge> draw_challenges(const std::vector<InputData>& inputs,
                                       const std::vector<ElementType>& types, RandomKey key,
                                       const std::vector<bool>& fixed = {});

/// The inputs as the challenged run sees them.
std::vector<InputData> challenged(std::vector<InputData> inputs, const Challenge& challenge);

}  // namespace trl::runtime
