// Samples answers to prompts.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "ground/random.hpp"
#include "runtime/model/language_model.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// One prompt and the random streams of its samples: the i-th draw of an answer is uniform(stream, i).
struct Prompt {
  std::vector<Token> tokens;  // never empty
  std::vector<RandomKey> samples;
};

struct Answer {
  std::vector<Token> tokens;  // without the end token
  bool stopped = false;       // whether the answer ended at an end token rather than at the limit
  Token end = 0;              // that token, if it stopped
  /// The log-probability of each token, and of the end token, at temperature 1 and without top_k and top_p.
  /// Only `generate_on_gpu` gives them.
  std::vector<float> scores;
};

/// Called with an answer whenever tokens of it were drawn, and once when it is finished; may throw to stop.
/// Never called by two threads at once.
using GenerateStream =
    std::function<void(std::size_t prompt, std::size_t sample, const Answer& so_far, bool finished)>;

/// How answers are sampled.
struct GenerateSettings {
  double temperature = 1;
  /// Only the top_k most likely tokens are drawn (0: all), and of these the most likely that together have
  /// top_p of the probability (1: all). Tokens as likely as the last of them are drawn, too. Only
  /// `generate_on_gpu` has these.
  std::int64_t top_k = 0;
  double top_p = 1;
  std::int64_t max_tokens = 0;
  std::vector<Token> ends;   // any of them ends an answer
  std::int64_t choices = 0;  // only tokens below this are drawn: the tokenizer's size
  int threads = 1;
  std::int64_t rows = 32;  // sequences that each thread decodes together
  GenerateStream stream = {};
};

/// Whether a token is one of the end tokens.
inline bool is_end(const GenerateSettings& settings, std::int64_t token) {
  return std::find(settings.ends.begin(), settings.ends.end(), token) != settings.ends.end();
}

/// Called after every few steps with the number of answers and tokens finished so far; may throw to stop.
/// Never called by two threads at once.
using GenerateProgress = std::function<void(std::int64_t answers, std::int64_t tokens)>;

/// Returns answers[prompt][sample]. On the CPU in f32: prompts are computed once and shared by their samples,
/// and when a sequence is finished the next takes its row. A row's logits don't depend on the other rows, so
/// neither do the answers.
std::vector<std::vector<Answer>> generate(const ModelConfig& config, const Weights& weights,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings, const GenerateProgress& progress);

/// The same with tensor operations alone, on the model's device and in its compute type: for GPUs, and as a
/// reference for the CPU's loops.
std::vector<std::vector<Answer>> generate_by_tensors(const LanguageModel& model,
                                                     const std::vector<Prompt>& prompts,
                                                     const GenerateSettings& settings,
                                                     const GenerateProgress& progress);

}  // namespace trl::runtime
