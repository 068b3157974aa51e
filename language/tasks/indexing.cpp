// Parts of a tensor, selected by constants or by a tensor of indices.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type narrow(Call& call) {
  call.a_tensor("x");
  call.below = call.tensor().below;
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
  call.a_tensor("x");
  call.below = call.tensor().below;
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
  call.a_tensor("x");
  call.below = call.tensor().below;
  call.places("index");
  call.ranks("index", 1, 1, "a vector of places along the axis");
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  call.index_below("index", size);
  size = call.shape("index")[0];
  return type;
}

namespace {

/// Checks an index for x: it must be i64 and have as many axes as x. Along axes other than `along` it must
/// not be longer than x.
void index_beside(const Call& call, std::size_t along) {
  call.integers("index");
  const Shape &x = call.shape(), &index = call.shape("index");
  if (call.tensor("index").type.dtype != "i64")
    call.fail("index", fmt::format("{} is not i64", call.named("index")),
              {fmt::format("PyTorch's {} takes i64 alone", call.op.name)});
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
}

}  // namespace

Type gather(Call& call) {
  call.a_tensor("x");
  index_beside(call, call.axis());
  call.below = call.tensor().below;
  return {call.tensor().type.dtype, call.shape("index")};
}

/// For each element of source, index has its place along the axis of x.
Type scatter_add(Call& call) {
  call.numbers({"x", "source"});
  index_beside(call, call.axis());
  if (call.tensor("source").constant() || call.shape("source") != call.shape("index"))
    call.fail(
        "source",
        fmt::format("joins {} and {}: one place for each element", call.named("index"), call.named("source")),
        {});
  return call.tensor().type;
}

/// Source has the shape of x, except along the axis, where it has as many places as index.
Type index_add(Call& call) {
  call.numbers({"x", "source"});
  call.places("index");
  call.ranks("index", 1, 1, "a vector of places along the axis");
  call.a_tensor("source");
  const std::size_t along = call.axis();
  call.index_below("index", call.shape()[along]);
  Shape wanted = call.shape();
  wanted[along] = call.shape("index")[0];
  if (call.shape("source") != wanted)
    call.fail(
        "source",
        fmt::format("joins {} and {}: source is {}", call.named("x"), call.named("source"), text(wanted)),
        {"one place along the axis for each of index"});
  return call.tensor().type;
}

/// Rows offsets[i] to offsets[i + 1] - 1 become row i.
Type segment_reduce(Call& call) {
  call.floats();
  call.ranks("x", 1, 64, "rows along axis 0");
  call.integers("offsets");
  call.ranks("offsets", 1, 1, "a vector of offsets, one more than there are segments");
  const Tensor& offsets = call.tensor("offsets");
  const Dimension& rows = call.shape()[0];
  if (!offsets.offsets_of || !(*offsets.offsets_of == rows))
    call.fail("offsets",
              fmt::format("nothing says that {} are offsets of {} rows", call.named("offsets"), rows.text()),
              {fmt::format("as an input it says so: offsets: i64(offsets({}))[B + 1]", rows.text())});
  Shape shape = call.shape();
  shape[0] = call.shape("offsets")[0] - 1;
  return {call.tensor().type.dtype, shape};
}

Type embedding(Call& call) {
  call.places("x");
  call.a_tensor("weight");
  call.below = call.tensor("weight").below;
  call.ranks("weight", 2, 2, "a matrix with a row for each index");
  call.index_below("x", call.shape("weight")[0]);
  Type type{call.tensor("weight").type.dtype, call.shape()};
  type.shape.push_back(call.shape("weight")[1]);
  return type;
}

}  // namespace trl::language::tasks::rules
