#include "runtime/train/adapter_products.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "runtime/train/device_parameters.hpp"

namespace trl::runtime::adapter_products {
namespace {

using train_device::kMostUnits;
using train_device::PerUnit;

// The number of blocks that a launch should have at least: four for each of 132 multiprocessors.
constexpr std::int64_t kBlocks = 528;

KernelSource source_of(std::size_t units, bool masked) {
  return {"adapter.cu", {{"UNITS", std::to_string(units)}, {"MASKED", masked ? "1" : "0"}}};
}

const Kernel& kernel_of(const std::string& name, std::size_t units, bool masked) {
  static std::map<std::tuple<std::string, std::size_t, bool>, Kernel> loaded;
  const auto found = loaded.find({name, units, masked});
  if (found != loaded.end()) return found->second;
  const Kernel kernel(Modules::shared().module(source_of(units, masked)), name.c_str(), 128);
  return loaded.emplace(std::tuple{name, units, masked}, kernel).first->second;
}

int to_int(std::int64_t value) { return static_cast<int>(value); }

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Returns how many of `steps` steps one block takes, so that a launch has about kBlocks blocks. `beside` is
// the number of blocks that take the same steps. A block takes at least `least` steps, if there are as many.
std::int64_t steps_of_block(std::int64_t steps, std::int64_t beside, std::int64_t least) {
  const auto blocks = std::max<std::int64_t>(1, divided_up(kBlocks, beside));
  return std::max(std::min(least, steps), divided_up(steps, blocks));
}

template <typename Part>
void in_launches(std::size_t count, const Part& part) {
  for (std::size_t first = 0; first < count; first += kMostUnits)
    part(first, std::min(kMostUnits, count - first));
}

template <typename Get>
PerUnit addresses(std::size_t units, const Get& get) {
  PerUnit result{};
  for (std::size_t u = 0; u < units; ++u) result[u] = address(get(u));
  return result;
}

PerUnit kept_of(std::span<const at::Tensor> kept, std::size_t first, std::size_t units) {
  if (kept.empty()) return {};
  return addresses(units, [&](std::size_t u) { return kept[first + u]; });
}

}  // namespace

std::vector<Low> gathered(const at::Tensor& parts, double scale) {
  const auto rows = parts.size(1), units = parts.size(2) / kUnitRank;
  const auto halves = parts.options().dtype(at::kBFloat16);
  const auto low = at::empty({units, rows, kUnitRank}, halves),
             low_t = at::empty({units, kUnitRank, rows}, halves);
  kernel_of("gather", static_cast<std::size_t>(units), false)
      .launch(nullptr, {to_int(rows / 32)},
              train_device::Gather{address(parts), address(low), address(low_t), static_cast<float>(scale),
                                   to_int(rows), to_int(parts.size(0))});
  std::vector<Low> result;
  for (std::int64_t u = 0; u < units; ++u) result.push_back({low.select(0, u), low_t.select(0, u)});
  return result;
}

std::vector<Low> down(const at::Tensor& x, std::span<const at::Tensor> a, std::span<const at::Tensor> kept,
                      double scale) {
  const auto rows = x.size(0), k = x.size(1);
  std::vector<Low> result;
  in_launches(a.size(), [&](std::size_t first, std::size_t units) {
    const auto columns = static_cast<std::int64_t>(units) * kUnitRank;
    const auto steps = steps_of_block(k / 32, rows / kRowMultiple, 4);
    const auto count = divided_up(k / 32, steps);
    const auto parts = at::empty({count, rows, columns}, x.options().dtype(at::kFloat));
    const bool masked = !kept.empty();
    kernel_of("down", units, masked)
        .launch(nullptr, {to_int(rows / kRowMultiple), to_int(count)},
                train_device::Down{address(x), addresses(units, [&](std::size_t u) { return a[first + u]; }),
                                   kept_of(kept, first, units), address(parts), x.stride(0), to_int(rows),
                                   to_int(k), to_int(steps)});
    const auto low = gathered(parts, scale);
    result.insert(result.end(), low.begin(), low.end());
  });
  return result;
}

void up(const at::Tensor& y, std::span<const Low> low, std::span<const at::Tensor> b,
        std::span<const at::Tensor> kept, double scale) {
  const auto rows = y.size(0), columns = y.size(1);
  in_launches(b.size(), [&](std::size_t first, std::size_t units) {
    const auto steps = steps_of_block(columns / 32, rows / kRowMultiple, 4);
    kernel_of("up", units, !kept.empty())
        .launch(
            nullptr, {to_int(rows / kRowMultiple), to_int(divided_up(columns / 32, steps))},
            train_device::Up{address(y), addresses(units, [&](std::size_t u) { return low[first + u].rows; }),
                             addresses(units, [&](std::size_t u) { return b[first + u]; }),
                             kept_of(kept, first, units), y.stride(0), static_cast<float>(scale),
                             to_int(columns), to_int(steps)});
  });
}

void outer(const at::Tensor& x, std::span<const Low> low, std::span<const at::Tensor> kept, double scale,
           std::span<const UnitGradient> gradients, std::int64_t rank_stride, std::int64_t column_stride) {
  const auto rows = x.size(0), columns = x.size(1);
  in_launches(low.size(), [&](std::size_t first, std::size_t units) {
    const bool masked = !kept.empty();
    const auto steps = steps_of_block(rows / 16, columns / 64, 8);
    const auto count = divided_up(rows / 16, steps);
    const auto height = static_cast<std::int64_t>(units) * kUnitRank;
    const auto parts = at::empty({count, height, columns}, x.options().dtype(at::kFloat));
    kernel_of("outer", units, masked)
        .launch(nullptr, {to_int(columns / 64), to_int(count)},
                train_device::Outer{address(x),
                                    addresses(units, [&](std::size_t u) { return low[first + u].columns; }),
                                    kept_of(kept, first, units), address(parts), x.stride(0), to_int(rows),
                                    to_int(columns), to_int(steps)});
    train_device::Accumulate sum{address(parts),
                                 addresses(units, [&](std::size_t u) { return gradients[first + u].first; }),
                                 {},
                                 rank_stride,
                                 column_stride,
                                 static_cast<float>(scale),
                                 to_int(columns),
                                 to_int(count)};
    for (std::size_t u = 0; u < units; ++u) sum.ranks[u] = to_int(gradients[first + u].ranks);
    kernel_of("accumulate", units, masked)
        .launch(nullptr, {to_int(divided_up(columns, 128)), to_int(height)}, sum);
  });
}

std::vector<KernelSource> sources() {
  std::vector<KernelSource> all;
  for (std::size_t units = 1; units <= kMostUnits; ++units) {
    all.push_back(source_of(units, false));
    all.push_back(source_of(units, true));
  }
  return all;
}

}  // namespace trl::runtime::adapter_products
