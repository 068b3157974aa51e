#include "verifier/tasks/undecided.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "base/operators/operator_ids.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;

constexpr double any_integer = std::numeric_limits<double>::infinity();

// An integer that is further off, or a place of more values that are near, counts as any.
constexpr int most_neighbours = 2;
constexpr std::int64_t most_places = 3;

Tensor raised(const Known& x, int sign) {
  if (!x.error.defined()) return x.exact;
  if (x.exact.scalar_type() == at::kBool) {
    const Tensor open = x.error > 0;
    return sign > 0 ? x.exact.logical_or(open) : x.exact.logical_and(open.logical_not());
  }
  const Tensor by = x.error.masked_fill(x.error.isinf(), 0).round();
  return x.exact + (sign * by).to(x.exact.scalar_type());
}

bool may_be_any(const Known& x) { return x.error.defined() && x.error.isinf().any().item<bool>(); }

}  // namespace

bool is_undecided(const Known& x) {
  return !x.exact.is_floating_point() &&
         (!x.others.empty() || (x.error.defined() && (x.error > 0).any().item<bool>()));
}

bool takes_elements(Operator op) {
  return operators::row(op).family == operators::Family::views || op == Operator::embedding ||
         op == Operator::gather || op == Operator::index_select || op == Operator::narrow ||
         op == Operator::select;
}

Known with_neighbours(const Known& index, std::int64_t size) {
  if (!index.error.defined()) return index;
  Known out = index;
  const Tensor any = index.error > most_neighbours;
  for (int step = 1; step <= most_neighbours; ++step) {
    const Tensor open = (index.error >= step).logical_and(any.logical_not());
    const auto moved = [&](int by) {
      return at::where(open, (index.exact + by).clamp(0, size - 1), index.exact);
    };
    add_pair(out.others, index.exact, moved(step), moved(-step));
  }
  out.error = any.any().item<bool>() ? at::zeros_like(index.error).masked_fill(any, any_integer) : Tensor();
  return out;
}

Known other_places(const Expression& node, const Known& x, const Tensor& out) {
  Known places{out, {}, {}};
  if (!x.error.defined()) return places;
  const bool all = node.options.at("axis").is_array(), sorts = node.op == Operator::argsort;
  const std::int64_t axis = all ? 0 : node.options.at("axis").get<std::int64_t>();
  const auto line = [&](const Tensor& of) {
    return all ? of.expand_as(x.exact).reshape({-1}) : of.expand_as(x.exact);
  };
  const bool descending = node.op == Operator::argmax || (sorts && node.options.at("descending").get<bool>());
  const Tensor order = at::argsort(line(x.exact), /*stable=*/true, axis, descending);
  const Tensor sorted = line(x.exact).gather(axis, order), off = line(x.error).gather(axis, order);
  const std::int64_t size = sorted.size(axis);
  // Only the first place counts where the others aren't in the value.
  const auto counting = [&](const Tensor& of) {
    return sorts ? of : of.narrow(axis, 0, 1).reshape(out.sizes());
  };
  Tensor any = at::zeros(sorted.sizes(), at::kBool);
  for (std::int64_t by = 1; by <= most_places + 1 && by < size; ++by) {
    const auto first = [&](const Tensor& of) { return of.narrow(axis, 0, size - by); };
    const auto last = [&](const Tensor& of) { return of.narrow(axis, by, size - by); };
    const Tensor apart = (last(sorted) - first(sorted)).abs();
    const Tensor near = (apart <= last(off) + first(off)).logical_or(apart.isnan());
    if (by > most_places) {
      first(any).logical_or_(near);
      last(any).logical_or_(near);
      break;
    }
    Tensor later = order.clone(), earlier = order.clone();
    first(later).copy_(at::where(near, last(order), first(order)));
    last(earlier).copy_(at::where(near, first(order), last(order)));
    add_pair(places.others, out, counting(later), counting(earlier));
  }
  any = counting(any);
  if (any.any().item<bool>())
    places.error = at::zeros(out.sizes(), at::kDouble).masked_fill(any, any_integer);
  return places;
}

Tensor elements_behind(const Expression& node, const Tensor& mask, const Tensor& out) {
  if (node.op == Operator::embedding) return mask.unsqueeze(-1).expand_as(out);
  if (node.op == Operator::gather) return mask;
  std::vector<std::int64_t> shape(static_cast<std::size_t>(out.dim()), 1);
  shape.at(node.options.at("axis").get<std::size_t>()) = -1;
  return mask.reshape(shape).expand_as(out);
}

Tensor error_of_integers(const std::vector<Known>& args, const Tensor& out,
                         const std::function<Tensor(const std::vector<Tensor>&)>& compute) {
  const auto all = [&](const auto& of) {
    std::vector<Tensor> list;
    for (const Known& argument : args) list.push_back(of(argument));
    return compute(list);
  };
  const auto distance = [&](const Tensor& x) { return (x.to(at::kDouble) - out.to(at::kDouble)).abs(); };
  const Tensor up = all([](const Known&x) { return raised(x, 1); }),
               down = all([](const Known&x) { return raised(x, -1); });
  const Tensor error = at::maximum(distance(up), distance(down));
  if (std::none_of(args.begin(), args.end(), may_be_any)) return error;
  const Tensor poisoned = all([](const Known& x) {
    const Tensor numbers = x.exact.to(at::kDouble);
    return may_be_any(x) ? numbers.masked_fill(x.error.isinf(), std::numeric_limits<double>::quiet_NaN())
                         : numbers;
  });
  return error.masked_fill(poisoned.to(at::kDouble).isnan(), any_integer);
}

}  // namespace trl::runtime
