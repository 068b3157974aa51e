// The inputs that verifier/baseline/draws.py draws on a GPU are those of draw_inputs. Triton's interpreter
// carries the drawing kernel out, so that no GPU is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/support/child_process.hpp"
#include "tests/verifier/task_of.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/plan/commitment.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {
namespace {

constexpr const char* secret = "5ec2e7";
constexpr const char* commitment = "c0117";

// Draws the inputs of a test case as own_sizes.py does, and prints each as hexadecimal bytes on a line.
constexpr const char* script = R"(
import json, sys
sys.path.insert(0, sys.argv[1])
import torch
import draws
request = json.loads(sys.argv[2])
for entry in request["inputs"]:
    out = torch.empty(entry["shape"], dtype=draws.DTYPES[entry["dtype"]])
    draws.draw_into(out, entry, int(request["key"]))
    print(bytes(out.reshape(-1).view(torch.uint8).tolist()).hex())
)";

std::vector<std::vector<std::byte>> drawn_by_kernel(const Task& task, const Variation& variation) {
  nlohmann::json request = {{"key", std::to_string(input_key(secret, commitment, variation.label()).value)}};
  std::int64_t begin = 0;
  for (const TensorShape& shape : input_shapes(task, variation)) {
    request["inputs"].push_back(shape.to_json());
    request["inputs"].back()["begin"] = begin;
    request["inputs"].back()["factor"] = shape.domain.integers ? 1.0 : variation.value_factor();
    begin += shape.elements();
  }
  ::setenv("TRITON_INTERPRET", "1", 1);
  const Installation installation = find_installation();
  ChildProcess child(std::vector<std::string>{installation.python.string(), "-B", "-c", script,
                                              (installation.scripts / "baseline").string(), request.dump()});
  ::unsetenv("TRITON_INTERPRET");
  std::vector<std::vector<std::byte>> out;
  while (const auto line = child.read_line(std::chrono::seconds(120))) {
    std::vector<std::byte>& bytes = out.emplace_back();
    for (std::size_t i = 0; i + 1 < line->size(); i += 2)
      bytes.push_back(static_cast<std::byte>(std::stoi(line->substr(i, 2), nullptr, 16)));
  }
  EXPECT_EQ(out.size(), task.inputs.size()) << child.errors();
  return out;
}

TEST(DrawsOnGpu, AreThoseOfTheCpu) {
  const Task task = task_of(
      "[N = 3, M = 1021](x: f32[N, M], r: f32(0.1..0.7)[M], p: f32(positive)[M], h: f16[M], "
      "n: f32(normal(0.3, 2))[M], i: i8(-128..127)[M]) = x + r + p + n + to(h, f32) + to(i, f32)");
  for (const char* label : {"original", "scale(2)"}) {
    const Variation variation = Variation::parse(nlohmann::json(label));
    const std::vector<InputData> expected = draw_inputs(task, variation, secret, commitment);
    const auto drawn = drawn_by_kernel(task, variation);
    ASSERT_EQ(drawn.size(), expected.size());
    const std::vector<TensorShape> shapes = input_shapes(task, variation);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(drawn[k].size(), expected[k].bytes.size()) << shapes[k].name;
      const ElementType type = element_type(shapes[k].dtype).value();
      const auto width = static_cast<std::size_t>(bytes_of(type));
      std::size_t unlike = 0;
      for (std::size_t at = 0; at < drawn[k].size(); at += width) {
        const double one = load_element(type, drawn[k].data() + at),
                     other = load_element(type, expected[k].bytes.data() + at);
        unlike += one != other;
        EXPECT_NEAR(one, other, std::abs(other) * 0x1p-10 * (width < 4 ? 1 : 0x1p-13)) << shapes[k].name;
      }
      // The logarithm and the cosine of two libraries may differ in the last bit of an f64.
      EXPECT_LE(unlike, drawn[k].size() / width / 1000) << shapes[k].name;
    }
  }
}

}  // namespace
}  // namespace trl::runtime
