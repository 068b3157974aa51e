// Many questions, asked with a clock and a transport that are made up.
#include "base/contract/asked.hpp"
#include "runtime/endpoint/asker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/support/error.hpp"
#include "runtime/endpoint/retry.hpp"

namespace trl::runtime {
namespace {

using Kind = TransportError::Kind;

/// Whoever waits moves time on.
class FakeClock : public AskClock {
 public:
  double seconds() override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  std::int64_t date() override { return 784111777 + static_cast<std::int64_t>(seconds()); }
  void wait_until(double time, const StopRequested&) override {
    const std::lock_guard lock(mutex_);
    now_ = std::max(now_, time);
  }

 private:
  std::mutex mutex_;
  double now_ = 1000;
};

Reply answer(const std::string& text) {
  return {200, "", "", R"({"choices": [{"message": {"content": ")" + text + R"("}, "finish_reason": "stop"}],
                          "usage": {"prompt_tokens": 10, "completion_tokens": 20}})"};
}

Reply error(int status, const std::string& message, const std::string& retry_after = "") {
  return {status, retry_after, "", R"({"error": {"message": ")" + message + R"("}})"};
}

/// What the server does: given a body, how often it was sent before, and the time.
using Behaviour = std::function<Reply(const std::string& body, int before, double now)>;

struct Conversation {
  FakeClock clock;
  AskOptions options;
  std::map<std::size_t, contract::Asked> answers;
  std::set<std::size_t> too_long;
  std::vector<std::string> notes;
  std::map<std::string, int> sent;  ///< how often each body was
  std::vector<double> times;        ///< at which something was sent
  std::atomic<int> at_once = 0, most_at_once = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  Behaviour server;

  explicit Conversation(Behaviour does) : server(std::move(does)) {
    options.endpoint.address = "http://h/v1", options.endpoint.place = "study.trl:3:13";
    options.endpoint.concurrency = 1;
    options.clock = &clock;
    options.draw = [] { return 0.0; };
    options.transport = [this] { return std::make_unique<FakeTransport>(*this); };
  }

  struct FakeTransport : Transport {
    Conversation& run;
    explicit FakeTransport(Conversation& of) : run(of) {}
    Reply post(const std::string& body) override {
      const int now_at_once = ++run.at_once;
      int before = 0;
      {
        const std::lock_guard lock(run.mutex);
        run.most_at_once = std::max(run.most_at_once.load(), now_at_once);
        before = run.sent[body]++;
        run.times.push_back(run.clock.seconds());
      }
      struct Less {
        std::atomic<int>& count;
        ~Less() { --count; }
      } less{run.at_once};
      return run.server(body, before, run.clock.seconds());
    }
  };

  void ask(std::size_t count, bool may_be_long = false) {
    std::vector<Question> questions;
    for (std::size_t i = 0; i < count; ++i) questions.push_back({std::to_string(i), 100, may_be_long});
    AskEvents events;
    events.answered = [this](std::size_t question, contract::Asked asked) {
      EXPECT_TRUE(answers.emplace(question, std::move(asked)).second) << "answered twice";
    };
    events.too_long = [this](std::size_t question) { too_long.insert(question); };
    events.stop = [this] { return stop.load(); };
    events.tick = [this](const std::vector<std::string>& more) {
      notes.insert(notes.end(), more.begin(), more.end());
      if (stop) throw Stopped();
    };
    runtime::ask(questions, options, events);
  }

  /// The error that asking ends with, with its help.
  std::string refused(std::size_t count = 1) {
    try {
      ask(count);
    } catch (const UserError& error) {
      return std::string(error.what()) + "\n" + error.help;
    }
    return "nothing was refused";
  }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Asker, AsksEverythingOnce) {
  Conversation run([](const std::string& body, int, double) { return answer("to " + body); });
  run.options.endpoint.concurrency = 8;
  run.ask(200);
  ASSERT_EQ(run.answers.size(), 200u);
  for (const auto& [number, asked] : run.answers) {
    EXPECT_EQ(asked.answer, "to " + std::to_string(number));
    EXPECT_EQ(asked.attempts, 1);
  }
  for (const auto& [body, times] : run.sent) EXPECT_EQ(times, 1) << body;
  run.ask(0);
}

TEST(Asker, AsManyAtOnceAsAreAllowed) {
  std::atomic<int> arrived = 0;
  Conversation run([&](const std::string&, int, double) {
    // Each waits for the others of its four: fewer at once would never get on.
    const int mine = arrived++;
    while (arrived < (mine / 4 + 1) * 4) std::this_thread::yield();
    return answer("x");
  });
  run.options.endpoint.concurrency = 4;
  run.ask(16);
  EXPECT_EQ(run.answers.size(), 16u);
  EXPECT_EQ(run.most_at_once, 4);
}

// Every trouble that passes: the question is asked again after a pause that grows.
TEST(Asker, TroubleThatPassesIsWaitedFor) {
  const std::vector<Behaviour> troubles = {
      [](auto&, int, double) { return error(429, "slow down"); },
      [](auto&, int, double) { return error(500, "oops"); },
      [](auto&, int, double) { return error(503, "loading"); },
      [](auto&, int, double) {
        return Reply{502, "", "", "<html>"};
      },
      [](auto&, int, double) {
        return Reply{200, "", "", "{\"choices\": ["};
      },
      [](auto&, int, double) {
        return Reply{200, "", "", R"({"error": {"message": "later", "code": 429}})"};
      },
      [](auto&, int, double) -> Reply { throw TransportError(Kind::timeout, "slow"); },
      [](auto&, int, double) -> Reply { throw TransportError(Kind::broken, "cut"); },
  };
  for (std::size_t i = 0; i < troubles.size(); ++i) {
    Conversation run([&](const std::string& body, int before, double now) {
      return before < 4 ? troubles[i](body, before, now) : answer("x");
    });
    run.ask(1);
    ASSERT_EQ(run.answers.size(), 1u) << i;
    EXPECT_EQ(run.answers[0].attempts, 5) << i;
    EXPECT_EQ(run.times, (std::vector<double>{1000, 1000.5, 1001.5, 1003.5, 1007.5})) << i;
  }
}

TEST(Asker, AServerThatGoesAwayIsWaitedForOnceItWasThere) {
  Conversation run([](const std::string& body, int before, double) -> Reply {
    if (body == "1" && before < 5) throw TransportError(Kind::unreachable, "refused");
    return answer("x");
  });
  run.ask(2);
  EXPECT_EQ(run.answers.size(), 2u);
}

TEST(Asker, AServerThatNeverWasThereIsSaidSoon) {
  Conversation run(
      [](auto&, int, double) -> Reply { throw TransportError(Kind::unreachable, "Connection refused"); });
  const auto said = run.refused(50);
  EXPECT_TRUE(holds(said, "study.trl:3:13: the server http://h/v1 isn't there: Connection refused")) << said;
  EXPECT_TRUE(holds(said, "Start it")) << said;
  EXPECT_EQ(run.times.size(), 2u) << "and nothing else is tried";
}

TEST(Asker, RetryAfterIsObeyedByAll) {
  for (const char* when : {"30", "Sun, 06 Nov 1994 09:06:47 GMT"}) {  // 30 s after the clock's 1000 s
    Conversation run([&](const std::string& body, int before, double) {
      return body == "0" && before == 0 ? error(429, "slow down", when) : answer("x");
    });
    run.ask(3);
    EXPECT_EQ(run.times, (std::vector<double>{1000, 1030, 1030, 1030})) << when;
    ASSERT_EQ(run.notes.size(), 1u);
    EXPECT_TRUE(holds(run.notes[0], "says 429: slow down; it is asked again in 30 s")) << run.notes[0];
  }
}

TEST(Asker, APauseThatIsTooLongIsSaid) {
  Conversation run([](auto&, int, double) { return error(429, "come tomorrow", "86400"); });
  const auto said = run.refused();
  EXPECT_TRUE(holds(said, "says 429: come tomorrow, and asks for a pause of 86400 s")) << said;
  EXPECT_EQ(run.times.size(), 1u);
}

TEST(Asker, AttemptsEnd) {
  Conversation run([](auto&, int, double) { return error(503, "loading"); });
  run.options.endpoint.attempts = 3;
  const auto said = run.refused();
  EXPECT_TRUE(holds(said, "gave no answer in 3 attempts; the last time it says 503: loading")) << said;
  EXPECT_TRUE(holds(said, "answers that there are aren't asked for again")) << said;
  EXPECT_EQ(run.times.size(), 3u);
}

TEST(Asker, WhatNoWaitingMendsIsSaidAtOnce) {
  struct Case {
    Reply reply;
    const char *says, *help;
  };
  const std::vector<Case> cases = {
      {error(400, "Unsupported parameter: seed"), "says 400: Unsupported parameter: seed", "`parameters`"},
      {error(422, "bad"), "says 422: bad", "`parameters`"},
      {error(401, "no key"), "says 401: no key", "`key_env"},
      {error(403, "not you"), "says 403: not you", "key"},
      {error(404, "no model qwen"), "says 404: no model qwen", "`name`"},
      {error(405, "method"), "says 405", "OpenAI"},
      {{301, "", "https://h/v1", ""}, "says 301", "leads to https://h/v1"},
      {{302, "", "", ""}, "says 302", "address"},
      {{200, "", "", R"({"error": {"message": "no model", "code": 404}})"}, "says 404: no model", "`name`"},
      {{429, "", "", R"({"error": {"message": "pay", "code": "insufficient_quota"}})"},
       "says 429: pay",
       "Pay"},
      {error(400, "maximum context length is 4096 tokens"), "maximum context length", "max_tokens"},
      {error(501, "not here"), "says 501", "OpenAI"},
  };
  for (const auto& one : cases) {
    Conversation run([&](auto&, int, double) { return one.reply; });
    const auto said = run.refused();
    EXPECT_TRUE(holds(said, one.says)) << said;
    EXPECT_TRUE(holds(said, one.help)) << said;
    EXPECT_EQ(run.times.size(), 1u) << said;
  }
  Conversation run([](auto&, int, double) -> Reply { throw TransportError(Kind::untrusted, "self-signed"); });
  EXPECT_TRUE(holds(run.refused(), "self-signed"));
  EXPECT_EQ(run.times.size(), 1u);
}

// A reply that can't be read, again and again, is the loss of one answer, after the attempts, with what came.
TEST(Asker, WhatCanNeverBeReadIsOneLostAnswer) {
  const std::pair<Behaviour, const char*> cases[] = {
      {[](auto&, int, double) {
         return Reply{200, "", "", "data: {}\n\n"};
       },
       "a stream of events"},
      {[](auto&, int, double) {
         return Reply{200, "", "", "<html>sk-secret"};
       },
       "HTML or XML: `<html>\\u2026`"},
      {[](auto&, int, double) {
         return Reply{200, "", "", "{\"choices\": ["};
       },
       "broken or cut off"},
      {[](auto&, int, double) {
         return Reply{200, "", "", "{}"};
       },
       "no `choices`"},
      {[](auto&, int, double) {
         return Reply{200, "", "", ""};
       },
       "an empty reply"},
      {[](auto&, int, double) -> Reply { throw TransportError(Kind::too_large, "9 MB"); },
       "sent too much: 9 MB"},
      {[](auto&, int, double) -> Reply { throw TransportError(Kind::broken, "cut"); }, "broke off: cut"},
  };
  for (const auto& [trouble, part] : cases) {
    Conversation run([&](const std::string& body, int before, double now) {
      return body == "1" ? trouble(body, before, now) : answer("x");
    });
    run.options.endpoint.attempts = 3, run.options.key = "sk-secret";
    run.ask(5);
    ASSERT_EQ(run.answers.size(), 5u) << part;
    EXPECT_EQ(run.answers[1].no_text, contract::NoText::unreadable) << part;
    EXPECT_EQ(run.answers[1].attempts, 3) << part;
    EXPECT_TRUE(holds(run.answers[1].trouble, part)) << run.answers[1].trouble;
    EXPECT_FALSE(holds(run.answers[1].trouble, "sk-secret")) << run.answers[1].trouble;
    for (const std::size_t other : {0, 2, 3, 4}) EXPECT_FALSE(run.answers[other].no_text) << part;
    EXPECT_FALSE(run.notes.empty()) << part;
  }
}

TEST(Asker, AFilteredPromptIsOneAnswerWithoutText) {
  Conversation run([](const std::string& body, int, double) {
    return body == "1" ? Reply{400, "", "", R"({"error": {"message": "filtered", "code": "content_filter"}})"}
                       : answer("x");
  });
  run.ask(3);
  ASSERT_EQ(run.answers.size(), 3u);
  EXPECT_EQ(run.answers[1].no_text, contract::NoText::filtered);
  EXPECT_EQ(run.answers[1].refusal, "filtered");
}

TEST(Asker, ADeclaredContextTellsOfAnErrorWithoutWords) {
  const auto asked = [](std::optional<std::int64_t> context, int status) {
    Conversation run([status](const std::string& body, int, double) {
      return body == "1" ? error(status, "something is wrong") : answer("x");
    });
    run.options.endpoint.context = context, run.options.endpoint.attempts = 1;
    try {
      run.ask(3, true);  // of 100 tokens each
    } catch (const UserError&) {
      return std::string("refused");
    }
    return std::to_string(run.too_long.size()) + " too long";
  };
  for (const int status : {400, 413, 422, 500}) {
    EXPECT_EQ(asked(99, status), "1 too long") << status;
    EXPECT_EQ(asked(100, status), "refused") << "it fits: " << status;
    EXPECT_EQ(asked(std::nullopt, status), "refused") << status;
  }
  EXPECT_EQ(asked(99, 404), "refused");
  EXPECT_EQ(asked(99, 401), "refused");
}

TEST(Asker, AFullContextIsntAskedAgain) {
  for (const int status : {400, 413, 422, 500}) {
    Conversation run([status](auto&, int, double) { return error(status, "prompt is too long: 9 > 8"); });
    EXPECT_TRUE(holds(run.refused(), "Lower `max_tokens`")) << status;
    EXPECT_EQ(run.times.size(), 1u) << status;
    Conversation later([status](auto&, int, double) { return error(status, "prompt is too long: 9 > 8"); });
    later.ask(1, true);
    EXPECT_EQ(later.too_long.size(), 1u) << status;
  }
}

TEST(Asker, APromptOfALaterTurnMayBeTooLong) {
  Conversation run([](const std::string& body, int, double) {
    return body == "1" ? error(400, "maximum context length is 4096 tokens") : answer("x");
  });
  run.ask(3, true);
  EXPECT_EQ(run.too_long, (std::set<std::size_t>{1}));
  EXPECT_EQ(run.answers.size(), 2u);
}

TEST(Asker, AnswersBeforeAnErrorAreKept) {
  Conversation run(
      [](const std::string& body, int, double) { return body == "7" ? error(400, "no") : answer("x"); });
  EXPECT_TRUE(holds(run.refused(100), "says 400"));
  EXPECT_EQ(run.answers.size(), 7u);
}

TEST(Asker, NoMessageShowsTheKey) {
  Conversation run(
      [](auto&, int, double) { return error(401, "Incorrect API key provided: sk-secret, not sk-secret"); });
  run.options.key = "sk-secret", run.options.endpoint.key_env = "MODELS_KEY";
  const auto said = run.refused();
  EXPECT_FALSE(holds(said, "sk-secret")) << said;
  EXPECT_TRUE(holds(said, "MODELS_KEY")) << said;
  Conversation busy(
      [](auto&, int before, double) { return before == 0 ? error(429, "sk-secret", "1") : answer("x"); });
  busy.options.key = "sk-secret";
  busy.ask(1);
  ASSERT_EQ(busy.notes.size(), 1u);
  EXPECT_FALSE(holds(busy.notes[0], "sk-secret"));
}

TEST(Asker, RequestsKeepToTheirRate) {
  Conversation run([](auto&, int, double) { return answer("x"); });
  run.options.endpoint.requests_per_minute = 30;
  run.ask(5);
  EXPECT_EQ(run.times, (std::vector<double>{1000, 1002, 1004, 1006, 1008}));
}

TEST(Asker, TokensKeepToTheirRate) {
  Conversation run([](auto&, int, double) { return answer("x"); });
  run.options.endpoint.tokens_per_minute = 600;
  run.ask(3);
  EXPECT_EQ(run.times, (std::vector<double>{1000, 1003, 1006})) << "30 tokens each, as the server counts";
}

TEST(Asker, StopsAtOnceWhenItIsTold) {
  Conversation run([&](const std::string& body, int, double) {
    if (body == "3") throw Stopped();  // as a transport does that asked `stop`
    return answer("x");
  });
  Conversation* self = &run;
  run.server = [self](const std::string& body, int, double) {
    if (body == "3") {
      self->stop = true;
      throw Stopped();
    }
    return answer("x");
  };
  EXPECT_THROW(run.ask(100), Stopped);
  EXPECT_EQ(run.answers.size(), 3u);
  EXPECT_LE(run.times.size(), 4u);
}

// Whatever goes wrong in whatever order, each question ends with one answer.
TEST(Asker, AnyMixOfPassingTrouble) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Conversation run([seed](const std::string& body, int before, double) -> Reply {
      const auto draw =
          (std::hash<std::string>()(body) * 31 + static_cast<unsigned>(before) * 17 + seed) % 11;
      if (before > 5 || draw > 5) return answer("to " + body);
      switch (draw) {
        case 0:
          return error(429, "slow", "2");
        case 1:
          return error(503, "loading");
        case 2:
          throw TransportError(Kind::broken, "cut");
        case 3:
          throw TransportError(Kind::timeout, "slow");
        case 4:
          return {200, "", "", "garbage"};
        default:
          return {200, "", "", "{}"};
      }
    });
    run.options.endpoint.concurrency = 5;
    run.ask(60);
    ASSERT_EQ(run.answers.size(), 60u) << seed;
    for (const auto& [number, asked] : run.answers) {
      EXPECT_EQ(asked.answer, "to " + std::to_string(number));
      EXPECT_EQ(asked.attempts, run.sent[std::to_string(number)]);
    }
  }
}

}  // namespace
}  // namespace trl::runtime
