// The kernels of y = W x, compared with products in f64, and with each other bit for bit. Skipped where there
// is no GPU of compute capability 9.0 or later.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/support/random.hpp"
#include "runtime/decode/packing.hpp"
#include "runtime/decode/parameters.hpp"
#include "runtime/decode/step.hpp"
#include "runtime/model/normal_float.hpp"
#include "runtime/model/quantise.hpp"
#include "tests/decode/gpu.hpp"

namespace trl::runtime {
namespace {

using decode::Epilogue;
using decode::ProductShape;

class ProductGpu : public testing::DecodingGpuTest {};

// Random matrices as the kernels read them, and their values in f64.
struct Operands {
  at::Tensor weight, scale, tail, second, second_scale, second_tail;  // as stored
  at::Tensor exact, second_exact, tail_exact, second_tail_exact;
  at::Tensor bias, x, z;
};

Operands operands_of(const ProductShape& shape, std::int64_t columns, const c10::Device& gpu) {
  const auto normal = [&](std::int64_t rows, std::int64_t k) {
    return at::randn({rows, k}, at::TensorOptions().device(gpu)).to(at::kBFloat16);
  };
  Operands operands;
  const auto make = [&](at::Tensor& stored, at::Tensor& scale, at::Tensor& exact, at::Tensor& tail,
                        at::Tensor& tail_exact) {
    const auto matrix = normal(shape.rows, shape.k);
    if (shape.bits == 8) {
      const auto rows = quantise_rows(matrix);
      stored = decode::pack_bytes(rows.values);
      scale = rows.scale;
      exact = dequantise(rows, at::kDouble);
    } else if (shape.bits == 4) {
      const auto blocks = quantise_blocks(matrix);
      stored = decode::pack_codes(blocks.codes);
      scale = blocks.scale;
      // The kernels round the values of codes to bf16.
      const auto values =
          at::tensor(at::ArrayRef<float>(kNormalFloats.data(), 16)).to(at::kBFloat16).to(gpu, at::kDouble);
      exact =
          (values.index_select(0, blocks.codes.view({-1}).to(at::kInt)).view({shape.rows, shape.k / 64, 64}) *
           scale.to(at::kDouble).unsqueeze(2))
              .view({shape.rows, shape.k});
    } else {
      stored = matrix;
      exact = matrix.to(at::kDouble);
    }
    if (shape.tail > 0) {
      tail = normal(shape.rows, shape.tail);
      tail_exact = tail.to(at::kDouble);
    }
  };
  make(operands.weight, operands.scale, operands.exact, operands.tail, operands.tail_exact);
  if (shape.epilogue == Epilogue::gated)
    make(operands.second, operands.second_scale, operands.second_exact, operands.second_tail,
         operands.second_tail_exact);
  if (shape.epilogue == Epilogue::gelu) operands.bias = normal(1, shape.rows).view({-1});
  operands.x = normal(columns, shape.k) / std::sqrt(static_cast<double>(shape.k));
  if (shape.tail > 0) operands.z = normal(columns, shape.tail) / std::sqrt(static_cast<double>(shape.tail));
  return operands;
}

at::Tensor expected(const ProductShape& shape, const Operands& operands) {
  const auto product = [&](const at::Tensor& weight, const at::Tensor& tail) {
    auto y = operands.x.to(at::kDouble).matmul(weight.t());
    if (shape.tail > 0) y = y + operands.z.to(at::kDouble).matmul(tail.t());
    return y;
  };
  const auto y = product(operands.exact, operands.tail_exact);
  switch (shape.epilogue) {
    case Epilogue::gated:
      return y * y.sigmoid() * product(operands.second_exact, operands.second_tail_exact);
    case Epilogue::gelu:
      return at::gelu(y + operands.bias.to(at::kDouble), "tanh");
    default:
      return y;
  }
}

// [columns, rows] f32: what the kernel that is chosen for so many columns gives, its parts added in order.
at::Tensor computed(const ProductShape& shape, const Operands& operands, std::int64_t columns) {
  const auto gpu = Gpu::here();
  const auto choice = decode::choose_product(shape, columns, gpu);
  const Kernel kernel(Modules::shared().module(decode::product_source(shape, choice)), "product");
  const bool halves = shape.epilogue == Epilogue::gated || shape.epilogue == Epilogue::gelu ||
                      shape.epilogue == Epilogue::halves;
  const auto parts = choice.parts();
  auto out = at::full({parts, columns, shape.rows}, std::nan(""),
                      operands.x.options().dtype(halves ? at::kBFloat16 : at::kFloat));
  const auto grid = decode::grid_of(shape, choice, kernel, columns, gpu);
  kernel.launch(nullptr, grid,
                decode::device::Product{
                    address(operands.weight), address(operands.second), address(operands.scale),
                    address(operands.second_scale), address(operands.tail), address(operands.second_tail),
                    address(operands.bias), address(operands.x), address(operands.z), address(out),
                    static_cast<std::int32_t>(shape.rows), static_cast<std::int32_t>(columns)});
  out = out.to(at::kFloat);
  if (parts == 1) return out[0];
  // Four slices make a quarter, and four quarters the sum, each added in order.
  std::vector<at::Tensor> quarters;
  for (int q = 0; q < 4; ++q)
    quarters.push_back(parts == 4 ? out[q] : out[4 * q] + out[4 * q + 1] + out[4 * q + 2] + out[4 * q + 3]);
  return quarters[0] + quarters[1] + quarters[2] + quarters[3];
}

TEST_F(ProductGpu, AreTheReferencesAndDoNotDependOnColumns) {
  const at::NoGradGuard no_grad;
  at::manual_seed(1);
  RandomStream random("products on a GPU");
  const std::vector<std::int64_t> widths = {1, 7, 10, 16, 17, 24, 32, 33, 50, 64, 100};
  std::vector<ProductShape> shapes;
  std::vector<KernelSource> sources;
  for (int i = 0; i < 60; ++i) {
    auto& shape = shapes.emplace_back();
    shape.bits = 16 >> i % 3;
    shape.epilogue = static_cast<Epilogue>(i % 5);
    shape.k = shape.step() * static_cast<std::int64_t>(1 + random.below(i % 2 ? 10 : 70));
    if (i % 7 == 0) shape.k = shape.step() * (18944 / shape.step());
    shape.rows = shape.epilogue == Epilogue::halves
                     ? 32 * static_cast<std::int64_t>(1 + random.below(4))
                     : static_cast<std::int64_t>(1 + random.below(i % 4 ? 700 : 9000));
    if (shape.epilogue != Epilogue::halves && i % 4 >= 2)
      shape.tail = 32 * static_cast<std::int64_t>(1 + random.below(3));
    for (const auto columns : widths)
      sources.push_back(decode::product_source(shape, decode::choose_product(shape, columns, Gpu::here())));
  }
  Modules::shared().prepare(sources);  // on several threads
  for (const auto& shape : shapes) {
    const auto all = operands_of(shape, widths.back(), gpu_);
    const auto reference = expected(shape, all);
    const auto size = reference.abs().mean().item<double>();
    // Sums are of f32, and some results are rounded to bf16; the activation's exponential is approximate.
    const auto bound = reference.abs() * 0.006 + 0.004 * size;
    at::Tensor first;
    for (const auto columns : widths) {
      auto operands = all;
      operands.x = all.x.narrow(0, 0, columns);
      if (shape.tail > 0) operands.z = all.z.narrow(0, 0, columns);
      const auto choice = decode::choose_product(shape, columns, Gpu::here());
      const auto name = fmt::format(
          "k {}, rows {}, {} bits, epilogue {}, tail {}, {} columns: wide {}, {} columns, {} slices, "
          "serial {}, {} tiles, {} stages, cluster {}",
          shape.k, shape.rows, shape.bits, static_cast<int>(shape.epilogue), shape.tail, columns, choice.wide,
          choice.columns, choice.slices, choice.serial, choice.tiles, choice.stages, choice.cluster);
      const auto found = computed(shape, operands, columns);
      const auto ratio =
          ((found.to(at::kDouble) - reference.narrow(0, 0, columns)).abs() / bound.narrow(0, 0, columns))
              .max();
      EXPECT_LT(ratio.item<double>(), 1) << name;
      if (!first.defined()) first = found;
      EXPECT_TRUE(at::equal(found.narrow(0, 0, first.size(0)), first))
          << name << ": other bits than with few columns";
      if (columns == 16) first = found;
    }
  }
}

}  // namespace
}  // namespace trl::runtime
