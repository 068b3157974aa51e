// The queue that serves clients in turn, and the counters.
#include <gtest/gtest.h>

#include <string>

#include "interpreter/serve/fair_queue.hpp"
#include "interpreter/serve/metrics.hpp"

using namespace trl::interpreter;

namespace {

std::string all_of(FairQueue<std::string>& queue) {
  std::string out;
  while (const auto item = queue.pop()) out += (out.empty() ? "" : " ") + *item;
  return out;
}

}  // namespace

TEST(FairQueue, ServesEachClientInTurnAndKeepsItsOrder) {
  FairQueue<std::string> queue;
  for (const char* item : {"a1", "a2", "a3", "b1", "c1", "c2"}) queue.push(std::string(item, 1), item);
  EXPECT_EQ(queue.size(), 6u);
  EXPECT_EQ(queue.size_of("a"), 3u);
  EXPECT_EQ(all_of(queue), "a1 b1 c1 a2 c2 a3");
  EXPECT_EQ(queue.size(), 0u);
}

TEST(FairQueue, PutsWhatIsTriedAgainBeforeAllOthers) {
  FairQueue<std::string> queue;
  for (const char* item : {"a1", "b1", "b2"}) queue.push(std::string(item, 1), item);
  queue.push_front("b", "b0");
  queue.push_front("c", "c0");
  EXPECT_EQ(all_of(queue), "c0 b0 a1 b1 b2");
}

TEST(FairQueue, RemovesAnItemOfAClient) {
  FairQueue<std::string> queue;
  for (const char* item : {"a1", "a2", "b1"}) queue.push(std::string(item, 1), item);
  EXPECT_TRUE(queue.remove("a", "a1"));
  EXPECT_FALSE(queue.remove("a", "a1"));
  EXPECT_FALSE(queue.remove("z", "a2"));
  EXPECT_TRUE(queue.remove("a", "a2"));
  EXPECT_EQ(queue.size(), 1u);
  EXPECT_EQ(all_of(queue), "b1");
}

TEST(Metrics, AreWrittenAsPrometheusReadsThem) {
  Metrics metrics;
  metrics.declare("trl_b", "gauge", "Something.");
  metrics.declare("trl_a", "counter", "Others.");
  metrics.add("trl_a", {{"reason", "a\"b\\c\nd"}, {"stage", ""}});
  metrics.add("trl_a", {{"reason", "a\"b\\c\nd"}, {"stage", ""}}, 2);
  EXPECT_EQ(metrics.text(),
            "# HELP trl_a Others.\n# TYPE trl_a counter\n"
            "trl_a{reason=\"a\\\"b\\\\c\\nd\",stage=\"\"} 3\n"
            "# HELP trl_b Something.\n# TYPE trl_b gauge\ntrl_b 0\n");
  EXPECT_THROW(metrics.add("trl_c", {}), std::logic_error);
}
