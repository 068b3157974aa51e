#include "verifier/tasks/known_value.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trl::runtime {
namespace {

at::Tensor in_doubles(const at::Tensor& x) { return x.to(at::kDouble).contiguous(); }

bool same(double one, double other) { return one == other || (std::isnan(one) && std::isnan(other)); }

}  // namespace

at::Tensor differ(const at::Tensor& one, const at::Tensor& other) {
  const at::Tensor unequal = one != other;
  return one.is_floating_point() ? unequal.logical_and(one.isnan().logical_and(other.isnan()).logical_not())
                                 : unequal;
}

void add_pair(std::vector<at::Tensor>& others, const at::Tensor& exact, const at::Tensor& one,
              const at::Tensor& other) {
  if (!differ(one, exact).any().item<bool>() && !differ(other, exact).any().item<bool>()) return;
  others.push_back(one);
  others.push_back(other);
}

Known collapsed(const Known& x) {
  if (x.others.empty()) return x;
  Known out{x.exact, x.error, x.eager};
  at::Tensor spread = at::zeros(x.exact.sizes(), at::kDouble);
  std::vector<at::Tensor> left;
  for (const at::Tensor& other : x.others) {
    const at::Tensor apart = (other.to(at::kDouble) - x.exact.to(at::kDouble)).abs();
    spread = at::maximum(spread, apart.masked_fill(apart.isfinite().logical_not(), 0));
    left.push_back(at::where(apart.isfinite(), x.exact, other));
  }
  for (std::size_t i = 0; i + 1 < left.size(); i += 2) add_pair(out.others, x.exact, left[i], left[i + 1]);
  out.error = x.error.defined() ? x.error + spread : spread;
  return out;
}

Perturbed::Perturbed(const at::Tensor& exact, double step)
    : exact_(in_doubles(exact)),
      squares_(at::zeros(exact.sizes(), at::kDouble)),
      step_(step > 0 ? step : std::numeric_limits<double>::infinity()) {}

void Perturbed::add(const at::Tensor& up, const at::Tensor& down, bool discrete, const at::Tensor& anything) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const at::Tensor high = in_doubles(up), low = in_doubles(down);
  const at::Tensor free = anything.defined() ? anything.expand_as(exact_).contiguous() : anything;
  const auto* const exact = exact_.const_data_ptr<double>();
  const double* const moved[2] = {high.const_data_ptr<double>(), low.const_data_ptr<double>()};
  const bool* const is_free = free.defined() ? free.const_data_ptr<bool>() : nullptr;
  auto* const squares = squares_.data_ptr<double>();
  double* others[2] = {nullptr, nullptr};
  left_ = false;
  pairs_[0] = pairs_[1] = std::nullopt;
  const std::int64_t count = exact_.numel();
  for (std::int64_t i = 0; i < count; ++i) {
    double most = 0;
    for (const int side : {0, 1}) {
      const double got = moved[side][i], apart = std::abs(got - exact[i]);
      const bool number = std::isfinite(apart);
      if (same(got, exact[i])) continue;
      if (is_free != nullptr && is_free[i] && !number) {
        most = infinity;
      } else if (number && !discrete && !(apart >= 0.5 * step_ && apart <= 1.5 * step_)) {
        most = std::max(most, apart);
      } else {
        left_ = left_ || !number;
        if (others[side] == nullptr) {
          pairs_[side] = others_.size();
          others_.insert(others_.end(), 2, exact_.clone());
          others[side] = others_.back().data_ptr<double>();
        }
        others[side][i] = got;
      }
    }
    squares[i] += most * most;
  }
}

void Perturbed::add_anything(const at::Tensor& where) {
  squares_ = squares_.masked_fill(where, std::numeric_limits<double>::infinity());
}

void Perturbed::add_nearer(const at::Tensor& up, const at::Tensor& down) {
  const at::Tensor nearer[2] = {in_doubles(up), in_doubles(down)};
  for (const int side : {0, 1}) {
    if (!pairs_[side]) continue;
    at::Tensor& first = others_[*pairs_[side]];
    const at::Tensor between =
        exact_.isfinite().logical_not().logical_and(first.isfinite()).logical_and(nearer[side].isfinite());
    first = at::where(between, nearer[side], first);
  }
}

}  // namespace trl::runtime
