// Asks a server many questions: several at a time, within its limits, and again where it is in trouble.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/contract/asked.hpp"
#include "base/contract/endpoint.hpp"
#include "runtime/endpoint/transport.hpp"

namespace trl::runtime {

/// One request.
struct Question {
  std::string body;          ///< of the request
  double tokens = 0;         ///< about how many it takes, prompt and answer, for the limit of tokens a minute
  bool may_be_long = false;  ///< whether a prompt that the model's context doesn't hold is no error
};

/// Time, which tests make up.
class AskClock {
 public:
  virtual ~AskClock() = default;
  virtual double seconds() = 0;     ///< of a clock that doesn't go back
  virtual std::int64_t date() = 0;  ///< seconds since 1970
  /// Returns at that time of `seconds()`, or soon after `stop` says so.
  virtual void wait_until(double time, const StopRequested& stop) = 0;
};
AskClock& real_clock();

struct AskOptions {
  contract::Endpoint endpoint;
  std::string key;  ///< so that no message shows it
  MakeTransport transport;
  AskClock* clock = nullptr;
  std::function<double()> draw;  ///< uniform in [0, 1), for waits; called under a lock
};

/// The events of asking. All but `tick` may be called by any thread, though never by two at the same time.
struct AskEvents {
  /// The answer to a question, by its number.
  std::function<void(std::size_t question, contract::Asked answer)> answered;
  /// The model's context doesn't hold the question.
  std::function<void(std::size_t question)> too_long;
  /// Called by `ask`'s own thread every 50 ms or so; an exception from it ends everything. `notes` are
  /// sentences for people that came up meanwhile.
  std::function<void(const std::vector<std::string>& notes)> tick;
  std::function<bool()> stop;  ///< whether `tick` is about to throw
};

/// Asks all questions. Throws UserError where one can't be answered: no more is asked then, and requests that
/// are under way may still be answered.
void ask(const std::vector<Question>& questions, const AskOptions& options, const AskEvents& events);

}  // namespace trl::runtime
