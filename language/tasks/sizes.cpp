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

/// The lowering chooses the dtype: that of the tensor with which the size is combined.
Type size(Call&) { return {"f32", {}}; }

/// The value holds the elements of all results, one after another.
Type results(Call& call) {
  const std::vector<Tensor>& all = call.tensors("values");
  if (all.size() < 2)
    call.fail("values", "a task has one result without brackets, and two or more within them", {});
  Dimension count = 0;
  for (const Tensor& own : all) {
    if (own.constant() || own.value.is_input())
      call.fail("values", fmt::format("a result is computed; this only gives back {}", own.source), {});
    count = count + elements(own.shape());
  }
  return {"results", {count}};
}

Type module_output(Call& call) {
  call.fail(
      "a task of a .trl file says its value by tensor functions",
      {"tasks of files, as `kernelbench(…)` reads them, are judged by their modules where no expression "
       "says them"});
}

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
