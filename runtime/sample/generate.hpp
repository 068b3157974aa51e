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
  /// The answer's tokens without the end token. If the answer ended at a stop text, its last token is the
  /// first after which `StopTexts::find` finds a stop text.
  std::vector<Token> tokens;
  bool stopped = false;  // whether it ended at an end token or a stop text rather than at the limit
  Token end = 0;         // the end token, if it ended at one
  /// if it ended at a stop text: the bytes of its text before the stop text
  std::optional<std::size_t> text_size;
  /// The end token at which the answer ended; nothing if it ended otherwise.
  std::optional<Token> end_token() const { return stopped && !text_size ? std::optional(end) : std::nullopt; }
  /// The log-probabilities of `tokens` and of the end token, at temperature 1 and without top_k and top_p.
  /// `generate_on_gpu` always fills them; the other functions do so if `GenerateSettings::scores` is set.
  std::vector<float> scores;
};

/// Returns the text of an answer, without the stop text if it ended at one. It may end inside a character of
/// UTF-8.
std::string text_of(const Tokenizer& tokenizer, const Answer& answer);

/// Called with an answer whenever the answer has got new tokens, and once when it is finished; may throw to
/// stop. Never called by two threads at once.
using GenerateStream =
    std::function<void(std::size_t prompt, std::size_t sample, const Answer& so_far, bool finished)>;

/// How answers are sampled.
struct GenerateSettings {
  double temperature = 1;
  /// Tokens are drawn from the `top_k` most likely (0: from all), and of these from the most likely that
  /// together have the share `top_p` of their probability (1: from all). `least_drawn` (draw.hpp) describes
  /// ties.
  std::int64_t top_k = 0;
  double top_p = 1;
  std::int64_t max_tokens = 0;
  std::vector<Token> ends;                     // any of them ends an answer
  std::shared_ptr<const StopTexts> stop = {};  // any of these texts ends an answer, too; null: no texts
  std::int64_t choices = 0;  // the size of the tokenizer's vocabulary; only tokens below it are drawn
  int threads = 1;
  std::int64_t rows = 32;  // sequences that each thread decodes together
  bool scores = false;     // whether to fill Answer::scores
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

/// Samples on the CPU in f32 and returns answers[prompt][sample]. A prompt is computed once for all its
/// samples, and when a sequence is finished, the next sequence takes its row. Neither the logits nor the
/// answer of a row depend on other rows.
std::vector<std::vector<Answer>> generate(const ModelConfig& config, const Weights& weights,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings, const GenerateProgress& progress);

/// Like the function above, but samples from a frozen model on the CPU and an adapter for it, which may be
/// null. Quantised matrices are multiplied by `Linear`, as in training; the adapter is never merged.
std::vector<std::vector<Answer>> generate(const LanguageModel& model, const Lora* adapter,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings, const GenerateProgress& progress);

/// Like `generate`, but uses only tensor operations, on the model's device and in its compute type. It serves
/// GPUs, models and adapters that the loops on the CPU and the kernels don't support, and tests as a
/// reference for those loops. `adapter` may be null; it is never merged.
std::vector<std::vector<Answer>> generate_by_tensors(const LanguageModel& model,
                                                     const std::vector<Prompt>& prompts,
                                                     const GenerateSettings& settings,
                                                     const GenerateProgress& progress,
                                                     const ProjectionHook* adapter = nullptr);

}  // namespace trl::runtime
