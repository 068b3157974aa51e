// Pairs of prompt and answer as tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ground/random.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// prompt tokens + <|answer|> + answer tokens + <|endoftext|>.
struct Document {
  std::vector<Token> tokens;
  std::size_t answer_begin = 0;  // index of the first token after <|answer|>
};

/// `prompt` + <|answer|>, what a sampler starts from.
std::vector<Token> prompt_tokens(const Tokenizer& tokenizer, const std::string& prompt);

Document make_document(const Tokenizer& tokenizer, const std::string& prompt, const std::string& answer);

/// The rows of a samples.jsonl. `checkpoint` is called now and then.
std::vector<Document> read_documents(const std::filesystem::path& file, const Tokenizer& tokenizer,
                                     const std::function<void()>& checkpoint);

/// 0 … count - 1 in random order (Fisher–Yates).
std::vector<std::size_t> shuffled(std::size_t count, RandomStream random);

/// Splits the documents of one optimiser step into micro-batches of similar lengths, each at most `budget`
/// tokens once padded (one document may exceed it). Shortest first; the same for the same documents.
std::vector<std::vector<std::size_t>> micro_batches(const std::vector<Document>& documents,
                                                    const std::vector<std::size_t>& chosen,
                                                    std::size_t budget);

}  // namespace trl::runtime
