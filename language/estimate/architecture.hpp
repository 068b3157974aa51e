// The sizes of a model's layers, as far as they can be known without loading the weights.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "language/elaboration/value.hpp"
#include "language/modules/options.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

/// The sizes of a decoder-only transformer. Names and sizes of its matrices agree with
/// runtime/model/modules.hpp, as tests/worker/architecture_tests.cpp checks.
struct Architecture {
  std::string source;  ///< where these sizes are from: "config.json of …"
  double context = 0;  ///< the largest number of positions; with sliding-window attention, at most the window
  double hidden = 0, layers = 0, heads = 0, kv_heads = 0, intermediate = 0, vocabulary = 0;
  double head_width = 0;
  bool tied = false;  ///< the output matrix shares the embedding's weights
  /// The names of the matrices that an adapter can change; nothing if they are unknown.
  std::optional<std::vector<std::string>> matrices;

  /// Whether enough sizes are known to count the weights.
  bool complete() const { return hidden > 0 && layers > 0 && heads > 0 && kv_heads > 0 && intermediate > 0; }
  /// The names of the matrices in a layer: `q_proj` and so on. A feed-forward layer without a gate has `c_fc`
  /// and `c_proj`.
  const std::vector<std::string>& all_matrices() const;
  /// The sizes (inputs, outputs) of one matrix of a layer, such as `q_proj`.
  std::pair<double, double> shape(const std::string& matrix) const;
  /// The path of a matrix in a model's files and in PEFT: "model.layers.3.mlp.down_proj".
  static std::string path(int layer, const std::string& matrix);
  double matrix_weights() const;  ///< the number of weights in the matrices of all layers
  double embedding_weights()
      const;  ///< the number of weights in the embedding and, unless it is tied, in the output matrix
};

/// The path of the file `name` in the folder that holds a model's weights; empty if the weights aren't in a
/// folder or the folder is unknown.
std::string model_file(const Value& weights, const std::string& name, const CheckOptions& options,
                       const std::string& folder);

/// The architecture of a model's weights. It is known for the embedded model, for random(…), for path(…) if
/// the config.json there can be read (relative to `folder`), and for huggingface(…) if the schema lists the
/// repository.
std::optional<Architecture> architecture_of(const Value& weights, const Schema& schema,
                                            const CheckOptions& options, const std::string& folder);

}  // namespace trl::language
