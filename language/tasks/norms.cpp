// Operators that normalise values by their own statistics.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type over_axes(Call& call) {
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
  return call.tensor().type;
}

namespace {

/// Checks that weight and bias have one number for each channel.
void channels(const Call& call) {
  for (const char* name : {"weight", "bias"})
    call.shape_is(name, {call.shape()[1]}, "one for each channel, along axis 1");
}

void enough(const Call& call, const Dimension& count, const char* what) {
  call.at_least(count, 2, [&](const std::string& where) {
    return fmt::format("{} has too few values {}: {}", call.named("x"), what, where);
  });
}

}  // namespace

Type batch_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  const Shape& shape = call.shape();
  call.ranks("x", 2, 5, "[batch, channels, …]");
  channels(call);
  enough(call, *elements(shape).exactly_over(shape[1]), "a channel");
  return call.tensor().type;
}

Type group_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  call.ranks("x", 2, 5, "[batch, channels, …]");
  const Shape& shape = call.shape();
  const std::int64_t groups = call.integer("num_groups");
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
  return call.tensor().type;
}

Type instance_norm(Call& call) {
  call.floats({"x", "weight", "bias"});
  call.ranks("x", 3, 5, "[batch, channels, …]");
  channels(call);
  const Shape& shape = call.shape();
  enough(call, elements(slice(shape, 2, shape.size() - 2)), "a channel");
  return call.tensor().type;
}

}  // namespace trl::language::tasks::rules
