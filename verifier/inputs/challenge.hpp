#pragma once
// Changes the inputs of some timed runs. This exposes a candidate that returns the output of an earlier run
// without computing.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/support/random.hpp"
#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// New values for a part of one input, in one of the timed runs. A CUDA kernel can store its output in memory
/// that isn't cleared between runs, and return it in the next run without computing. With a changed input
/// that output is wrong, and to notice the change the kernel would have to read the whole input.
struct Challenge {
  std::size_t input = 0;
  std::size_t begin = 0;  ///< offset of the changed part in bytes
  std::vector<std::byte> bytes;
};

/// Draws two challenges: the first changes a single element, the second a sixteenth of an input. A new real
/// number is the mean of two elements of the same input; a new integer is another element of that input.
/// `types` are the element types of the inputs. Inputs marked in `fixed` don't change, since their elements
/// depend on each other; an empty `fixed` marks none. Returns no challenges if no input that may change has
/// at least two elements.
std::vector<Challenge> draw_challenges(const std::vector<InputData>& inputs,
                                       const std::vector<ElementType>& types, RandomKey key,
                                       const std::vector<bool>& fixed = {});

/// Returns the inputs with the challenge's changes.
std::vector<InputData> challenged(std::vector<InputData> inputs, const Challenge& challenge);

}  // namespace trl::runtime
