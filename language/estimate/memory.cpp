#include "language/estimate/memory.hpp"

#include <fmt/format.h>

#include "base/support/matrix_storage.hpp"
#include "base/support/training_memory.hpp"

namespace trl::language {

Memory modelled_memory(const MemoryQuestion& q) {
  const Architecture& a = q.architecture;
  const double element = q.precision == "f32" ? 4 : 2;
  const MatrixStorage* storage = find_matrix_storage(q.quantize);
  Memory out;
  out.weights = a.embedding_weights() * element;
  for (const std::string& matrix : a.all_matrices()) {
    const auto [in, to] = a.shape(matrix);
    out.weights += a.layers * (storage ? storage->bytes(to, in, element) : to * in * element);
  }
  double trained = a.matrix_weights() + a.embedding_weights(), inputs = 0;
  if (q.adapter) {
    trained = 0;
    for (const std::string& matrix : q.targets) {
      const auto [in, to] = a.shape(matrix);
      double ranks = q.rank * a.layers;
      if (!q.patterns.empty()) {
        ranks = 0;
        for (int layer = 0; layer < a.layers; ++layer)
          ranks += static_cast<double>(
              q.patterns.of(Architecture::path(layer, matrix), {static_cast<std::int64_t>(q.rank), 0}).rank);
      }
      trained += ranks * (in + to);
      inputs += in;
    }
  }
  out.optimiser = 16 * trained;
  const double tokens = q.micro_batch * q.sequence, keys = a.kv_heads * a.head_width;
  out.activations = tokens * a.layers *
                    (element * (6 * a.hidden + 2 * keys + 4 * a.intermediate) + 16 * a.hidden + 3 * inputs);
  out.recomputed = a.layers > 0 ? tokens * element * a.hidden * a.layers + out.activations / a.layers : 0;
  out.logits = tokens * a.vocabulary * (element + 8);
  out.cache = q.candidates * q.sequence * 2 * a.layers * keys * element;
  return out;
}

LeastMemory least_to_train(const MemoryQuestion& q) {
  const Architecture& a = q.architecture;
  const Memory all = modelled_memory(q);
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  TrainedLayers layers{whole(a.layers), whole(a.hidden), whole(a.intermediate), whole(a.heads * a.head_width),
                       whole(a.kv_heads * a.head_width)};
  if (q.dropout)
    for (const std::string& matrix : q.targets) layers.dropped_inputs += whole(a.shape(matrix).first);
  return {all.weights, all.optimiser, q.sequence * static_cast<double>(layers.bytes_of_token(layers.layers))};
}

LeastMemory least_to_sample(const MemoryQuestion& q) {
  MemoryQuestion two = q;
  two.candidates = 2;
  const Memory all = modelled_memory(two);
  return {all.weights, 0, all.cache};
}

std::string bytes_text(double bytes) {
  constexpr double gib = 1024.0 * 1024 * 1024;
  return bytes >= gib / 10 ? fmt::format("{:.1f} GiB", bytes / gib)
                           : fmt::format("{:.1f} MiB", bytes / (1024.0 * 1024));
}

}  // namespace trl::language
