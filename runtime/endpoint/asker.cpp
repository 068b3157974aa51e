#include "runtime/endpoint/asker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/rate_limit.hpp"
#include "runtime/endpoint/retry.hpp"

namespace trl::runtime {
namespace {

class RealClock : public AskClock {
 public:
  double seconds() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  std::int64_t date() override { return std::time(nullptr); }
  void wait_until(double time, const StopRequested& stop) override {
    for (double left = time - seconds(); left > 0 && !stop(); left = time - seconds())
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, 0.05)));
  }
};

/// Asking fails after this number of attempts if nobody is at the address and nothing was heard from it
/// before. A server that is there, but busy, refuses nobody.
constexpr std::int64_t first_attempts = 2;
/// The least number of seconds between two notes about trouble with the server.
constexpr double between_notes = 30;

class Asking {
 public:
  Asking(const std::vector<Question>& questions, const AskOptions& options, const AskEvents& events)
      : questions_(questions),
        options_(options),
        events_(events),
        limit_(options.endpoint.requests_per_minute, options.endpoint.tokens_per_minute) {}

  void run() {
    const auto count = std::min<std::size_t>(
        questions_.size(),
        static_cast<std::size_t>(std::max<std::int64_t>(options_.endpoint.concurrency, 1)));
    std::vector<std::thread> threads;
    try {
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads.empty()) throw;  // fewer do as well
    }
    const auto join = [&] {
      for (auto& thread : threads) thread.join();
    };
    try {
      for (bool more = true; more;) {
        std::vector<std::string> notes;
        {
          std::unique_lock lock(mutex_);
          changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return ended_ == threads.size(); });
          more = ended_ != threads.size();
          notes.swap(notes_);
        }
        events_.tick(notes);
      }
    } catch (...) {
      stopping_ = true;
      join();
      throw;
    }
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool stopping() const { return stopping_ || events_.stop(); }

  void work() {
    try {
      std::unique_ptr<Transport> transport;
      for (std::size_t at = next_++; at < questions_.size(); at = next_++) {
        if (failing_) break;
        if (!transport) transport = options_.transport();
        answer(at, *transport);
      }
    } catch (const Stopped&) {
      // No failure is reported: whoever stopped the questions knows the reason.
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      if (!failing_.exchange(true) && under_way_ > 0)
        notes_.push_back(fmt::format(
            "it failed; {} under way {} waited for, so as not to be asked for again (Ctrl-C doesn't wait)",
            counted(under_way_, "answer"), under_way_ == 1 ? "is" : "are"));
    }
    const std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }

  [[noreturn]] void fail(const std::string& what, const std::string& help) const {
    const auto& endpoint = options_.endpoint;
    std::string message =
        (endpoint.place.empty() ? "" : endpoint.place + ": ") + "the server " + endpoint.address + " " + what;
    throw UserError(without_key(message, options_.key), help);
  }

  void note(const std::string& sentence) {
    const double now = options_.clock->seconds();
    if (noted_ && now < *noted_ + between_notes) return;
    noted_ = now;
    notes_.push_back(without_key(sentence, options_.key));
  }

  /// The failure of one attempt: why there is no answer, and when to try again.
  struct Failure {
    std::string what;                           ///< what happened: "says 503: loading the model"
    std::optional<double> wait = std::nullopt;  ///< seconds that the server asks for
    bool unheard = false;                       ///< nobody was there
    bool unreadable = false;                    ///< something came for this question that is no answer
  };

  void answer(std::size_t number, Transport& transport) {
    const Question& question = questions_[number];
    std::optional<Failure> last;
    for (std::int64_t attempt = 1;; ++attempt) {
      begin(question, attempt, last);
      const double begun = options_.clock->seconds();
      last.reset();
      try {
        const Reply reply = sent(question, transport);
        heard_ = true;
        if (auto asked = understood(question, reply, last)) {
          asked->attempts = attempt;
          asked->seconds = options_.clock->seconds() - begun;
          const std::lock_guard lock(mutex_);
          limit_.settle(question.tokens, static_cast<double>(asked->prompt_tokens.value_or(0) +
                                                             asked->answer_tokens.value_or(0)));
          events_.answered(number, std::move(*asked));
          return;
        }
        if (!last) {
          const std::lock_guard lock(mutex_);
          events_.too_long(number);
          return;
        }
      } catch (const TransportError& error) {
        last = failure_of(error);
      }
      const bool nobody = last->unheard && !heard_;
      if (nobody && attempt >= first_attempts)
        fail("isn't there: " + last->what,
             "Start it, or correct the address. A server that is only starting is asked again by the same "
             "command.");
      if (attempt < options_.endpoint.attempts) continue;
      if (last->unreadable) return lose(number, attempt, last->what);
      fail(
          fmt::format("gave no answer in {}; the last time it {}", counted(attempt, "attempt"), last->what),
          "Run the same command again later: answers that there are aren't asked for again. A larger "
          "`timeout`, fewer requests at a time (`concurrency`) or a limit (`requests_per_minute`) may help.");
    }
  }

  /// Ends a question without an answer, because of a trouble that concerns this question alone. The other
  /// questions go on.
  void lose(std::size_t number, std::int64_t attempts, const std::string& what) {
    contract::Asked lost;
    lost.no_text = contract::NoText::unreadable, lost.trouble = without_key(what, options_.key),
    lost.attempts = attempts;
    const std::lock_guard lock(mutex_);
    note(fmt::format("an answer is lost after {}: the last time the server {}", counted(attempts, "attempt"),
                     what));
    events_.answered(number, std::move(lost));
  }

  /// Sends a request and returns the reply. The request is counted while it is under way.
  Reply sent(const Question& question, Transport& transport) {
    struct Counted {
      std::atomic<std::size_t>& count;
      explicit Counted(std::atomic<std::size_t>& of) : count(of) { ++count; }
      ~Counted() { --count; }
    };
    const Counted one(under_way_);
    auto reply = transport.post(question.body);
    // The key is removed before any text is cut off, so that no part of it is left.
    reply.body = without_key(std::move(reply.body), options_.key);
    return reply;
  }

  /// Waits until the question may be sent, for the first time or again.
  void begin(const Question& question, std::int64_t attempt, const std::optional<Failure>& last) {
    double at = 0;
    {
      const std::lock_guard lock(mutex_);
      const double now = options_.clock->seconds();
      double earliest = now;
      if (last) {
        earliest += std::max(backoff(attempt - 1, options_.draw()), last->wait.value_or(0));
        if (last->wait) limit_.pause_until(now + *last->wait);
        if (attempt > 2 || last->wait)
          note(fmt::format("the server {}; it is asked again in {:.0f} s", last->what, earliest - now));
      }
      at = limit_.book(earliest, question.tokens);
    }
    // The time that was booked may be postponed by a pause that another reply asks for.
    for (double allowed = at;;) {
      if (stopping() || failing_) throw Stopped();
      if (options_.clock->seconds() >= allowed) break;
      options_.clock->wait_until(allowed, [this] { return stopping() || failing_; });
      const std::lock_guard lock(mutex_);
      allowed = limit_.earliest(at);
    }
  }

  Failure failure_of(const TransportError& error) const {
    switch (error.kind) {
      case TransportError::Kind::untrusted:
        fail(std::string("can't be trusted: ") + error.what(),
             "If it is your own, name its authority's certificate in SSL_CERT_FILE.");
      case TransportError::Kind::too_large:
        return {std::string("sent too much: ") + error.what(), std::nullopt, false, true};
      case TransportError::Kind::unreachable:
        return {error.what(), std::nullopt, true};
      case TransportError::Kind::timeout:
        return {fmt::format("didn't answer within {:g} s ({})", options_.endpoint.timeout, error.what())};
      case TransportError::Kind::broken:
        break;
    }
    return {std::string("broke off: ") + error.what(), std::nullopt, false, heard_};
  }

  /// Returns the answer that a reply holds, which has no text if the server's filter refused the prompt.
  /// Otherwise returns nothing: with `failure` set if the question is to be asked again, and without it if
  /// the prompt is too long. Throws UserError if asking again would be useless.
  std::optional<contract::Asked> understood(const Question& question, const Reply& reply,
                                            std::optional<Failure>& failure) const {
    int status = reply.status;
    ServerError error;
    if (status == 200) {
      if (!says_error(reply.body)) {
        try {
          return options_.read(reply.body);
        } catch (const BadReply& bad) {
          failure = Failure{std::string("sent something that is no answer: ") + bad.what(), std::nullopt,
                            false, true};
          return std::nullopt;
        }
      }
      error = server_error(reply.body);
      status = error.status != 0 ? error.status : 500;
    } else {
      error = server_error(reply.body);
    }
    const auto says = fmt::format("says {}{}{}", status, error.message.empty() ? "" : ": ", error.message);
    if (question.may_be_long && status >= 400 && is_too_long(question, status, error)) return std::nullopt;
    if (status >= 400 && error.filtered()) {
      contract::Asked refused;
      refused.no_text = contract::NoText::filtered, refused.refusal = error.message;
      return refused;
    }
    if (!is_transient(status) || error.quota_exceeded() || error.context_exceeded())
      fail(says, help_for(status, error, reply));
    failure = Failure{says, retry_after(reply.retry_after, options_.clock->date())};
    if (failure->wait && *failure->wait > longest_wait)
      fail(fmt::format("{}, and asks for a pause of {:.0f} s", says, *failure->wait),
           "Run the same command again later: answers that there are aren't asked for again.");
    return std::nullopt;
  }

  /// Whether an error says that a prompt exceeds the model's context, or has to be taken to say so. If the
  /// context's length is declared, an error in unknown words on a prompt that can't fit by its length counts,
  /// too.
  bool is_too_long(const Question& question, int status, const ServerError& error) const {
    if (error.context_exceeded()) return true;
    const auto& context = options_.endpoint.context;
    const bool of_request = status == 400 || status == 413 || status == 422 || status == 500;
    return context && of_request && !error.quota_exceeded() &&
           question.tokens > static_cast<double>(*context);
  }

  std::string help_for(int status, const ServerError& error, const Reply& reply) const {
    const auto& key = options_.endpoint.key_env;
    if (error.quota_exceeded()) return "Pay for more, or ask another server.";
    if (const auto own = options_.help && !error.context_exceeded() ? options_.help(status) : "";
        !own.empty())
      return own;
    if (status == 401 || status == 403)
      return key.empty()
                 ? "If it wants a key, name the environment variable that holds one: `key_env = \"…\"`."
                 : "Look at the key that the environment variable " + key + " holds.";
    if (status == 404)
      return fmt::format(
          "Correct the model's `name`, or the address: it is what {} is appended to, and usually ends with "
          "/v1.",
          options_.call);
    if (status >= 300 && status < 400)
      return reply.location.empty()
                 ? "Write the address to which it leads."
                 : "It leads to " + reply.location.substr(0, 200) + ": write that address.";
    if (error.context_exceeded())
      return "Lower `max_tokens`, leave out the longest tasks, or give the model a longer "
             "context.";
    if (status == 400 || status == 422)
      return "If it doesn't know one of the parameters, leave that out of `parameters` of endpoint(…); some "
             "want max_completion_tokens in place of max_tokens. Fields that it wants besides are said by "
             "`body`.";
    if (status == 405 || status == 501) return "Its API isn't OpenAI's for chats, or the address is another.";
    return "Run the same command again once that is mended: answers that there are aren't asked for again.";
  }

  const std::vector<Question>& questions_;
  const AskOptions& options_;
  const AskEvents& events_;
  std::atomic<std::size_t> next_ = 0, under_way_ = 0;
  std::atomic<bool> stopping_ = false, failing_ = false, heard_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  RateLimit limit_;
  std::size_t ended_ = 0;  ///< threads
  std::vector<std::string> notes_;
  std::optional<double> noted_;
  std::exception_ptr failure_;
};

}  // namespace

std::string without_key(std::string text, const std::string& key) {
  if (key.empty()) return text;
  for (auto at = text.find(key); at != std::string::npos; at = text.find(key))
    text.replace(at, key.size(), "…");
  return text;
}

AskClock& real_clock() {
  static RealClock clock;
  return clock;
}

void ask(const std::vector<Question>& questions, const AskOptions& options, const AskEvents& events) {
  if (!questions.empty()) Asking(questions, options, events).run();
}

}  // namespace trl::runtime
