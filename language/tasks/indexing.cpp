// Parts of a tensor, by constant places or by a tensor of indices.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type narrow(Call& call) {
  call.floats();
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  const Dimension start = call.size("start"), length = call.size("length");
  const std::string what = fmt::format("{} from {} of axis {} of {}", length.text(), start.text(),
                                       call.integer("axis"), call.named("x"));
  call.at_least(start, 0, [&](const std::string& where) { return what + ": the start is " + where; });
  call.at_least(length, 1, [&](const std::string& where) { return what + ": the length is " + where; });
  call.at_least(size - start - length, 0, [&](const std::string& where) {
    return what + ": there are " + size.text() + ", and what is left behind it is " + where;
  });
  size = length;
  return type;
}

Type select(Call& call) {
  call.floats();
  Type type = call.tensor().type;
  const std::size_t along = call.axis();
  const std::int64_t index = call.integer("index");
  call.at_least(type.shape[along], index < 0 ? -index : index + 1, [&](const std::string& where) {
    return fmt::format("index {} of axis {} of {}: its size is {}", index, along, call.named("x"), where);
  });
  type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(along));
  return type;
}

Type index_select(Call& call) {
  call.floats();
  call.integers("index");
  call.ranks("index", 1, 1, "a vector of places along the axis");
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  call.index_below("index", size);
  size = call.shape("index")[0];
  return type;
}

Type gather(Call& call) {
  call.floats();
  call.integers("index");
  const Shape &x = call.shape(), &index = call.shape("index");
  const std::size_t along = call.axis();
  if (call.tensor("index").type.dtype != "i64")
    call.fail("index", fmt::format("{} is not i64", call.named("index")),
              {"PyTorch's gather takes i64 alone"});
  if (index.size() != x.size())
    call.fail("index",
              fmt::format("joins {} and {}: they have as many axes", call.named("x"), call.named("index")),
              {});
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i != along && call.used.below(x[i] - index[i], 0))
      call.fail("index",
                fmt::format("joins {} and {}: {} is more than {}", call.named("x"), call.named("index"),
                            index[i].text(), x[i].text()),
                {fmt::format("only along axis {} can there be more", along)});
  call.index_below("index", x[along]);
  return {call.tensor().type.dtype, index};
}

Type embedding(Call& call) {
  call.integers("x");
  call.floats({"weight"});
  call.ranks("weight", 2, 2, "a matrix with a row for each index");
  call.index_below("x", call.shape("weight")[0]);
  Type type{call.tensor("weight").type.dtype, call.shape()};
  type.shape.push_back(call.shape("weight")[1]);
  return type;
}

}  // namespace trl::language::tasks::rules
