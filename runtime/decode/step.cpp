#include "runtime/decode/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/support/error.hpp"
#include "runtime/decode/packing.hpp"
#include "runtime/decode/parameters.hpp"
#include "runtime/decode/sources.hpp"
#include "runtime/model/normal_float.hpp"
#include "runtime/model/quantise.hpp"

namespace trl::runtime::decode {
namespace {
using gpu::check;
using gpu::driver;

std::string text(std::int64_t value) { return std::to_string(value); }

at::Tensor half(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.detach().to(at::kBFloat16).contiguous() : tensor;
}

// Returns the shape of a feed-forward layer's first products. With many columns they leave parts, which
// `gate` adds up, if each warp works alone (not `wide`): adding up partial products in clusters drains the
// warps' rings. In a small model one block takes the whole of K.
ProductShape feed_forward_shape(const ModelConfig& config, Storage storage, const Tails& tails,
                                std::int64_t columns, const Gpu& gpu) {
  const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
  ProductShape shape{config.hidden, config.intermediate, gated ? Epilogue::gated : Epilogue::gelu,
                     bits_of(storage), tails.up};
  if (columns > 16 && config.hidden > 512 && !choose_product(shape, columns, gpu).wide)
    shape.epilogue = Epilogue::parts;
  return shape;
}

// The macros for the sizes of norms, attention and prompts, which several files share.
Macros head_macros(const ModelConfig& config) {
  return {{"HEADS", text(config.heads)},     {"KV_HEADS", text(config.kv_heads)},
          {"HEAD", text(config.head_size)},  {"LAYERS", text(config.layers)},
          {"QK_NORM", text(config.qk_norm)}, {"EPSILON", fmt::format("{:e}", config.norm_epsilon)}};
}

}  // namespace

KernelSource norm_source(const ModelConfig& config, int parts, bool y_bf16) {
  return {"norm.cu",
          {{"HIDDEN", text(config.hidden)},
           {"PARTS", text(parts)},
           {"LAYER_NORM", text(config.norm == NormKind::layer)},
           {"Y_BF16", text(y_bf16)},
           {"EPSILON", fmt::format("{:e}", config.norm_epsilon)}}};
}

KernelSource prompt_source(const ModelConfig& config) {
  auto macros = head_macros(config);
  macros["INNER"] = text(config.intermediate);
  macros["GATED"] = text(config.feed_forward == FeedForwardKind::gated_silu);
  return {"prompt.cu", std::move(macros)};
}

KernelSource attention_source(const ModelConfig& config, int parts, int blocks) {
  auto macros = head_macros(config);
  macros["PARTS"] = text(parts);
  macros["BLOCKS"] = text(blocks);
  return {"attention.cu", std::move(macros)};
}

KernelSource gate_source(const ModelConfig& config, int parts) {
  return {"gate.cu",
          {{"PARTS", text(parts)}, {"GATED", text(config.feed_forward == FeedForwardKind::gated_silu)}}};
}

KernelSource draw_source(std::int64_t choices, std::int64_t vocabulary) {
  return {"draw.cu", {{"CHOICES", text(choices)}, {"VOCABULARY", text(vocabulary)}, {"RING", text(kRing)}}};
}

std::string reason_against(const ModelConfig& config, Storage storage) {
  const std::int64_t step = 512 / bits_of(storage);
  const auto multiple = [&](const std::string& name, std::int64_t value) {
    const auto unit = name == "head_dim" ? 32 : step;
    return value % unit == 0 ? std::string()
                             : fmt::format("its {} = {} is no multiple of {}", name, value, unit);
  };
  for (const auto& [name, value] : {std::pair{"hidden_size", config.hidden},
                                    {"intermediate_size", config.intermediate},
                                    {"head_dim", config.head_size},
                                    {"width of attention", config.heads * config.head_size}}) {
    if (auto reason = multiple(name, value); !reason.empty()) return reason;
  }
  if (config.head_size > 128) return fmt::format("its head_dim = {} is above 128", config.head_size);
  if (config.heads / config.kv_heads > 16)
    return fmt::format("{} query heads share a key head; at most 16 are supported",
                       config.heads / config.kv_heads);
  return {};
}

int bits_of(Storage storage) {
  switch (storage) {
    case Storage::int8:
      return 8;
    case Storage::nf4:
      return 4;
    case Storage::bf16:
      break;
  }
  return 16;
}

at::Tensor Matrix::whole() const {
  switch (storage) {
    case Storage::int8:
      return dequantise(QuantisedRows{unpack_bytes(values), scale}, at::kBFloat16);
    case Storage::nf4:
      return dequantise(QuantisedBlocks{unpack_codes(values), scale}, at::kBFloat16);
    case Storage::bf16:
      break;
  }
  return values;
}

namespace {

// An adapter's part before a product: the A of all matrices with this input, stacked on top of each other.
struct Inputs {
  std::int64_t tail = 0;
  at::Tensor a;  // [tail, in]
  std::int64_t used = 0;
};

// A matrix and its adapter.
struct Adapted {
  const Linear& linear;
  const Lora::Pair* pair = nullptr;
  double scale = 1;  // the scale of the pair's B
};

QuantisedRows rows_of(const Linear& linear) {
  if (const auto* matrix = linear.quantised()) return {matrix->values, matrix->scale};
  return quantise_rows(linear.weight());
}

QuantisedBlocks blocks_of(const Linear& linear) {
  if (const auto* matrix = linear.quantised()) return runtime::blocks_of(*matrix);
  return quantise_blocks(linear.weight());
}

// Stacks matrices that have the same input on top of each other.
Matrix stacked(const std::vector<Adapted>& parts, Storage storage) {
  std::vector<at::Tensor> values, scales;
  for (const auto& part : parts) {
    switch (storage) {
      case Storage::bf16:
        values.push_back(half(part.linear.weight()));
        break;
      case Storage::int8: {
        const auto rows = rows_of(part.linear);
        values.push_back(pack_bytes(rows.values));
        scales.push_back(rows.scale);
        break;
      }
      case Storage::nf4: {
        const auto blocks = blocks_of(part.linear);
        values.push_back(pack_codes(blocks.codes));
        scales.push_back(blocks.scale);
        break;
      }
    }
  }
  const auto one = [](const std::vector<at::Tensor>& tensors) {
    return tensors.empty() ? at::Tensor() : tensors.size() == 1 ? tensors.front() : at::cat(tensors);
  };
  return {storage, one(values), one(scales), {}};
}

// Joins matrices with adapters. Each adapter's B is placed at the rows of its matrix and the columns of its
// A.
Matrix joined(const std::vector<Adapted>& parts, Storage storage, Inputs& inputs) {
  auto matrix = stacked(parts, storage);
  if (inputs.tail == 0) return matrix;
  const auto halves = matrix.values.options().dtype(at::kBFloat16);
  matrix.tail = at::zeros({matrix.values.size(0), inputs.tail}, halves);
  if (!inputs.a.defined()) inputs.a = at::zeros({inputs.tail, parts.front().linear.in()}, halves);
  std::int64_t row = 0;
  for (const auto& part : parts) {
    const auto rows = part.linear.out();
    if (part.pair) {
      const auto rank = part.pair->a.size(0);
      inputs.a.narrow(0, inputs.used, rank).copy_(part.pair->a);
      matrix.tail.narrow(0, row, rows).narrow(1, inputs.used, rank).copy_(part.pair->b * part.scale);
      inputs.used += rank;
    }
    row += rows;
  }
  return matrix;
}

}  // namespace

DecodeWeights::DecodeWeights(const LanguageModel& model, Storage stored, const Lora* adapter)
    : config(model.config()), storage(stored) {
  using enum Projection;
  const at::NoGradGuard no_grad;
  const bool gated = config.feed_forward == FeedForwardKind::gated_silu;
  if (adapter) {
    const auto& settings = adapter->settings();
    const auto tail = [&](std::initializer_list<Projection> projections) {
      std::int64_t numbers = 0;
      for (const auto projection : projections) {
        if (settings.targets.contains(projection)) numbers += adapter->largest_rank();
      }
      return (numbers + 31) / 32 * 32;
    };
    tails = {tail({q, k, v}), tail({o}), gated ? tail({gate, up}) : tail({up}), tail({down})};
  }
  embedding = half(model.embedding());
  final_norm = half(model.final_norm().weight);
  final_norm_bias = half(model.final_norm().bias);
  head = half(model.head().weight());
  cosine = model.cosine().to(at::kFloat).contiguous();
  sine = model.sine().to(at::kFloat).contiguous();
  std::int64_t index = 0;
  for (const auto& from : model.layers()) {
    const auto part = [&](Projection projection) -> Adapted {
      if (!adapter) return {from[projection]};
      const auto pair = adapter->pairs().find({index, projection});
      if (pair == adapter->pairs().end()) return {from[projection]};
      return {from[projection], &pair->second, adapter->scale(pair->first)};
    };
    const auto inputs = [](std::int64_t tail) { return Inputs{tail, {}}; };
    Layer layer;
    layer.input_norm = half(from.input_norm.weight);
    layer.input_norm_bias = half(from.input_norm.bias);
    layer.attention_norm = half(from.attention_norm.weight);
    layer.attention_norm_bias = half(from.attention_norm.bias);
    layer.query_norm = half(from.query_norm.weight);
    layer.key_norm = half(from.key_norm.weight);
    auto of_qkv = inputs(tails.qkv), of_o = inputs(tails.o), of_up = inputs(tails.up),
         of_down = inputs(tails.down);
    layer.qkv = joined({part(q), part(k), part(v)}, storage, of_qkv);
    if (from[q].bias().defined())
      layer.qkv_bias = half(at::cat({from[q].bias(), from[k].bias(), from[v].bias()}));
    layer.o = joined({part(o)}, storage, of_o);
    layer.o_bias = half(from[o].bias());
    if (gated) layer.gate = joined({part(gate)}, storage, of_up);
    layer.up = joined({part(up)}, storage, of_up);
    layer.up_bias = half(from[up].bias());
    layer.down = joined({part(down)}, storage, of_down);
    layer.down_bias = half(from[down].bias());
    layer.qkv_a = of_qkv.a;
    layer.o_a = of_o.a;
    layer.up_a = of_up.a;
    layer.down_a = of_down.a;
    layers.push_back(std::move(layer));
    ++index;
  }
}

std::array<ProductShape, 5> product_shapes(const ModelConfig& config, Storage storage, const Tails& tails,
                                           std::int64_t columns, const Gpu& gpu) {
  const int bits = bits_of(storage);
  return {{{config.hidden, config.query_width() + 2 * config.key_width(), Epilogue::parts, bits, tails.qkv},
           {config.query_width(), config.hidden, Epilogue::parts, bits, tails.o},
           feed_forward_shape(config, storage, tails, columns, gpu),
           {config.intermediate, config.hidden, Epilogue::parts, bits, tails.down},
           {config.hidden, config.vocabulary, Epilogue::values}}};
}

std::array<ProductShape, 4> adapter_shapes(const ModelConfig& config, const Tails& tails) {
  return {{{config.hidden, tails.qkv, Epilogue::halves},
           {config.query_width(), tails.o, Epilogue::halves},
           {config.hidden, tails.up, Epilogue::halves},
           {config.intermediate, tails.down, Epilogue::halves}}};
}

std::vector<KernelSource> step_sources(const ModelConfig& config, Storage storage, const Tails& tails,
                                       std::int64_t choices, const Gpu& gpu, std::int64_t columns,
                                       int attention_blocks) {
  std::vector<KernelSource> sources = {norm_source(config, 0, false),
                                       draw_source(choices, config.vocabulary)};
  std::vector<int> parts;
  const auto shapes = product_shapes(config, storage, tails, columns, gpu);
  for (const auto& shape : shapes) {
    const auto choice = choose_product(shape, columns, gpu);
    sources.push_back(product_source(shape, choice));
    parts.push_back(choice.parts());
  }
  for (const auto& shape : adapter_shapes(config, tails)) {
    if (shape.rows > 0) sources.push_back(product_source(shape, choose_product(shape, columns, gpu)));
  }
  sources.push_back(attention_source(config, parts[0], attention_blocks));
  if (shapes[2].epilogue == Epilogue::parts) sources.push_back(gate_source(config, parts[2]));
  sources.push_back(norm_source(config, parts[1], false));
  sources.push_back(norm_source(config, parts[3], false));
  return sources;
}

struct Stepper::Recorded {
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;

  Recorded() = default;
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  Recorded(Recorded&& other) noexcept
      : graph(std::exchange(other.graph, nullptr)), executable(std::exchange(other.executable, nullptr)) {}
  Recorded& operator=(Recorded&& other) noexcept {
    std::swap(graph, other.graph);
    std::swap(executable, other.executable);
    return *this;
  }
  ~Recorded() {
    if (executable) driver().cuGraphExecDestroy(executable);
    if (graph) driver().cuGraphDestroy(graph);
  }
};

struct Stepper::Width {
  struct Multiply {
    ProductShape shape;
    ProductChoice choice;
    Kernel kernel;
    Kernel::Grid grid;
  };
  struct Adapter {
    std::optional<Multiply> qkv, o, up, down;  // null if the adapter has no matrix there
  };
  std::int64_t columns;
  Multiply qkv, o, up, down, head;
  Adapter adapter;
  Kernel first_norm, norm_after_o, norm_after_down;
  Kernel attention, summarise, choose, restrict_choices;
  std::optional<Kernel> gate;  // where the feed-forward layer's products leave parts
  Recorded step;

  Width(const DecodeWeights& weights, const Drawing& drawing, const Gpu& gpu, std::int64_t width,
        int attention_blocks)
      : Width(weights.config, product_shapes(weights.config, weights.storage, weights.tails, width, gpu),
              adapter_shapes(weights.config, weights.tails), drawing, gpu, width, attention_blocks) {}

 private:
  Width(const ModelConfig& config, const std::array<ProductShape, 5>& shapes,
        const std::array<ProductShape, 4>& adapters, const Drawing& drawing, const Gpu& gpu,
        std::int64_t width, int attention_blocks)
      : columns(width),
        qkv(multiply(shapes[0], gpu)),
        o(multiply(shapes[1], gpu)),
        up(multiply(shapes[2], gpu)),
        down(multiply(shapes[3], gpu)),
        head(multiply(shapes[4], gpu)),
        adapter{if_any(adapters[0], gpu), if_any(adapters[1], gpu), if_any(adapters[2], gpu),
                if_any(adapters[3], gpu)},
        first_norm(kernel(norm_source(config, 0, false), "add_and_norm")),
        norm_after_o(kernel(norm_source(config, o.choice.parts(), false), "add_and_norm")),
        norm_after_down(kernel(norm_source(config, down.choice.parts(), false), "add_and_norm")),
        attention(kernel(attention_source(config, qkv.choice.parts(), attention_blocks), "attention")),
        summarise(kernel(draw_source(drawing.choices, config.vocabulary), "summarise")),
        choose(kernel(draw_source(drawing.choices, config.vocabulary), "choose")),
        restrict_choices(Modules::shared().module(draw_source(drawing.choices, config.vocabulary)),
                         "restrict_choices", 1024) {
    if (up.shape.epilogue == Epilogue::parts)
      gate.emplace(kernel(gate_source(config, up.choice.parts()), "gate"));
  }

  static Kernel kernel(const KernelSource& source, const char* name) {
    return {Modules::shared().module(source), name};
  }

  std::optional<Multiply> if_any(const ProductShape& shape, const Gpu& gpu) const {
    if (shape.rows == 0) return {};
    return multiply(shape, gpu);
  }

  Multiply multiply(const ProductShape& shape, const Gpu& gpu) const {
    const auto choice = choose_product(shape, columns, gpu);
    Multiply result{shape, choice, kernel(product_source(shape, choice), "product"), {}};
    result.grid = grid_of(shape, choice, result.kernel, columns, gpu);
    return result;
  }
};

Stepper::Stepper(std::shared_ptr<const DecodeWeights> weights, at::Tensor pool, std::int64_t columns,
                 std::int64_t most_pages, int attention_blocks, Drawing drawing)
    : weights_(std::move(weights)),
      pool_(std::move(pool)),
      columns_(columns),
      most_pages_(most_pages),
      drawing_(std::move(drawing)),
      gpu_(Gpu::here()),
      attention_blocks_(attention_blocks) {
  const at::NoGradGuard no_grad;
  const auto& config = weights_->config;
  if (drawing_.ends.size() > kMostEnds)
    throw UserError(fmt::format("the model has {} end tokens; at most {} are supported", drawing_.ends.size(),
                                kMostEnds));
  check(driver().cuStreamCreate(&stream_, CU_STREAM_DEFAULT), "a stream");
  const auto device = pool_.device();
  const auto floats = at::TensorOptions().dtype(at::kFloat).device(device);
  const auto halves = floats.dtype(at::kBFloat16);
  const auto numbers = floats.dtype(at::kInt);
  state_ = at::zeros({columns_ * (6 + most_pages_)}, numbers);
  host_state_ = at::zeros_like(state_, at::TensorOptions().device(at::kCPU).pinned_memory(true));
  output_ = at::zeros({columns_ * (2 * kRing)}, numbers);
  host_output_ =
      at::zeros({columns_ * (2 * kRing + 4)}, at::TensorOptions().dtype(at::kInt).pinned_memory(true));
  const auto width = config.query_width() + 2 * config.key_width();
  x_ = at::zeros({columns_, config.hidden}, floats);
  h_ = at::zeros({columns_, config.hidden}, halves);
  qkv_ = at::zeros({16, columns_, width}, floats);
  mixed_ = at::zeros({columns_, config.heads * config.head_size}, halves);
  active_ = at::zeros({columns_, config.intermediate}, halves);
  const auto& tails = weights_->tails;
  z_ = at::zeros({columns_, std::max({tails.qkv, tails.o, tails.up, tails.down})}, halves);
  y_ = at::zeros({16, columns_, config.hidden}, floats);
  const auto shape = feed_forward_shape(config, weights_->storage, weights_->tails, columns_, gpu_);
  if (shape.epilogue == Epilogue::parts) {
    gate_parts_ = at::zeros({16, columns_, config.intermediate}, floats);
    up_parts_ = at::zeros_like(gate_parts_);
  }
  logits_ = at::zeros({columns_, config.vocabulary}, floats);
  threshold_ = at::zeros({columns_}, numbers);
  summary_ = at::zeros({columns_, 32, 4}, floats);
}

Stepper::~Stepper() {
  widths_.clear();
  if (stream_) driver().cuStreamDestroy(stream_);
}

Stepper::Width& Stepper::width_for(std::int64_t columns) {
  // Only a few widths are used, since each has its own graph.
  std::int64_t width = columns;
  if (columns > 16) width = (columns + 7) / 8 * 8;
  if (columns > 64) width = (columns + 63) / 64 * 64;
  width = std::min(width, columns_);
  auto& found = widths_[width];
  if (!found) {
    Modules::shared().prepare(step_sources(weights_->config, weights_->storage, weights_->tails,
                                           drawing_.choices, gpu_, width, attention_blocks_));
    found = std::make_unique<Width>(*weights_, drawing_, gpu_, width, attention_blocks_);
    found->step = capture(*found);
  }
  return *found;
}

Stepper::Recorded Stepper::capture(const Width& width, std::string_view only) {
  const auto& config = weights_->config;
  const auto columns = static_cast<int>(width.columns);
  const auto state = address(state_);
  const auto part = [&](std::int64_t index) { return state + static_cast<Address>(4 * columns_ * index); };
  const Address tokens = part(0), positions = part(1), made = part(2), limits = part(3), keys = part(4),
                pages = part(6);

  const auto wanted = [&](std::string_view name) { return only.empty() || only == name; };
  const at::Tensor none;
  const Matrix no_matrix;
  const auto multiply = [&](std::string_view name, const Width::Multiply& product, const Matrix& weight,
                            const Matrix& second, const at::Tensor& bias, const at::Tensor& x,
                            const at::Tensor& out) {
    if (!wanted(name)) return;
    product.kernel.launch(
        stream_, product.grid,
        device::Product{address(weight.values), address(second.values), address(weight.scale),
                        address(second.scale), address(weight.tail), address(second.tail), address(bias),
                        address(x), address(z_), address(out), static_cast<std::int32_t>(product.shape.rows),
                        columns});
  };
  // z = A x.
  const auto adapt = [&](const std::optional<Width::Multiply>& product, const at::Tensor& a,
                         const at::Tensor& x) {
    if (product) multiply("adapter", *product, {Storage::bf16, a, {}, {}}, no_matrix, none, x, z_);
  };
  const Kernel::Grid each{columns, 1, 1, 1, true};
  const auto norm = [&](const Kernel& kernel, const at::Tensor& y_bias, const at::Tensor& weight,
                        const at::Tensor& bias) {
    if (!wanted("norm")) return;
    kernel.launch(stream_, each,
                  device::Norm{address(x_), address(y_), address(y_bias), address(weights_->embedding),
                               tokens, address(weight), address(bias), address(h_), columns});
  };
  device::Draw draw{address(logits_),
                    address(threshold_),
                    address(summary_),
                    tokens,
                    positions,
                    made,
                    limits,
                    keys,
                    address(output_),
                    address(output_) + static_cast<Address>(4 * columns_ * kRing)};
  draw.temperature = static_cast<float>(drawing_.temperature);
  draw.top_k = static_cast<std::int32_t>(drawing_.top_k);
  draw.top_p = static_cast<float>(drawing_.top_p);
  draw.end_count = static_cast<std::int32_t>(drawing_.ends.size());
  std::copy(drawing_.ends.begin(), drawing_.ends.end(), draw.ends);

  check(driver().cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "recording a step");
  Recorded result;
  for (std::size_t i = 0; i < weights_->layers.size(); ++i) {
    const auto& layer = weights_->layers[i];
    norm(i == 0 ? width.first_norm : width.norm_after_down, i == 0 ? none : weights_->layers[i - 1].down_bias,
         layer.input_norm, layer.input_norm_bias);
    adapt(width.adapter.qkv, layer.qkv_a, h_);
    multiply("qkv", width.qkv, layer.qkv, no_matrix, none, h_, qkv_);
    if (wanted("attention"))
      width.attention.launch(
          stream_, {attention_blocks_, static_cast<int>(config.kv_heads), columns, attention_blocks_, true},
          device::Attention{address(qkv_), address(layer.qkv_bias), address(layer.query_norm),
                            address(layer.key_norm), address(weights_->cosine), address(weights_->sine),
                            address(pool_), pages, positions, address(mixed_), columns,
                            static_cast<std::int32_t>(i), static_cast<std::int32_t>(most_pages_)});
    adapt(width.adapter.o, layer.o_a, mixed_);
    multiply("o", width.o, layer.o, no_matrix, none, mixed_, y_);
    norm(width.norm_after_o, layer.o_bias, layer.attention_norm, layer.attention_norm_bias);
    adapt(width.adapter.up, layer.up_a, h_);
    if (width.gate) {
      if (layer.gate.defined()) multiply("gate_up", width.up, layer.gate, no_matrix, none, h_, gate_parts_);
      multiply("gate_up", width.up, layer.up, no_matrix, none, h_, up_parts_);
      const auto inner = static_cast<std::int32_t>(config.intermediate);
      if (wanted("gate"))
        width.gate->launch(stream_, {(inner / 4 + 255) / 256, columns, 1, 1, true},
                           device::Gate{address(gate_parts_), address(up_parts_), address(layer.up_bias),
                                        address(active_), columns, inner});
    } else if (layer.gate.defined()) {
      multiply("gate_up", width.up, layer.gate, layer.up, none, h_, active_);
    } else {
      multiply("gate_up", width.up, layer.up, no_matrix, layer.up_bias, h_, active_);
    }
    adapt(width.adapter.down, layer.down_a, active_);
    multiply("down", width.down, layer.down, no_matrix, none, active_, y_);
  }
  norm(width.norm_after_down, weights_->layers.back().down_bias, weights_->final_norm,
       weights_->final_norm_bias);
  multiply("head", width.head, {Storage::bf16, weights_->head, {}, {}}, no_matrix, none, h_, logits_);
  if (wanted("draw")) {
    if (drawing_.temperature > 0 && (drawing_.top_k > 0 || drawing_.top_p < 1))
      width.restrict_choices.launch(stream_, each, draw);
    width.summarise.launch(stream_, {32, columns, 1, 1, true}, draw);
    width.choose.launch(stream_, each, draw);
  }
  check(driver().cuStreamEndCapture(stream_, &result.graph), "recording a step");
  check(driver().cuGraphInstantiateWithFlags(&result.executable, result.graph, 0), "a graph of a step");
  return result;
}

void Stepper::upload(const std::vector<ColumnState>& columns, std::int64_t width) {
  auto* const host = host_state_.mutable_data_ptr<std::int32_t>();
  const auto part = [&](std::int64_t index) { return host + columns_ * index; };
  for (std::int64_t i = 0; i < width; ++i) {
    const bool there = i < static_cast<std::int64_t>(columns.size());
    const ColumnState idle, &column = there ? columns[static_cast<std::size_t>(i)] : idle;
    part(0)[i] = column.token;
    part(1)[i] = column.position;
    part(2)[i] = column.made;
    part(3)[i] = column.limit;
    std::memcpy(part(4) + 2 * i, &column.stream, sizeof column.stream);
    if (static_cast<std::int64_t>(column.pages.size()) > most_pages_)
      throw std::logic_error("a column has too many pages");
    std::copy(column.pages.begin(), column.pages.end(), part(6) + i * most_pages_);
  }
  check(driver().cuMemcpyHtoDAsync(address(state_), host, host_state_.nbytes(), stream_),
        "sending the columns");
}

std::vector<ColumnResult> Stepper::run(const std::vector<ColumnState>& columns, std::int64_t steps) {
  if (steps < 1 || steps > kRing) throw std::logic_error("too many steps at once");
  auto& width = width_for(static_cast<std::int64_t>(columns.size()));
  upload(columns, width.columns);
  for (std::int64_t step = 0; step < steps; ++step)
    check(driver().cuGraphLaunch(width.step.executable, stream_), "a step of decoding");
  auto* const host = host_output_.mutable_data_ptr<std::int32_t>();
  check(driver().cuMemcpyDtoHAsync(host, address(output_), output_.nbytes(), stream_), "reading tokens");
  auto* const moved = host + columns_ * 2 * kRing;  // tokens, positions, made
  check(
      driver().cuMemcpyDtoHAsync(moved, address(state_), static_cast<std::size_t>(3 * columns_) * 4, stream_),
      "reading columns");
  check(driver().cuStreamSynchronize(stream_), "a step of decoding");
  std::vector<ColumnResult> results;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ColumnResult result;
    const auto at = static_cast<std::int64_t>(i);
    result.idle = moved[columns_ + at] < 0;
    for (auto made = columns[i].made; made < moved[2 * columns_ + at]; ++made) {
      const auto token = host[at * kRing + made % kRing];
      if (token < 0)
        throw UserError(
            "the model's logits are not numbers, or infinite",
            "the weights may be damaged, or training has diverged: look at its losses, or use a lower "
            "learning rate");
      result.tokens.push_back(token);
      float score = 0;
      std::memcpy(&score, host + columns_ * kRing + at * kRing + made % kRing, sizeof score);
      result.scores.push_back(score);
    }
    results.push_back(std::move(result));
  }
  return results;
}

void Stepper::copy_pages(const std::vector<std::int32_t>& from, const std::vector<std::int32_t>& to) {
  if (from.empty()) return;
  const auto list = [&](const std::vector<std::int32_t>& values) {
    return at::tensor(values, at::kInt).to(pool_.device());
  };
  const auto sources = list(from), targets = list(to);
  const Kernel kernel(Modules::shared().module(prompt_source(weights_->config)), "copy_pages", 256);
  kernel.launch(nullptr, {static_cast<int>(weights_->config.layers), static_cast<int>(from.size())},
                device::PageCopy{address(pool_), address(sources), address(targets)});
  // The lists are freed in order on this stream, and the graph's stream waits for this stream.
}

double Stepper::seconds_of_step(const std::vector<ColumnState>& columns, int repeats) {
  const auto& width = width_for(static_cast<std::int64_t>(columns.size()));
  return seconds_of(width.step, columns, width.columns, repeats);
}

std::map<std::string, double> Stepper::seconds_of_kernels(const std::vector<ColumnState>& columns,
                                                          int repeats) {
  const auto& width = width_for(static_cast<std::int64_t>(columns.size()));
  std::map<std::string, double> result;
  for (const auto* name :
       {"norm", "qkv", "attention", "o", "gate_up", "gate", "down", "head", "draw", "adapter"}) {
    if (name == std::string_view("gate") && !width.gate) continue;
    if (name == std::string_view("adapter") && z_.size(1) == 0) continue;
    result[name] = seconds_of(capture(width, name), columns, width.columns, repeats);
  }
  return result;
}

double Stepper::seconds_of(const Recorded& graph, const std::vector<ColumnState>& columns, std::int64_t width,
                           int repeats) {
  CUevent begin = nullptr, end = nullptr;
  check(driver().cuEventCreate(&begin, CU_EVENT_DEFAULT), "an event");
  check(driver().cuEventCreate(&end, CU_EVENT_DEFAULT), "an event");
  std::vector<double> seconds;
  for (int i = 0; i < repeats + 3; ++i) {
    upload(columns, width);
    check(driver().cuEventRecord(begin, stream_), "an event");
    check(driver().cuGraphLaunch(graph.executable, stream_), "a step of decoding");
    check(driver().cuEventRecord(end, stream_), "an event");
    check(driver().cuStreamSynchronize(stream_), "a step of decoding");
    float milliseconds = 0;
    check(driver().cuEventElapsedTime(&milliseconds, begin, end), "an event's time");
    if (i >= 3) seconds.push_back(milliseconds * 1e-3);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace trl::runtime::decode
