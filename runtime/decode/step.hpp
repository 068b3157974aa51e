// One step of decoding: a token for each column, as a CUDA graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/decode/products.hpp"
#include "runtime/kernels/kernels.hpp"
#include "runtime/model/language_model.hpp"

namespace trl::runtime::decode {

/// Positions in a page of keys and values.
inline constexpr std::int64_t kPage = 128;
/// The number of drawn tokens that the GPU stores for a column. A step's graph is launched at most this often
/// before the host reads the tokens.
inline constexpr std::int64_t kRing = 32;
/// The most end tokens that a model may have.
inline constexpr std::size_t kMostEnds = 8;

/// The settings for drawing tokens. They can't change during a Stepper's lifetime.
struct Drawing {
  double temperature = 1;
  std::int64_t top_k = 0;  // 0: no limit
  double top_p = 1;
  std::int64_t choices = 0;  // only tokens below this number may be drawn
  std::vector<std::int32_t> ends;
};

/// How the layers' matrices are stored. All other weights, such as the output matrix, are always bf16.
enum class Storage {
  bf16,
  int8,  // whole numbers with a scale for each row (runtime/model/quantise.hpp)
  nf4,   // codes with a scale for each 64 numbers (runtime/model/normal_float.hpp)
};

/// The bits of a number in this storage.
int bits_of(Storage storage);

/// A matrix [out, in] as the kernels read it, and an adapter's addition to it: y = W x + T z, where z = A x.
struct Matrix {
  Storage storage = Storage::bf16;
  at::Tensor values;  // bf16, or bytes in the order of packing.hpp
  at::Tensor scale;   // f32: [out] with int8, [out, in / 64] with nf4
  at::Tensor tail;    // T, [out, tail] bf16
  bool defined() const { return values.defined(); }
  /// Returns W in bf16, for products with many rows, which libraries compute.
  at::Tensor whole() const;
};

/// The number of columns of an adapter's matrix T for each of a layer's products; 0 if there is no adapter.
struct Tails {
  std::int64_t qkv = 0, o = 0, up = 0, down = 0;
};

/// A model's weights as the kernels read them: on the GPU, with q, k and v joined into one matrix.
struct DecodeWeights {
  /// `adapter` isn't merged into the matrices: quantised matrices can't hold it, and switching adapters needs
  /// no copy of the model.
  explicit DecodeWeights(const LanguageModel& model, Storage storage = Storage::bf16,
                         const Lora* adapter = nullptr);

  struct Layer {
    at::Tensor input_norm, input_norm_bias, attention_norm,
        attention_norm_bias;          // [hidden], or undefined
    at::Tensor query_norm, key_norm;  // [head_size]
    Matrix qkv, o, gate, up, down;    // gate: undefined if the model has none
    at::Tensor qkv_bias, o_bias, up_bias, down_bias;
    // The adapter's matrices A, [tail, in] bf16. Rows of A belong to columns of T. q, k and v have rows of
    // their own in qkv_a, and likewise gate and up in up_a.
    at::Tensor qkv_a, o_a, up_a, down_a;
  };
  ModelConfig config;
  Storage storage = Storage::bf16;
  Tails tails;
  at::Tensor embedding, final_norm, final_norm_bias, head;
  at::Tensor cosine, sine;  // [context, head_size / 2] f32
  std::vector<Layer> layers;
};

/// Returns the reason why these kernels can't decode a model; empty if they can.
std::string reason_against(const ModelConfig& config, Storage storage = Storage::bf16);

/// The state of a column, as the host knows it. The device advances its own copy at each launch of a graph.
struct ColumnState {
  std::int32_t token = 0;      // the token at `position`; the next step draws its successor
  std::int32_t position = -1;  // negative: the column is idle
  std::int32_t made = 0;       // the number of tokens drawn so far
  std::int32_t limit = 0;      // the column becomes idle once `made` reaches it
  std::uint64_t stream = 0;    // the i-th draw is uniform(stream, i)
  std::vector<std::int32_t> pages;
};

/// The device's results for a column.
struct ColumnResult {
  std::vector<std::int32_t> tokens;  // drawn in this call of `run`, with the end token
  std::vector<float> scores;         // their log-probabilities at temperature 1
  bool idle = false;
};

class Stepper {
 public:
  /// Makes a stepper for at most `columns` columns, each with at most `most_pages` pages of `pool` [pages,
  /// layers, 2, kv_heads, kPage, head_size] bf16. `attention_blocks` (1, 2, 4 or 8) blocks compute the
  /// attention of one column and key head together; the number decides the order in which the results of
  /// pages are added, and thereby their rounding. All work runs on a separate stream; it waits for the
  /// default stream, and the default stream waits for it.
  Stepper(std::shared_ptr<const DecodeWeights> weights, at::Tensor pool, std::int64_t columns,
          std::int64_t most_pages, int attention_blocks, Drawing drawing);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// Makes `steps` steps (at most kRing) with these columns, at most as many as the Stepper was made for, and
  /// returns each column's result. Waits for the device.
  std::vector<ColumnResult> run(const std::vector<ColumnState>& columns, std::int64_t steps);

  /// Copies pages `from` to pages `to`.
  void copy_pages(const std::vector<std::int32_t>& from, const std::vector<std::int32_t>& to);

  /// For benchmarks: returns the seconds of one step, the median of `repeats` launches, measured by events on
  /// the device.
  double seconds_of_step(const std::vector<ColumnState>& columns, int repeats);
  /// For benchmarks: returns, by kernel name, the seconds of a step that consists of the kernels of this name
  /// alone.
  std::map<std::string, double> seconds_of_kernels(const std::vector<ColumnState>& columns, int repeats);

  /// For tests: the logits of the last step, [columns, vocabulary] f32.
  const at::Tensor& logits() const { return logits_; }

 private:
  struct Width;  // kernels and graph for a number of columns
  Width& width_for(std::int64_t columns);
  struct Recorded;  // a graph
  /// Records a step as a graph: with all kernels, or with the kernels named `only`.
  Recorded capture(const Width& width, std::string_view only = {});
  double seconds_of(const Recorded& graph, const std::vector<ColumnState>& columns, std::int64_t width,
                    int repeats);
  void upload(const std::vector<ColumnState>& columns, std::int64_t width);

  std::shared_ptr<const DecodeWeights> weights_;
  at::Tensor pool_;
  std::int64_t columns_, most_pages_;
  Drawing drawing_;
  Gpu gpu_;
  int attention_blocks_;
  CUstream stream_ = nullptr;
  std::map<std::int64_t, std::unique_ptr<Width>> widths_;
  // [columns] each, in one tensor that is copied at once: tokens, positions, made, limits, streams (two
  // words), pages.
  at::Tensor state_, host_state_;
  // The drawn tokens [columns][kRing], then their scores [columns][kRing]. In the host's copy, the tokens,
  // positions and `made` of the state follow.
  at::Tensor output_, host_output_;
  at::Tensor x_, h_, z_, qkv_, mixed_, active_, gate_parts_, up_parts_, y_, logits_, threshold_, summary_;
};

}  // namespace trl::runtime::decode
