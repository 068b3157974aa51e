// Functions that give a tensor's elements another shape, or put tensors together.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

namespace {

/// Checks that x is a tensor. The operators in this file don't change values, so its dtype doesn't matter.
void a_tensor(Call& call) {
  call.a_tensor("x");
  call.below = call.tensor().below;
}

}  // namespace

/// Swaps a matrix's two axes, or two named axes. For a matrix the axes needn't be written.
Type transpose(Call& call) {
  a_tensor(call);
  Type type = call.tensor().type;
  if (!call.has("axis0") && !call.has("axis1")) {
    if (type.rank() != 2)
      call.fail(fmt::format("{} isn't a matrix: say which two axes", call.named("x")),
                {fmt::format("transpose({}, -2, -1) exchanges the last two", call.tensor().source)});
    std::swap(type.shape[0], type.shape[1]);
    return type;
  }
  if (!call.has("axis0") || !call.has("axis1"))
    call.fail("it takes two axes", {fmt::format("transpose({}, 0, 1)", call.tensor().source)});
  std::size_t a = call.axis("axis0", type.rank()), b = call.axis("axis1", type.rank());
  if (a > b) std::swap(a, b);
  std::swap(type.shape[a], type.shape[b]);
  call.arguments["axis0"].integer = static_cast<std::int64_t>(a);
  call.arguments["axis1"].integer = static_cast<std::int64_t>(b);
  if (type.rank() == 2 && a != b) {
    call.arguments.erase("axis0");
    call.arguments.erase("axis1");
  }
  return type;
}

Type permute(Call& call) {
  a_tensor(call);
  const Shape& shape = call.shape();
  std::vector<std::int64_t> order = call.integer_list("axes"), sorted(shape.size());
  for (std::int64_t& axis : order)
    if (axis < 0) axis += static_cast<std::int64_t>(shape.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  if (!std::is_permutation(order.begin(), order.end(), sorted.begin(), sorted.end()))
    call.fail("axes",
              fmt::format("the order of axes isn't one of the {} of {}", shape.size(), call.named("x")),
              {"each axis is in the list once: permute(x, [1, 0, 2])"});
  Type type{call.tensor().type.dtype, {}};
  for (const std::int64_t axis : order) type.shape.push_back(shape[static_cast<std::size_t>(axis)]);
  call.arguments["axes"].integers = order;
  return type;
}

Type reshape(Call& call) {
  a_tensor(call);
  Shape wanted = call.sizes("shape");
  const Dimension all = elements(call.shape());
  Dimension known = 1;
  Dimension* open = nullptr;
  for (Dimension& size : wanted) {
    if (size.is(-1)) {
      if (open) call.fail("shape", "two sizes are -1", {"one of them can be found from the others"});
      open = &size;
      continue;
    }
    call.at_least(size, 1, [&](const std::string& where) {
      return fmt::format("the size {} is {}", size.text(), where);
    });
    known = known * size;
  }
  if (open) {
    const auto rest = all.exactly_over(known);
    if (!rest)
      call.fail("shape",
                fmt::format("{} has {} elements, and {} doesn't divide that whatever the sizes",
                            call.named("x"), all.text(), known.text()),
                {});
    *open = *rest;
  } else if (known != all) {
    call.fail("shape",
              fmt::format("{} has {} elements, and {} has {}", call.named("x"), all.text(), text(wanted),
                          known.text()),
              {"-1 stands for the size that is left"});
  }
  call.arguments["shape"].sizes = wanted;
  return {call.tensor().type.dtype, wanted};
}

Type flatten(Call& call) {
  a_tensor(call);
  const Shape& shape = call.shape();
  Type type{call.tensor().type.dtype, {}};
  const std::size_t from = call.axis("start_axis"), to = call.axis("end_axis");
  if (from > to) call.fail("start_axis", fmt::format("it starts at axis {} and ends at {}", from, to), {});
  Dimension product = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool within = i >= from && i <= to;
    if (within) product = product * shape[i];
    if (!within || i == to) type.shape.push_back(within ? product : shape[i]);
  }
  return type;
}

Type repeated(Call& call) {
  a_tensor(call);
  Type type = call.tensor().type;
  const std::int64_t repeats = call.integer("repeats");
  if (repeats < 1) call.fail("repeats", fmt::format("repeats is {}; it is at least 1", repeats), {});
  Dimension& size = type.shape[call.axis()];
  size = size * repeats;
  return type;
}

Type unsqueeze(Call& call) {
  a_tensor(call);
  Type type = call.tensor().type;
  const std::size_t at = call.axis("axis", type.rank() + 1);
  type.shape.insert(type.shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
  return type;
}

Type squeeze(Call& call) {
  a_tensor(call);
  Type type = call.tensor().type;
  const std::size_t at = call.axis();
  if (!type.shape[at].is(1))
    call.fail("axis", fmt::format("axis {} of {} is {}, not 1", at, call.named("x"), type.shape[at].text()),
              {"only an axis of size 1 can go"});
  type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(at));
  return type;
}

Type expand(Call& call) {
  a_tensor(call);
  const Shape& shape = call.shape();
  Shape wanted = call.sizes("shape");
  bool fits = wanted.size() >= shape.size();
  for (std::size_t i = 1; fits && i <= wanted.size(); ++i) {
    Dimension& size = wanted[wanted.size() - i];
    const Dimension* own = i <= shape.size() ? &shape[shape.size() - i] : nullptr;
    if (own && size.is(-1)) size = *own;
    fits = own ? *own == size || own->is(1) : !size.is(-1);
    call.at_least(size, 1, [&](const std::string& where) {
      return fmt::format("the size {} is {}", size.text(), where);
    });
  }
  if (!fits)
    call.fail("shape", fmt::format("{} doesn't expand to {}", call.named("x"), text(wanted)),
              {"sizes count from the last; only an axis of size 1 grows"});
  call.arguments["shape"].sizes = wanted;
  return {call.tensor().type.dtype, wanted};
}

Type pad(Call& call) {
  if (operators::is_integer(call.numbers()) && call.real("value") != 0)
    call.fail("value", fmt::format("integers are padded with 0, not {}", call.real("value")), {});
  Type type = call.tensor().type;
  const std::vector<std::int64_t>& amounts = call.integer_list("pad");
  if (amounts.empty() || amounts.size() % 2 != 0 || amounts.size() / 2 > type.rank())
    call.fail("pad", fmt::format("pad has {} numbers for {}", amounts.size(), call.named("x")),
              {"two an axis, before and after it, the last axis first: pad(x, [1, 1])"});
  for (std::size_t i = 0; i < amounts.size() / 2; ++i) {
    Dimension& size = type.shape[type.rank() - 1 - i];
    size = size + amounts[2 * i] + amounts[2 * i + 1];
  }
  return type;
}

namespace {

/// Returns the first tensor's type; all tensors must have its rank and dtype.
Type alike(Call& call, const std::vector<Tensor>& all) {
  if (all.empty()) call.fail("tensors", "the list is empty", {"cat([x, y], axis = 1)"});
  for (const Tensor& own : all) {
    if (own.constant())
      call.fail("tensors", fmt::format("{} is in the list; they are tensors", own.text()), {});
    if (own.type.dtype != all[0].type.dtype || own.type.rank() != all[0].type.rank())
      call.fail("tensors", fmt::format("joins {} and {}", all[0].text(), own.text()),
                {"they have the same dtype and number of axes"});
  }
  const bool bounded = all[0].below && std::all_of(all.begin(), all.end(), [&](const Tensor& own) {
                         return own.below && *own.below == *all[0].below;
                       });
  if (bounded) call.below = all[0].below;
  return all[0].type;
}

[[noreturn]] void unequal(const Call& call, const Tensor& a, const Tensor& b, std::size_t axis,
                          const std::string& note) {
  call.fail("tensors",
            fmt::format("joins {} and {}: {} is not {}", a.text(), b.text(), a.shape()[axis].text(),
                        b.shape()[axis].text()),
            {note});
}

}  // namespace

Type cat(Call& call) {
  const std::vector<Tensor>& all = call.tensors("tensors");
  Type type = alike(call, all);
  const std::size_t along = call.axis("axis", type.rank());
  for (std::size_t k = 1; k < all.size(); ++k)
    for (std::size_t i = 0; i < type.rank(); ++i) {
      if (i == along)
        type.shape[i] = type.shape[i] + all[k].shape()[i];
      else if (!(all[k].shape()[i] == type.shape[i]))
        unequal(call, all[0], all[k], i, fmt::format("they may differ along axis {} alone", along));
    }
  return type;
}

Type stack(Call& call) {
  const std::vector<Tensor>& all = call.tensors("tensors");
  Type type = alike(call, all);
  for (const Tensor& own : all)
    for (std::size_t i = 0; i < type.rank(); ++i)
      if (!(own.shape()[i] == type.shape[i])) unequal(call, all[0], own, i, "stacked tensors have one shape");
  const std::size_t at = call.axis("axis", type.rank() + 1);
  type.shape.insert(type.shape.begin() + static_cast<std::ptrdiff_t>(at),
                    static_cast<std::int64_t>(all.size()));
  return type;
}

}  // namespace trl::language::tasks::rules
