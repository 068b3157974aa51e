// Sends many requests to a server: several at a time, within the server's rate limits, and again after
// temporary errors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/contract/asked.hpp"
#include "base/contract/endpoint.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/transport.hpp"

namespace trl::runtime {

/// One request.
struct Question {
  std::string body;   ///< the body of the request
  double tokens = 0;  ///< about how many tokens prompt and answer have, for the limit of tokens per minute
  bool may_be_long = false;  ///< whether a prompt that exceeds the model's context is reported to `too_long`
                             ///< instead of an error
};

/// A clock, which tests replace.
class AskClock {
 public:
  virtual ~AskClock() = default;
  virtual double seconds() = 0;     ///< the time in seconds; it never decreases
  virtual std::int64_t date() = 0;  ///< seconds since 1970
  /// Waits until `seconds()` reaches `time`, or until shortly after `stop` returns true.
  virtual void wait_until(double time, const StopRequested& stop) = 0;
};
AskClock& real_clock();

struct AskOptions {
  contract::Endpoint endpoint;
  std::string key;  ///< the API key, which is removed from all messages
  MakeTransport transport;
  AskClock* clock = nullptr;
  std::function<double()> draw;  ///< returns uniform numbers in [0, 1), for random waits; called under a lock
  /// Reads the body of a reply of status 200. Throws BadReply.
  std::function<contract::Asked(const std::string& body)> read = chat_answer;
  std::string call = chat_path;  ///< the path of the call, for messages
  /// Returns the advice for a reply with this error status. If it is null or returns an empty text, the
  /// advice for chat requests is used.
  std::function<std::string(int status)> help = nullptr;
};

/// Returns a text with the API key removed, since a server may repeat the key in its messages. If `key` is
/// empty, returns the text unchanged.
std::string without_key(std::string text, const std::string& key);

/// The callbacks of `ask`. Any thread may call them, except `tick`, but never two threads at the same time.
struct AskEvents {
  /// Called with the answer to the question with this index.
  std::function<void(std::size_t question, contract::Asked answer)> answered;
  /// Called for a question that exceeds the model's context.
  std::function<void(std::size_t question)> too_long;
  /// Called about every 50 ms in the thread that called `ask`. An exception from it ends `ask`. `notes` are
  /// new messages for the user.
  std::function<void(const std::vector<std::string>& notes)> tick;
  std::function<bool()> stop;  ///< returns whether the next call of `tick` will throw
};

/// Sends all questions. Throws UserError when a question can't be answered. Then no further question is sent,
/// but requests already sent may still be answered.
void ask(const std::vector<Question>& questions, const AskOptions& options, const AskEvents& events);

}  // namespace trl::runtime
