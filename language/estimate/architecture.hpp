// The shape of a model, as far as it is known without its weights.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "language/elaboration/value.hpp"
#include "language/modules/options.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

/// A decoder-only transformer with gated feed-forward layers.
struct Architecture {
  std::string source;  ///< where it is known from: "config.json of …"
  double context = 0;  ///< positions
  double hidden = 0, layers = 0, heads = 0, kv_heads = 0, intermediate = 0, vocabulary = 0;
  double head_width = 0;
  bool tied = false;  ///< the output matrix is the embedding
  /// The matrices that an adapter can change; nothing when unknown.
  std::optional<std::vector<std::string>> matrices;

  /// Whether the figures suffice to count weights.
  bool complete() const { return hidden > 0 && layers > 0 && heads > 0 && kv_heads > 0 && intermediate > 0; }
  /// Inputs and outputs of one of a layer's matrices, `q_proj`.
  std::pair<double, double> shape(const std::string& matrix) const;
  double matrix_weights() const;     ///< of all layers
  double embedding_weights() const;  ///< with the output matrix, where it is another
};

/// Where a file of weights that are kept in a folder lies; empty where they aren't, or the folder isn't
/// known.
std::string model_file(const Value& weights, const std::string& name, const CheckOptions& options,
                       const std::string& folder);

/// Of the weights that a model names: the wind tunnel's, random(…)'s, path(…)'s where its config.json can be
/// read (relative to `folder`), and huggingface(…)'s where the schema lists the repository.
std::optional<Architecture> architecture_of(const Value& weights, const Schema& schema,
                                            const CheckOptions& options, const std::string& folder);

}  // namespace trl::language
