#include "runtime/endpoint/retry.hpp"

#include <gtest/gtest.h>

#include "runtime/endpoint/rate_limit.hpp"

namespace trl::runtime {
namespace {

TEST(Retry, TroubleThatPasses) {
  for (const int status : {408, 409, 425, 429, 500, 502, 503, 504, 520, 529})
    EXPECT_TRUE(is_transient(status)) << status;
  for (const int status : {200, 301, 400, 401, 403, 404, 405, 413, 422, 501, 505})
    EXPECT_FALSE(is_transient(status)) << status;
}

TEST(Retry, PausesDoubleUpToAMinuteAndDiffer) {
  double whole = 1;
  for (std::int64_t attempts = 1; attempts < 40; ++attempts) {
    EXPECT_DOUBLE_EQ(backoff(attempts, 0), whole / 2);
    EXPECT_DOUBLE_EQ(backoff(attempts, 0.5), whole * 0.75);
    EXPECT_LT(backoff(attempts, 0.999), whole);
    whole = std::min(2 * whole, 60.0);
  }
}

TEST(Retry, RetryAfterIsSecondsOrADate) {
  constexpr std::int64_t now = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
  EXPECT_EQ(retry_after("0", now), 0);
  EXPECT_EQ(retry_after(" 120 ", now), 120);
  EXPECT_EQ(retry_after("1.5", now), 1.5) << "some servers send fractions";
  EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now), 60);
  EXPECT_EQ(retry_after("Sunday, 06-Nov-94 08:49:47 GMT", now), 10);
  EXPECT_EQ(retry_after("Sun Nov  6 08:49:38 1994", now), 1);
  EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), 0);
  EXPECT_EQ(retry_after("Sat, 05 Nov 1994 08:49:37 GMT", now), 0) << "it is past";
  EXPECT_EQ(retry_after("Thu, 29 Feb 1996 00:00:00 GMT", now), 825552000 - now);
  // A year of two digits is the nearest that isn't 50 years ahead.
  EXPECT_EQ(retry_after("Friday, 01-Jan-99 00:00:00 GMT", 946684800), 0);
}

TEST(Retry, WhatIsNoRetryAfterSaysNothing) {
  for (const char* text :
       {"", " ", "soon", "-1", "1e9", "0x10", "1.2.3", ".", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT and more", "Sun, 99999999999 Nov 1994 08:49:37 GMT"})
    EXPECT_FALSE(retry_after(text, 784111777)) << text;
}

TEST(RateLimit, RequestsAreSpreadEvenly) {
  RateLimit limit(30.0, std::nullopt);
  EXPECT_EQ(limit.book(100, 5000), 100);
  EXPECT_EQ(limit.book(100, 5000), 102);
  EXPECT_EQ(limit.book(101, 5000), 104);
  EXPECT_EQ(limit.book(200, 5000), 200) << "nothing is saved up";
  EXPECT_EQ(limit.book(200, 5000), 202);
}

TEST(RateLimit, TokensAreBookedAndSettled) {
  RateLimit limit(std::nullopt, 6000.0);  // 100 a second
  EXPECT_EQ(limit.book(0, 1000), 0);
  EXPECT_EQ(limit.book(0, 1000), 10);
  limit.settle(1000, 200), limit.settle(1000, 200);
  EXPECT_EQ(limit.book(0, 1000), 4) << "both took a fifth of what was booked";
}

TEST(RateLimit, BothHold) {
  RateLimit limit(60.0, 6000.0);
  EXPECT_EQ(limit.book(0, 50), 0);
  EXPECT_EQ(limit.book(0, 500), 1) << "by requests";
  EXPECT_EQ(limit.book(0, 50), 6) << "by tokens";
}

TEST(RateLimit, APauseHoldsForAll) {
  RateLimit limit(std::nullopt, std::nullopt);
  const double booked = limit.book(5, 1);
  limit.pause_until(20);
  limit.pause_until(10);
  EXPECT_EQ(limit.earliest(booked), 20);
  EXPECT_EQ(limit.book(6, 1), 20);
  EXPECT_EQ(limit.book(30, 1), 30);
}

}  // namespace
}  // namespace trl::runtime
