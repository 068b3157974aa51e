// How the matrices of a frozen model's layers are stored: the values of `quantize` in stdlib/schema.trl.
#pragma once

#include <span>
#include <string_view>

namespace trl {

struct MatrixStorage {
  enum class Id { none, int8, llm_int8, nf4 };
  /// The numbers that share a scale in f32: none has a scale, each row has one, or each block has one.
  enum class Scales { none, row, block };

  Id id;
  std::string_view name;
  int bits;  ///< bits of a stored number; 0: the bits of the model's precision
  Scales scales;
  int block;  ///< consecutive numbers (row-major) that share a scale; 0 without blocks
  std::string_view definition;
  std::string_view source;

  /// Returns the bytes of a matrix [rows, columns] in this storage. `whole` is the bytes of an unquantised
  /// number.
  double bytes(double rows, double columns, double whole) const;
};

/// Returns all storages. `none` is the first.
std::span<const MatrixStorage> matrix_storages();

/// Returns the storage with this name; null if there is none.
const MatrixStorage* find_matrix_storage(std::string_view name);

}  // namespace trl
