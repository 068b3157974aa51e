// Samples answers to prompts.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/support/random.hpp"
#include "runtime/adapter/lora.hpp"
#include "runtime/model/language_model.hpp"
#include "runtime/sample/draw.hpp"
#include "runtime/sample/stop.hpp"

namespace trl::runtime {

/// One prompt and the random streams of its samples: the i-th draw of an answer is uniform(stream, i).
struct Prompt {
  std::vector<Token> tokens;  // never empty
  std::vector<RandomKey> samples;
};

struct Answer {
  /// The answer's tokens without the end token. If it ended at a stop text, the last is the token that
  /// completed it: the first after which `StopTexts::find` finds one.
  std::vector<Token> tokens;
  bool stopped = false;  // whether it ended at an end token or a stop text rather than at the limit
  Token end = 0;         // the end token, if it ended at one
  std::optional<std::size_t> text_size;  // bytes of its text before the stop text at which it ended
  /// The end token at which it ended, if it did.
  std::optional<Token> end_token() const { return stopped && !text_size ? std::optional(end) : std::nullopt; }
  /// The log-probability of each of `tokens`, and of the end token, at temperature 1 and without top_k and
  /// top_p: `generate_on_gpu` always gives them, the others if `GenerateSettings::scores` says so.
  std::vector<float> scores;
};

/// The text of an answer, without the stop text if it ended at one. It may end inside a character
/// of UTF-8.
std::string text_of(const Tokenizer& tokenizer, const Answer& answer);

/// Called with an answer whenever tokens of it were drawn, and once when it is finished; may throw to stop.
/// Never called by two threads at once.
using GenerateStream =
    std::function<void(std::size_t prompt, std::size_t sample, const Answer& so_far, bool finished)>;

/// How answers are sampled.
struct GenerateSettings {
  double temperature = 1;
  /// Only the top_k most likely tokens are drawn (0: all), and of these the most likely that together have
  /// top_p of the probability (1: all). Tokens as likely as the last of them are drawn, too: `least_drawn`.
  std::int64_t top_k = 0;
  double top_p = 1;
  std::int64_t max_tokens = 0;
  std::vector<Token> ends;                     // any of them ends an answer
  std::shared_ptr<const StopTexts> stop = {};  // so does any of these texts; null: none
  std::int64_t choices = 0;                    // only tokens below this are drawn: the tokenizer's size
  int threads = 1;
  std::int64_t rows = 32;  // sequences that each thread decodes together
  bool scores = false;     // whether answers get them
  GenerateStream stream = {};
};

/// Whether a token is one of the end tokens.
inline bool is_end(const GenerateSettings& settings, std::int64_t token) {
  return std::find(settings.ends.begin(), settings.ends.end(), token) != settings.ends.end();
}

/// Appends a drawn token to an answer. Returns whether it ended the answer.
bool append(const GenerateSettings& settings, Token token, Answer& answer);

/// Called after every few steps with the number of answers and tokens finished so far; may throw to stop.
/// Never called by two threads at once.
using GenerateProgress = std::function<void(std::int64_t answers, std::int64_t tokens)>;

/// Returns answers[prompt][sample]. On the CPU in f32: prompts are computed once and shared by their samples,
/// and when a sequence is finished the next takes its row. A row's logits don't depend on the other rows, so
/// neither do the answers.
std::vector<std::vector<Answer>> generate(const ModelConfig& config, const Weights& weights,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings, const GenerateProgress& progress);

/// The same from a frozen model on the CPU and an adapter on it, which may be null. Matrices of few bits are
/// multiplied as `Linear` does it, which is how they are trained on; the adapter is never merged.
std::vector<std::vector<Answer>> generate(const LanguageModel& model, const Lora* adapter,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings, const GenerateProgress& progress);

/// The same with tensor operations alone, on the model's device and in its compute type: for GPUs, and as a
/// reference for the CPU's loops. `adapter` may be null; it is never merged.
std::vector<std::vector<Answer>> generate_by_tensors(const LanguageModel& model,
                                                     const std::vector<Prompt>& prompts,
                                                     const GenerateSettings& settings,
                                                     const GenerateProgress& progress,
                                                     const ProjectionHook* adapter = nullptr);

}  // namespace trl::runtime
