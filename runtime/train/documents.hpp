// Pairs of prompt and answer as tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ground/random.hpp"
#include "runtime/train/prompt_format.hpp"

namespace trl::runtime {

/// A training document: the tokens of prompt and answer and the end token. An answer that was cut off has no
/// end, so that nobody learns to stop there.
struct Document {
  std::vector<Token> tokens;
  std::size_t answer_begin = 0;  // index of the answer's first token
  float weight = 1;              // of the loss of its answer tokens; it may be negative
  std::vector<float> sampled =
      {};  // log-probabilities with which the answer tokens were drawn; empty: unknown
  std::optional<std::size_t> other = {};  // the number of the document with the other answer of a pair
};

/// The number of answer tokens that enter the loss: those that a model of this context sees.
std::int64_t answer_tokens(const Document& document, std::int64_t context);

enum class Ending { stopped, cut_off };
Document make_document(const PromptFormat& format, const std::string& prompt, const std::string& answer,
                       Ending ending = Ending::stopped);

/// Reads the rows of a samples.jsonl. Two rows with the same `pair` are each other's `other`. Throws
/// UserError where there aren't two, one of a positive and one of a negative weight. `checkpoint` is called
/// from time to time.
std::vector<Document> read_documents(const std::filesystem::path& file, const PromptFormat& format,
                                     const std::function<void()>& checkpoint);

/// What an optimiser step takes whole, in the documents' order: both documents of each pair, or each
/// document.
std::vector<std::vector<std::size_t>> units_of(const std::vector<Document>& documents);

/// The numbers 0 … count - 1 in random order (Fisher–Yates).
std::vector<std::size_t> shuffled(std::size_t count, RandomStream random);

/// Splits the documents of one optimiser step into micro-batches of similar lengths, the shortest first, each
/// at most `budget` tokens after padding (a single document may exceed it). The result depends on the
/// documents alone.
std::vector<std::vector<std::size_t>> micro_batches(const std::vector<Document>& documents,
                                                    const std::vector<std::size_t>& chosen,
                                                    std::size_t budget);

}  // namespace trl::runtime
