#include "runtime/decode/prompts.hpp"

#include <ATen/ops/_flash_attention_forward.h>

#include <cmath>

#include "runtime/decode/parameters.hpp"
#include "runtime/decode/sources.hpp"

namespace trl::runtime::decode {
namespace {

// Computes x Wᵀ + b, plus (x Aᵀ) Tᵀ if the matrix has an adapter.
at::Tensor linear(const at::Tensor& x, const Matrix& matrix, const at::Tensor& a, const at::Tensor& bias) {
  auto y = at::linear(x, matrix.whole(), bias.defined() ? std::optional(bias) : std::nullopt);
  if (matrix.tail.defined()) y.addmm_(at::linear(x, a), matrix.tail.t());
  return y;
}

}  // namespace

std::int64_t rows_of_block(std::int64_t length) {
  if (length <= 256) return 1024;
  std::int64_t rows = 4096;
  while (rows < 2 * length) rows *= 2;
  return rows;
}

void read_prompts(const DecodeWeights& weights, const at::Tensor& pool,
                  std::span<const PromptPages> prompts) {
  const at::NoGradGuard no_grad;
  const auto& config = weights.config;
  const auto device = pool.device();
  const auto rows = rows_of_block(static_cast<std::int64_t>(prompts.front().tokens.size()));
  std::vector<std::int32_t> tokens, positions, pages, begins = {0};
  std::int64_t longest = 0;
  for (const auto& prompt : prompts) {
    const auto length = static_cast<std::int64_t>(prompt.tokens.size());
    longest = std::max(longest, length);
    for (std::int64_t i = 0; i < length; ++i) {
      tokens.push_back(prompt.tokens[static_cast<std::size_t>(i)]);
      positions.push_back(static_cast<std::int32_t>(i));
      pages.push_back(prompt.pages[static_cast<std::size_t>(i / kPage)]);
    }
    begins.push_back(static_cast<std::int32_t>(tokens.size()));
  }
  const auto used = static_cast<std::int64_t>(tokens.size());
  if (used > rows) throw std::logic_error("prompts don't fit into their block");
  tokens.resize(static_cast<std::size_t>(rows), 0);
  positions.resize(static_cast<std::size_t>(rows), -1);
  pages.resize(static_cast<std::size_t>(rows), 0);
  const auto list = [&](const std::vector<std::int32_t>& values) {
    return at::tensor(values, at::kInt).to(device);
  };
  const auto token_list = list(tokens), position_list = list(positions), page_list = list(pages),
             begin_list = list(begins);

  const auto x = at::empty({rows, config.hidden}, at::TensorOptions().dtype(at::kFloat).device(device));
  const auto h = at::empty({rows, config.hidden}, x.options().dtype(at::kBFloat16));
  auto& modules = Modules::shared();
  modules.prepare({norm_source(config, 0, false), norm_source(config, 1, true), prompt_source(config)});
  const Kernel first_norm(modules.module(norm_source(config, 0, false)), "add_and_norm");
  const Kernel next_norm(modules.module(norm_source(config, 1, true)), "add_and_norm");
  const Kernel rotate(modules.module(prompt_source(config)), "rotate_and_store", 128);
  const Kernel activate(modules.module(prompt_source(config)), "activate", 256);
  const Kernel::Grid each{static_cast<int>(rows)};
  const auto norm = [&](const Kernel& kernel, const at::Tensor& y, const at::Tensor& weight,
                        const at::Tensor& bias) {
    kernel.launch(nullptr, each,
                  device::Norm{address(x), address(y), 0, address(weights.embedding), address(token_list),
                               address(weight), address(bias), address(h), static_cast<std::int32_t>(rows)});
  };
  at::Tensor y;
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const auto& layer = weights.layers[i];
    norm(i == 0 ? first_norm : next_norm, y, layer.input_norm, layer.input_norm_bias);
    const auto qkv =
        linear(h, layer.qkv, layer.qkv_a, layer.qkv_bias);  // [rows, (heads + 2 kv_heads) head_size]
    rotate.launch(nullptr, each,
                  device::Rotation{address(qkv), address(layer.query_norm), address(layer.key_norm),
                                   address(weights.cosine), address(weights.sine), address(pool),
                                   address(position_list), address(page_list), static_cast<std::int32_t>(i)});
    // Of the last layer, only the keys and values are needed.
    if (i + 1 == weights.layers.size()) break;
    const auto heads =
        qkv.view({rows, config.heads + 2 * config.kv_heads, config.head_size}).narrow(0, 0, used);
    const auto mixed = std::get<0>(at::_flash_attention_forward(
        heads.narrow(1, 0, config.heads), heads.narrow(1, config.heads, config.kv_heads),
        heads.narrow(1, config.heads + config.kv_heads, config.kv_heads), begin_list, begin_list, longest,
        longest,
        /*dropout_p=*/0.0, /*is_causal=*/true, /*return_debug_mask=*/false,
        1.0 / std::sqrt(static_cast<double>(config.head_size))));
    auto whole = mixed.reshape({used, -1});
    if (used < rows) whole = at::constant_pad_nd(whole, {0, 0, 0, rows - used});
    y = linear(whole, layer.o, layer.o_a, layer.o_bias);
    norm(next_norm, y, layer.attention_norm, layer.attention_norm_bias);
    const auto gate = layer.gate.defined() ? linear(h, layer.gate, layer.up_a, at::Tensor()) : at::Tensor();
    const auto up = linear(h, layer.up, layer.up_a, layer.up_bias);
    activate.launch(nullptr, {4096}, device::Activation{address(gate), address(up), address(up), rows});
    y = linear(up, layer.down, layer.down_a, layer.down_bias);
  }
}

}  // namespace trl::runtime::decode
