#include "verifier/corpus/cuda/writer.hpp"

#include <fmt/format.h>

namespace trl::runtime::cuda {

void Writer::begin_product() {
  const Expression& node = *find_form(task_.value, Form::Matmul);
  const Expression &x = node.args[0], &w = node.args[1];
  if (x.kind != Expression::Kind::Input || w.kind != Expression::Kind::Input || x.input == w.input)
    beyond("a matrix product of something computed");
  enter(task_.value);
  for (const std::size_t index : {x.input, w.input}) {
    if (uses_left_[index] > 0) beyond("a factor of a matrix product used twice");
    use(task_.inputs[index]);
  }
  // The product takes the first factor's name, as in the prompt.
  product_name_ = variable_of(task_.inputs[x.input].name);
  second_factor_ = variable_of(task_.inputs[w.input].name);
  launch_tiles(side(), side());
  for (const char* size : {"M", "N", "K"}) need(size);
}

std::string Writer::right_factor(const std::string& down) const {
  return fmt::format(
      fmt::runtime(flaw_ == Flaw::WrongAxis ? "{0}_ptr[col * K + {1}]" : "{0}_ptr[{1} * N + col]"),
      second_factor_, down);
}

void Writer::product() {
  begin_product();
  element_of_tile(side(), side());
  guard_element();
  line(fmt::format("float {} = 0.0f;", product_name_));
  line("for (int k = 0; k < K; ++k)");
  line(fmt::format("    {0} += float({0}_ptr[row * K + k]) * float({1});", product_name_, right_factor("k")));
  element_and_store(target());
  end_guard();
}

void Writer::tiled_product() {
  begin_product();
  const int width = side();
  const std::string &x = product_name_, &w = second_factor_;
  line(fmt::format("__shared__ float {0}_tile[{2}][{2}], {1}_tile[{2}][{3}];", x, w, width,
                   flaw_ == Flaw::SharedSize ? width / 2 : width));
  element_of_tile(width, width);
  line(fmt::format("float {} = 0.0f;", x));
  open(fmt::format("for (int first = 0; first < K; first += {})", width));
  line("int k_x = first + threadIdx.x, k_y = first + threadIdx.y;");
  const auto fill = [&](const std::string& name, const std::string& inside, const std::string& value) {
    load_lines_.push_back(body_.size());
    line(fmt::format("{}_tile[threadIdx.y][threadIdx.x] = {};", name,
                     guarded_ ? fmt::format("{} ? float({}) : 0.0f", inside, value) : value));
  };
  fill(x, "row < M && k_x < K", fmt::format("{}_ptr[row * K + k_x]", x));
  fill(w, "k_y < K && col < N", right_factor("k_y"));
  if (flaw_ != Flaw::MissingSync) line("__syncthreads();");
  line(fmt::format("for (int k = 0; k < {}; ++k)", width));
  line(fmt::format("    {0} += {0}_tile[threadIdx.y][k] * {1}_tile[k][threadIdx.x];", x, w));
  line("__syncthreads();");
  close();
  guard_element();
  element_and_store(target());
  end_guard();
}

}  // namespace trl::runtime::cuda
