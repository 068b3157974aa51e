// The answers that a stage needs from a server. Each is requested once, and stored on disk when it arrives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/asked.hpp"
#include "base/stage/stage.hpp"
#include "runtime/endpoint/asker.hpp"

namespace trl::runtime {

/// One answer that is wanted.
struct WantedAnswer {
  std::size_t task = 0;      ///< the index of its task in tasks.json
  std::int64_t sample = 0;   ///< its number among the task's answers
  std::string prompt;        ///< the text of the prompt
  std::string body = {};     ///< the body of the request
  nlohmann::json kept = {};  ///< what answers.jsonl keeps of the body
  std::string id = {};       ///< names the answer in the journal
  double tokens = 0;  ///< about how many tokens prompt and answer have, for limits of tokens per minute
  bool may_be_long = false;  ///< whether a prompt that exceeds the model's context only ends its episode
  std::optional<contract::Asked> answer = {};
  bool too_long = false;  ///< the model's context doesn't hold the prompt
};

/// Returns a seed for the server's sampling of one answer. It has 31 bits, since some servers accept no more.
std::uint32_t seed_of_answer(std::uint64_t seed, const std::string& purpose, const std::string& task,
                             int round, std::int64_t sample, int turn);

/// Throws UserError if the stage's request names no server, or no folder in which answers are stored.
void require_server(const Stage& stage);

/// Fills in the answers: first from the journal, then by requests to the server. `open` returns the settings
/// for the server, and is called only if an answer is missing. `call` is the path of the HTTP call, for
/// messages. Throws UserError as `ask` does, and if too many answers have no text.
void gather(Stage& stage, std::vector<WantedAnswer>& all, const char* call,
            const std::function<AskOptions()>& open);

/// Sums over the answers of a stage, for its summary and for remarks to the user.
class AnswerSums {
 public:
  /// Adds an answer, whose request allowed at most `max_tokens` tokens.
  void add(const WantedAnswer& wanted, std::int64_t max_tokens);
  /// Tells the user what is odd about the answers, with one note for each oddity.
  void remark(Stage& stage) const;
  /// Returns the summary (docs/interfaces.md, 3) of a stage that took `seconds` seconds.
  nlohmann::json summary(double seconds) const;

 private:
  std::int64_t answers_ = 0, tokens_ = 0, prompt_tokens_ = 0, uncounted_ = 0, cut_off_ = 0, too_long_ = 0;
  std::int64_t requests_ = 0;
  std::map<contract::NoText, std::size_t> no_text_;  ///< answers without text by cause
  std::map<std::string, std::int64_t> models_;       ///< answers by what the server calls their model
  std::string doubt_;                                ///< about the server's counts
};

}  // namespace trl::runtime
