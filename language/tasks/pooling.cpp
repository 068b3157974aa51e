// Pooling: each window is replaced by its largest value or its mean.
#include <fmt/format.h>

#include "base/operators/operator_ids.hpp"
#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

namespace {

/// Returns the index of the first spatial axis.
std::size_t first_axis(const Call& call) {
  call.floats();
  const std::size_t axes = call.spatial_axes();
  call.ranks("x", axes + 1, axes + 2,
             fmt::format("[batch, channels, {}]", axes == 1   ? "length"
                                                  : axes == 2 ? "height, width"
                                                              : "depth, height, width"));
  return call.shape().size() - axes;
}

}  // namespace

Type pool(Call& call) {
  const std::size_t from = first_axis(call), axes = call.spatial_axes();
  Type type = call.tensor().type;
  const auto kernel = call.window("kernel_size", axes, 1);
  if (!call.has("stride")) call.arguments["stride"].integers = kernel;
  const auto stride = call.window("stride", axes, 1), padding = call.window("padding", axes, 0);
  const auto dilation =
      call.has("dilation") ? call.window("dilation", axes, 1) : std::vector<std::int64_t>(axes, 1);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
    if (2 * padding[i] > kernel[i])
      call.fail("padding",
                fmt::format("padding {} is more than half of the window {}", padding[i], kernel[i]), {});
    Dimension& size = type.shape[from + i];
    // In PyTorch, only avg_pool3d requires that the window fits without the padding.
    if (call.op.id == Operator::avg_pool3d)
      call.at_least(size - kernel[i], 0, [&](const std::string&) {
        return fmt::format("a window of {} is larger than {} without padding: {} is {}", kernel[i],
                           call.named("x"), size.text(), call.used.below(size, kernel[i]).value_or(""));
      });
    const Dimension room = size + 2 * padding[i] - reach;
    call.at_least(room, 0, [&](const std::string&) {
      return fmt::format("a window of {} is larger than {}: {} is {}", reach, call.named("x"), size.text(),
                         call.used.below(size, reach - 2 * padding[i]).value_or(""));
    });
    size = room.over(stride[i]) + 1;
  }
  return type;
}

Type adaptive(Call& call) {
  const std::size_t from = first_axis(call), axes = call.spatial_axes();
  Type type = call.tensor().type;
  const auto sizes = call.window("output_size", axes, 1);
  for (std::size_t i = 0; i < axes; ++i) type.shape[from + i] = sizes[i];
  return type;
}

}  // namespace trl::language::tasks::rules
