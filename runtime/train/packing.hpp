// Documents packed after each other, without padding between them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// Some documents of one optimiser step, as one row of tokens. Filler tokens at the end make the number of
/// tokens a multiple of a given number; they count as one more document, which has no answer.
struct Packed {
  std::vector<std::int64_t> tokens;     // [rows]: inputs
  std::vector<std::int32_t> positions;  // [rows]: the token's position in its document
  std::vector<std::uint64_t> keys;      // [rows]: the key of the document's dropout masks
  std::vector<std::int32_t> begins;     // the first row of each document, and the number of rows
  std::int64_t longest = 0;             // rows of the longest document
  std::vector<std::int64_t> answers;    // [answer tokens]: rows whose next token is an answer token
  std::vector<std::int64_t> targets;    // [answer tokens]: the answer tokens
  std::vector<float> weights;           // [answer tokens]: the weight of the token's document
  std::vector<std::int64_t> documents;  // the indices of the packed documents, in order
  /// [documents + 1]: where a document's answer tokens begin in `answers`
  std::vector<std::int64_t> answer_begins;

  std::int64_t rows() const { return static_cast<std::int64_t>(tokens.size()); }
};

/// The number of a document's rows: one less than its tokens, but at most `context`.
std::int64_t rows_of(const Document& document, std::int64_t context);

/// `chosen` are indices of documents, `keys` the random keys of their dropout masks. The
/// number of rows is a multiple of `multiple`.
Packed pack_documents(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                      const std::vector<RandomKey>& keys, std::int64_t context, std::int64_t multiple);

/// The largest number of rows of a leaf (see Trainer) that has several documents.
constexpr std::int64_t kMostLeafRows = 16384;

/// Returns the number of rows at which a leaf (see Trainer) counts as full, for a step with `rows` rows. It
/// is a 32nd of the step: up to eight GPUs then get about the same work, and a long step still has few
/// leaves. It is at least the number that keeps a GPU busy, and at most kMostLeafRows, beyond which more rows
/// aren't worth their memory. It doesn't depend on the number of GPUs, since every number must give the same
/// bits.
std::int64_t rows_of_leaf(std::int64_t rows);

/// Splits the indices 0 … chosen.size() - 1 into runs. The documents of a run have together at most `budget`
/// rows, except that a single document may have more. A run ends with the document with which it reaches
/// `full` rows.
std::vector<std::vector<std::size_t>> packs(const std::vector<Document>& documents,
                                            const std::vector<std::size_t>& chosen, std::int64_t context,
                                            std::int64_t budget,
                                            std::int64_t full = std::numeric_limits<std::int64_t>::max());

}  // namespace trl::runtime
