#include "verifier/inputs/inputs.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "verifier/compare/input_tensors.hpp"
#include "verifier/inputs/extreme_inputs.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {

std::vector<InputData> draw_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                   std::string_view commitment, int draw) {
  const RandomKey key = input_key(
      secret, commitment, draw == 0 ? variation.label() : variation.label() + fmt::format("/{}", draw));
  if (variation.kind == Variation::Kind::Extreme) return extreme_inputs(task, variation, key, draw);
  RandomStream stream(key);
  std::vector<InputData> inputs;
  for (const TensorShape& shape : input_shapes(task, variation)) {
    const ElementType type = element_type(shape.dtype).value();
    const auto width = static_cast<std::size_t>(bytes_of(type));
    InputData input{shape.name, std::vector<std::byte>(static_cast<std::size_t>(shape.elements()) * width)};
    const auto row = static_cast<std::size_t>(shape.extents.empty() ? 1 : shape.extents.back());
    const std::vector<double> values = shape.domain.draw_all(
        stream, static_cast<std::size_t>(shape.elements()), row, variation.value_factor());
    for (std::size_t i = 0; i < values.size(); ++i)
      store_element(type, values[i], input.bytes.data() + i * width);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<InputData> large_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                    std::string_view commitment) {
  std::vector<InputData> inputs;
  for (const TensorShape& shape : input_shapes(task, variation))
    inputs.push_back(
        {shape.name,
         {},
         DrawnContents{element_type(shape.dtype).value(), shape.elements(),
                       shape.extents.empty() ? 1 : shape.extents.back(), shape.domain,
                       variation.value_factor(),
                       input_key(secret, commitment,
                                 fmt::format("{}/pages of {}", variation.label(), inputs.size()))}});
  return inputs;
}

std::vector<InputData> scaled_inputs(const Task& task, const Variation& variation,
                                     std::vector<InputData> inputs, double factor) {
  const std::vector<TensorShape> shapes = input_shapes(task, variation);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].domain.integers || !shapes[i].domain.is_elementwise()) continue;
    const ElementType type = element_type(shapes[i].dtype).value();
    const auto width = static_cast<std::size_t>(bytes_of(type));
    for (std::size_t at = 0; at < inputs[i].bytes.size(); at += width) {
      std::byte* const element = inputs[i].bytes.data() + at;
      store_element(type, shapes[i].domain.admitted(factor * load_element(type, element)), element);
    }
  }
  return inputs;
}

std::vector<at::Tensor> input_tensors(const Task& task, const Variation& variation,
                                      const std::vector<InputData>& inputs) {
  std::vector<at::Tensor> tensors;
  const std::vector<TensorShape> shapes = input_shapes(task, variation);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ElementType type = element_type(shapes[i].dtype).value();
    at::Tensor tensor = at::empty(shapes[i].extents, at::kDouble);
    auto* to = tensor.data_ptr<double>();
    const auto width = static_cast<std::size_t>(bytes_of(type));
    for (std::int64_t k = 0; k < tensor.numel(); ++k)
      to[k] = load_element(type, inputs[i].bytes.data() + static_cast<std::size_t>(k) * width);
    tensors.push_back(tensor);
  }
  return tensors;
}

}  // namespace trl::runtime
