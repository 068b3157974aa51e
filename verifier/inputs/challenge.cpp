#include "verifier/inputs/challenge.hpp"

#include <algorithm>

namespace trl::runtime {
namespace {

bool is_index(ElementType type) { return type >= ElementType::i64; }

Challenge drawn(std::size_t number, const InputData& input, ElementType type, std::size_t count,
                RandomStream& random) {
  const auto size = static_cast<std::size_t>(bytes_of(type));
  const std::size_t elements = input.bytes.size() / size;
  count = std::min(count, elements);
  const std::size_t first = random.below(elements - count + 1);
  Challenge challenge{number, first * size, std::vector<std::byte>(count * size)};
  const auto element = [&] { return load_element(type, &input.bytes[random.below(elements) * size]); };
  for (std::size_t i = 0; i < count; ++i) {
    // Halfway between two drawn values: this value is as likely as they are, and usually differs from the
    // value that it replaces.
    const double value = is_index(type) ? element() : (element() + element()) / 2;
    store_element(type, value, &challenge.bytes[i * size]);
  }
  return challenge;
}

}  // namespace

std::vector<Challenge> draw_challenges(const std::vector<InputData>& inputs,
                                       const std::vector<ElementType>& types, RandomKey key,
                                       const std::vector<bool>& fixed) {
  constexpr std::size_t part = 16;
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].bytes.size() >= 2 * static_cast<std::size_t>(bytes_of(types[i])) &&
        (fixed.empty() || !fixed[i]))
      possible.push_back(i);
  std::vector<Challenge> challenges;
  if (possible.empty()) return challenges;
  RandomStream random(key);
  for (const bool single : {true, false}) {
    const std::size_t input = possible[random.below(possible.size())];
    const std::size_t elements =
        inputs[input].bytes.size() / static_cast<std::size_t>(bytes_of(types[input]));
    challenges.push_back(drawn(input, inputs[input], types[input],
                               single ? 1 : std::max<std::size_t>(1, elements / part), random));
  }
  return challenges;
}

std::vector<InputData> challenged(std::vector<InputData> inputs, const Challenge& challenge) {
  std::copy(challenge.bytes.begin(), challenge.bytes.end(),
            inputs[challenge.input].bytes.begin() + static_cast<std::ptrdiff_t>(challenge.begin));
  return inputs;
}

}  // namespace trl::runtime
