#include "runtime/verify/sandbox/options.hpp"

#include <gtest/gtest.h>

#include "runtime/verify/sandbox/filter.hpp"

namespace trl::runtime::sandbox {
namespace {

TEST(SandboxOptions, TakeWhatComesBeforeTheDashes) {
  SandboxOptions options;
  std::string error;
  ASSERT_TRUE(parse_options({"--nesting", "--memory", "1000", "--read", "/a", "--read", "/b", "--env", "A=1",
                             "--", "cmd", "--read"},
                            options, error));
  EXPECT_TRUE(options.isolate);
  EXPECT_TRUE(options.nesting);
  EXPECT_EQ(options.memory, 1000u);
  EXPECT_EQ(options.read, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(options.environment, (std::vector<std::string>{"A=1"}));
  EXPECT_EQ(options.command, (std::vector<std::string>{"cmd", "--read"}));
}

TEST(SandboxOptions, RefuseWhatTheyDoNotKnow) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--memory", "lots", "--", "cmd"},
                                                {"--sneaky", "1", "--", "cmd"},
                                                {"--read", "--"},
                                                {"--read", "relative", "--", "cmd"},
                                                {"--env", "NAME", "--", "cmd"},
                                                {"--"},
                                                {}}) {
    SandboxOptions options;
    std::string error;
    EXPECT_FALSE(parse_options(words, options, error));
    EXPECT_FALSE(error.empty());
  }
}

TEST(Filter, GrowsStricterTowardsTheCandidate) {
  EXPECT_LT(make_filter(Profile::nesting).size(), make_filter(Profile::plain).size());
  EXPECT_LT(make_filter(Profile::plain).size(), make_filter(Profile::candidate).size());
  EXPECT_EQ(to_hex(make_filter(Profile::plain)).size(),
            make_filter(Profile::plain).size() * sizeof(sock_filter) * 2);
}

}  // namespace
}  // namespace trl::runtime::sandbox
