// Values over their own statistics.
#include <fmt/format.h>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {
namespace {

Result over_axes(Call& call) {
  const std::string dtype = call.floats({"x", "weight", "bias"});
  const auto axes = call.axes();
  if (axes.empty()) call.fail("x", fmt::format("{} has no axes", call.named("x")), {});
  const Shape& shape = call.shape();
  const bool last = axes.back() + 1 == shape.size() && axes.back() - axes.front() + 1 == axes.size();
  if (axes.size() > 1 && !last)
    call.fail("axis", "several axes are the last ones", {"permute brings them there"});
  if (call.has("weight") && !last)
    call.fail("weight", "weights go with the last axes", {"permute brings them there, or multiply yourself"});
  const Shape own = slice(shape, axes.front(), axes.size());
  call.shape_is("weight", own, "one for each value along the axes");
  call.shape_is("bias", own, "one for each value along the axes");
  return {call.tensor().type, ""};
}

/// Weights and biases, one a channel.
void channels(const Call& call) {
  for (const char* name : {"weight", "bias"})
    call.shape_is(name, {call.shape()[1]}, "one for each channel, along axis 1");
}

void enough(const Call& call, const Dimension& count, const char* what) {
  call.at_least(count, 2, [&](const std::string& where) {
    return fmt::format("{} has too few values {}: {}", call.named("x"), what, where);
  });
}

Result batch_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  const Shape& shape = call.shape();
  call.ranks("x", 2, 5, "[batch, channels, …]");
  channels(call);
  enough(call, *elements(shape).exactly_over(shape[1]), "a channel");
  return {call.tensor().type, ""};
}

Result group_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  call.ranks("x", 2, 5, "[batch, channels, …]");
  const Shape& shape = call.shape();
  const std::int64_t groups = call.whole("num_groups");
  if (groups < 1) call.fail("num_groups", fmt::format("num_groups is {}; it is at least 1", groups), {});
  const auto each = shape[1].exactly_over(groups);
  if (!each)
    call.fail("num_groups",
              fmt::format("{} channels of {} aren't {} equal groups whatever the sizes", shape[1].text(),
                          call.named("x"), groups),
              {shape[1].number()
                   ? fmt::format("num_groups divides {}", shape[1].text())
                   : fmt::format("declare the input with {} * {} channels", groups, shape[1].text())});
  channels(call);
  Dimension count = shape[0] * *each;
  for (std::size_t i = 2; i < shape.size(); ++i) count = count * shape[i];
  enough(call, count, "a group");
  return {call.tensor().type, ""};
}

Result instance_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  call.ranks("x", 3, 5, "[batch, channels, …]");
  channels(call);
  const Shape& shape = call.shape();
  enough(call, elements(slice(shape, 2, shape.size() - 2)), "a channel");
  return {call.tensor().type, ""};
}

}  // namespace

std::vector<Operator> norm_operators() {
  const auto weighted = [](std::vector<Parameter> first, double eps) {
    first.push_back(optional_tensor("weight"));
    first.push_back(optional_tensor("bias"));
    first.push_back(real("eps", eps));
    return first;
  };
  return {
      {"layer_norm", weighted({tensor(), axes()}, 1e-5), over_axes,
       "(x - mean) / sqrt(variance + eps) along axes, times weight plus bias when they are given.", false},
      {"rms_norm",
       {tensor(), axes(), optional_tensor("weight"), real("eps", 1e-5)},
       over_axes,
       "x / sqrt(mean(x * x) + eps) along axes, times weight when it is given.",
       false},
      {"batch_norm", weighted({tensor()}, 1e-5), batch_norm,
       "Every channel over its mean and variance in this batch, times weight plus bias, as in training."},
      {"group_norm",
       {tensor(), whole("num_groups"), optional_tensor("weight"), optional_tensor("bias"), real("eps", 1e-5)},
       group_norm,
       "Groups of channels over the mean and variance of each sample, times weight plus bias."},
      {"instance_norm", weighted({tensor()}, 1e-5), instance_norm,
       "Every channel of every sample over its mean and variance, times weight plus bias."},
  };
}

}  // namespace trl::language::tasks
