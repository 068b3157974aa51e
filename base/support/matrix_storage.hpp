// How the matrices of a frozen model's layers are stored: the values of `quantize` in stdlib/schema.trl.
#pragma once

#include <span>
#include <string_view>

namespace trl {

struct MatrixStorage {
  enum class Id { none, int8, llm_int8, nf4 };
  /// The numbers that share a scale in f32.
  enum class Scales { none, row, block };

  Id id;
  std::string_view name;
  int bits;  ///< of a number; 0: as many as the model's precision has
  Scales scales;
  int block;  ///< numbers that share a scale, along the matrix in row-major order; 0 without blocks
  std::string_view definition;
  std::string_view source;

  /// Bytes of a matrix [rows, columns], where an unquantised number takes `whole` of them.
  double bytes(double rows, double columns, double whole) const;
};

/// Every storage. `none` is the first.
std::span<const MatrixStorage> matrix_storages();

/// The storage with a name; null where there is none.
const MatrixStorage* find_matrix_storage(std::string_view name);

}  // namespace trl
