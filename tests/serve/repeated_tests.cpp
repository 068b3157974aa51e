// Idempotency keys.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpreter/serve/repeated.hpp"

using namespace trl::interpreter;
using Found = RepeatedRequests::Found;

namespace {

struct Takes {
  std::vector<int> statuses;
  RepeatedRequests::Take take() {
    return [this](const Answer& answer) { statuses.push_back(answer.status); };
  }
};

}  // namespace

TEST(RepeatedRequests, GetTheFirstOnesAnswer) {
  RepeatedRequests requests(10);
  Takes first, second, third;
  EXPECT_EQ(requests.ask("key", "body", first.take()), Found::fresh);
  EXPECT_EQ(requests.ask("key", "body", second.take()), Found::known);
  EXPECT_TRUE(second.statuses.empty()) << "it waits for the first one's verdict";
  requests.settle("key", {200, "verdict"});
  EXPECT_EQ(requests.ask("key", "body", third.take()), Found::known);
  for (const Takes& takes : {first, second, third}) EXPECT_EQ(takes.statuses, std::vector<int>{200});
}

TEST(RepeatedRequests, WithAnotherBodyAreAConflict) {
  RepeatedRequests requests(10);
  Takes first, second;
  requests.ask("key", "body", first.take());
  EXPECT_EQ(requests.ask("key", "other", second.take()), Found::conflict);
  EXPECT_EQ(requests.ask("other key", "other", second.take()), Found::fresh);
}

TEST(RepeatedRequests, MayTryAgainWhatHadNoVerdict) {
  RepeatedRequests requests(10);
  Takes first, second;
  requests.ask("key", "body", first.take());
  requests.settle("key", {503, "busy"});
  EXPECT_EQ(first.statuses, std::vector<int>{503});
  EXPECT_EQ(requests.ask("key", "body", second.take()), Found::fresh);
}

TEST(RepeatedRequests, ForgetTheOldest) {
  RepeatedRequests requests(2);
  Takes takes;
  for (const char* key : {"a", "b", "c"}) {
    requests.ask(key, "body", takes.take());
    requests.settle(key, {200, key});
  }
  EXPECT_EQ(requests.ask("c", "body", takes.take()), Found::known);
  EXPECT_EQ(requests.ask("a", "body", takes.take()), Found::fresh);
}
