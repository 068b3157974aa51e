// Convolutions over one, two or three spatial axes, and transposed convolutions, which undo their strides.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

namespace {

const char* layouts[] = {"", "[batch, channels, length]", "[batch, channels, height, width]",
                         "[batch, channels, depth, height, width]"};

struct Layout {
  std::size_t axes = 0;      // spatial ones
  std::size_t channels = 0;  // the axis of the channels: 1, or 0 without a batch
};

Layout layout(const Call& call) {
  call.floats({"x", "weight", "bias"});
  Layout own{call.spatial_axes(), 1};
  call.ranks("x", own.axes + 1, own.axes + 2, layouts[own.axes]);
  call.ranks("weight", own.axes + 2, own.axes + 2, "[out, in / groups, …]");
  if (call.shape().size() == own.axes + 1) own.channels = 0;
  return own;
}

Dimension grouped(const Call& call, const Dimension& channels, const std::string& whose) {
  const Dimension& groups = call.size("groups");
  call.at_least(groups, 1, [](const std::string& where) { return "groups is " + where; });
  const auto each = channels.exactly_over(groups);
  if (!each)
    call.fail("groups",
              fmt::format("{} channels of {} aren't {} equal groups whatever the sizes", channels.text(),
                          call.named(whose), groups.text()),
              {});
  return *each;
}

void join_channels(const Call& call, const Dimension& of_x, const Dimension& of_weight) {
  if (!(of_x == of_weight))
    call.fail("weight",
              fmt::format("joins {} and {}: {} is not {}", call.tensor().text(), call.tensor("weight").text(),
                          of_x.text(), of_weight.text()),
              {call.op.family == operators::Family::convolutions ? "weight is [out, in / groups, kernel …]"
                                                                 : "weight is [in, out / groups, kernel …]"});
}

}  // namespace

Type convolution(Call& call) {
  const Layout at = layout(call);
  Type type = call.tensor().type;
  const Shape& weight = call.shape("weight");
  const auto stride = call.window("stride", at.axes, 1), padding = call.window("padding", at.axes, 0),
             dilation = call.window("dilation", at.axes, 1);
  Dimension& channels = type.shape[at.channels];
  if (call.size("groups").is(1)) {
    join_channels(call, channels, weight[1]);
  } else {
    join_channels(call, channels, weight[1] * call.size("groups"));
    grouped(call, weight[0], "weight");
  }
  call.shape_is("bias", {weight[0]}, "one for each of the weight's output channels");
  channels = weight[0];
  for (std::size_t i = 0; i < at.axes; ++i) {
    Dimension& size = type.shape[at.channels + 1 + i];
    const Dimension reach = (weight[2 + i] - 1) * dilation[i] + 1, padded = size + 2 * padding[i];
    call.at_least(padded - reach, 0, [&](const std::string&) {
      return fmt::format("a kernel of {} is larger than {}: {}", text(slice(weight, 2, at.axes)),
                         call.named("x"),
                         padded.text() + " is " + call.used.below(padded - reach + 1, 1).value_or("") +
                             " short of one step");
    });
    size = (padded - reach).over(stride[i]) + 1;
  }
  return type;
}

Type transposed(Call& call) {
  const Layout at = layout(call);
  Type type = call.tensor().type;
  const Shape& weight = call.shape("weight");
  const auto stride = call.window("stride", at.axes, 1), padding = call.window("padding", at.axes, 0),
             more = call.window("output_padding", at.axes, 0), dilation = call.window("dilation", at.axes, 1);
  Dimension& channels = type.shape[at.channels];
  join_channels(call, channels, weight[0]);
  grouped(call, weight[0], "weight");
  channels = weight[1] * call.size("groups");
  call.shape_is("bias", {channels}, "one for each output channel");
  for (std::size_t i = 0; i < at.axes; ++i) {
    if (more[i] >= stride[i] && more[i] >= dilation[i])
      call.fail("output_padding",
                fmt::format("output_padding {} isn't below stride {} or dilation {}", more[i], stride[i],
                            dilation[i]),
                {});
    Dimension& size = type.shape[at.channels + 1 + i];
    size = (size - 1) * stride[i] - 2 * padding[i] + (weight[2 + i] - 1) * dilation[i] + more[i] + 1;
  }
  return type;
}

}  // namespace trl::language::tasks::rules
