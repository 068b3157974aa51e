// Pairs of prompt and answer as tokens.
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

/// A training document: the tokens of prompt and answer and the end token. An answer that was cut off has no
/// end, so that nobody learns to stop there.
struct Document {
  std::vector<Token> tokens;
  std::size_t answer_begin = 0;    // index of the answer's first token
  float weight = 1;                // of the loss of its answer tokens; it may be negative
  std::optional<float> plan = {};  // the weight of its plan tokens, where they have another
  std::size_t code_begin = 0;      // with `plan`: index of the first token that isn't one of the plan
  std::vector<float> sampled =
      {};  // log-probabilities with which the answer tokens were drawn; empty: unknown
  std::optional<std::size_t> other = {};  // the number of the document with the other answer of a pair
};

/// The number of answer tokens that enter the loss, which are the ones that a model of this context sees.
std::int64_t answer_tokens(const Document& document, std::int64_t context);

/// The number of plan tokens, before `code_begin`; a context may see fewer.
std::int64_t plan_tokens(const Document& document);

enum class Ending { stopped, cut_off };
Document make_document(const PromptFormat& format, const std::string& prompt, const std::string& answer,
                       Ending ending = Ending::stopped);

/// How many of an answer's tokens, from its first, lie within its first `bytes` bytes. A token that reaches
/// beyond them doesn't.
std::size_t tokens_within(const PromptFormat& format, const std::vector<Token>& answer, std::size_t bytes);

/// Reads the rows of a samples.jsonl. Where a row has a weight of its plan tokens, the plan is as long as
/// `bytes_of_plan` of the answer. Two rows with the same `pair` are each other's `other`. Throws
/// UserError where there aren't two, one of a positive and one of a negative weight. `checkpoint` is called
/// from time to time.
std::vector<Document> read_documents(const std::filesystem::path& file, const PromptFormat& format,
                                     const std::function<void()>& checkpoint);

/// The documents that an optimiser step takes only together, in the documents' order: both of each pair, or
/// each alone.
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
