// Tensors of no input.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type arange(Call& call) {
  const std::string dtype = call.choice("dtype");
  const Dimension& size = call.size("size");
  call.at_least(size, 1, [&](const std::string& where) {
    return fmt::format("the size {} is {}", size.text(), where);
  });
  if (dtype == "bool" || operators::is_storage(dtype))
    call.fail("dtype", fmt::format("{} can't count", dtype), {"i64, i32 or f32 can"});
  if (operators::is_integer(dtype)) call.below = size;
  return {dtype, {size}};
}

/// The lowering knows its dtype: that of what it stands beside.
Type size(Call&) { return {"f32", {}}; }

Type zeros(Call& call) {
  const Shape shape = call.sizes("shape");
  for (const Dimension& size : shape)
    call.at_least(size, 1, [&](const std::string& where) {
      return fmt::format("the size {} is {}", size.text(), where);
    });
  if (operators::is_integer(call.choice("dtype"))) call.below = 1;
  return {call.choice("dtype"), shape};
}

}  // namespace trl::language::tasks::rules
