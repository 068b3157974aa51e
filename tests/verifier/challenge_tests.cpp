#include "verifier/inputs/challenge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trl::runtime {
namespace {

InputData floats(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {"x", {bytes.begin(), bytes.end()}};
}

std::vector<double> values_of(const std::vector<std::byte>& bytes, ElementType type) {
  std::vector<double> values;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(bytes_of(type)))
    values.push_back(load_element(type, &bytes[at]));
  return values;
}

TEST(Challenge, ChangesOneElementAndThenASixteenth) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i % 977) - 400.5f;
  const std::vector<InputData> inputs = {floats(values)};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  for (std::uint64_t key = 0; key < 50; ++key) {
    const auto challenges = draw_challenges(inputs, {ElementType::f32}, RandomKey{key});
    ASSERT_EQ(challenges.size(), 2u);
    EXPECT_EQ(challenges[0].bytes.size(), 4u);
    EXPECT_EQ(challenges[1].bytes.size(), 62 * 4u);
    for (const Challenge& one : challenges) {
      EXPECT_EQ(one.begin % 4, 0u);
      const std::vector<InputData> changed = challenged(inputs, one);
      ASSERT_EQ(changed[0].bytes.size(), inputs[0].bytes.size());
      std::size_t different = 0;
      for (std::size_t i = 0; i < inputs[0].bytes.size(); ++i)
        if (changed[0].bytes[i] != inputs[0].bytes[i]) {
          ++different;
          EXPECT_TRUE(i >= one.begin && i < one.begin + one.bytes.size());
        }
      EXPECT_GT(different, 0u) << key;
      for (const double value : values_of(one.bytes, ElementType::f32)) {
        EXPECT_GE(value, *low);
        EXPECT_LE(value, *high);
      }
    }
  }
}

TEST(Challenge, IndicesStayIndices) {
  const std::vector<std::int64_t> indices = {3, 1, 4, 1, 5, 9, 2, 6};
  const auto bytes = std::as_bytes(std::span(indices));
  const std::vector<InputData> inputs = {{"t", {bytes.begin(), bytes.end()}}};
  for (std::uint64_t key = 0; key < 50; ++key)
    for (const Challenge& one : draw_challenges(inputs, {ElementType::i64}, RandomKey{key}))
      for (const double value : values_of(one.bytes, ElementType::i64))
        EXPECT_NE(std::find(indices.begin(), indices.end(), static_cast<std::int64_t>(value)), indices.end());
}

TEST(Challenge, FollowsFromItsKeyAndNeedsTwoElements) {
  const std::vector<InputData> inputs = {floats({1, 2, 3, 4}), floats({5})};
  const std::vector<ElementType> types = {ElementType::f32, ElementType::f32};
  const auto one = draw_challenges(inputs, types, RandomKey{7}),
             again = draw_challenges(inputs, types, RandomKey{7});
  ASSERT_EQ(one.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one[i].input, 0u);
    EXPECT_EQ(one[i].begin, again[i].begin);
    EXPECT_EQ(one[i].bytes, again[i].bytes);
  }
  EXPECT_TRUE(draw_challenges({floats({1}), floats({})}, types, RandomKey{7}).empty());
}

}  // namespace
}  // namespace trl::runtime
