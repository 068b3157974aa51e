// The shape of a model, as far as it can be known without loading its weights.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "language/elaboration/value.hpp"
#include "language/modules/options.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

/// A decoder-only transformer. Its matrices and their sizes agree with the runtime's
/// (runtime/model/modules.hpp), as tests/worker/architecture_tests.cpp checks.
struct Architecture {
  std::string source;  ///< where these figures are from: "config.json of …"
  double context = 0;  ///< positions; at most the window where attention has a sliding one
  double hidden = 0, layers = 0, heads = 0, kv_heads = 0, intermediate = 0, vocabulary = 0;
  double head_width = 0;
  bool tied = false;  ///< the output matrix shares the embedding's weights
  /// The matrices that an adapter can change; nothing when they are unknown.
  std::optional<std::vector<std::string>> matrices;

  /// Whether enough figures are known to count weights.
  bool complete() const { return hidden > 0 && layers > 0 && heads > 0 && kv_heads > 0 && intermediate > 0; }
  /// The names of a layer's matrices: q_proj, …; of a feed-forward layer without gate c_fc and c_proj.
  const std::vector<std::string>& all_matrices() const;
  /// The sizes (inputs, outputs) of one matrix of a layer, `q_proj`.
  std::pair<double, double> shape(const std::string& matrix) const;
  /// The path of a matrix in a model's files and in PEFT: "model.layers.3.mlp.down_proj".
  static std::string path(int layer, const std::string& matrix);
  double matrix_weights() const;     ///< the number of weights in matrices of all layers
  double embedding_weights() const;  ///< includes an output matrix that isn't tied
};

/// The path of a file in the folder that holds a model's weights; empty where the weights aren't in a folder,
/// or the folder is unknown.
std::string model_file(const Value& weights, const std::string& name, const CheckOptions& options,
                       const std::string& folder);

/// The architecture of the weights that a model names: the embedded model's, random(…)'s, path(…)'s if its
/// config.json can be read (relative to `folder`), and huggingface(…)'s if the schema lists the repository.
std::optional<Architecture> architecture_of(const Value& weights, const Schema& schema,
                                            const CheckOptions& options, const std::string& folder);

}  // namespace trl::language
