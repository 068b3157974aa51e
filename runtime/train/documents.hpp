// Training documents: pairs of prompt and answer as tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "runtime/train/prompt_format.hpp"

namespace trl::runtime {

/// A training document: the tokens of the prompt, of the answer, and the end token. An answer that was cut
/// off has no end token, so that the model doesn't learn to stop at this place.
struct Document {
  std::vector<Token> tokens;
  std::size_t answer_begin = 0;    // index of the answer's first token
  float weight = 1;                // the weight of the loss of its answer tokens; may be negative
  std::optional<float> plan = {};  // the weight of its plan tokens, if it differs from `weight`
  std::size_t code_begin = 0;      // with `plan`: index of the first token after the plan
  /// The log-probabilities with which the answer tokens were sampled; empty if unknown.
  std::vector<float> sampled = {};
  std::optional<std::size_t> other = {};  // in a pair: the index of the document with the other answer
};

/// Returns the number of answer tokens that enter the loss: those within the model's context.
std::int64_t answer_tokens(const Document& document, std::int64_t context);

/// Returns the number of plan tokens, which come before `code_begin`. Some of them may lie outside the
/// model's context.
std::int64_t plan_tokens(const Document& document);

enum class Ending { stopped, cut_off };
Document make_document(const PromptFormat& format, const std::string& prompt, const std::string& answer,
                       Ending ending = Ending::stopped);

/// Returns the number of an answer's first tokens that lie entirely within its first `bytes` bytes.
std::size_t tokens_within(const PromptFormat& format, const std::vector<Token>& answer, std::size_t bytes);

/// Reads the rows of a samples.jsonl. If a row has a field `plan`, the weight of its plan tokens, the plan's
/// length is `bytes_of_plan` of the answer. Two rows with the same `pair` refer to each other by
/// Document::other. Throws UserError unless each pair has one row with weight 1 and one with weight -1.
/// `checkpoint` is called from time to time.
std::vector<Document> read_documents(const std::filesystem::path& file, const PromptFormat& format,
                                     const std::function<void()>& checkpoint);

/// Returns the units of documents that an optimiser step never separates, in the documents' order: the two
/// documents of a pair, or a single document.
std::vector<std::vector<std::size_t>> units_of(const std::vector<Document>& documents);

/// Returns the numbers 0 … count - 1 in random order (Fisher–Yates).
std::vector<std::size_t> shuffled(std::size_t count, RandomStream random);

/// Splits the documents of one optimiser step into micro-batches of similar lengths, the shortest first, each
/// at most `budget` tokens after padding (a single document may exceed it). The result depends on the
/// documents alone.
std::vector<std::vector<std::size_t>> micro_batches(const std::vector<Document>& documents,
                                                    const std::vector<std::size_t>& chosen,
                                                    std::size_t budget);

}  // namespace trl::runtime
