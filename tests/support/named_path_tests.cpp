#include "base/support/named_path.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/support/error.hpp"

namespace trl {
namespace {

/// HOME as it was, at the end of a test.
struct HomeKept {
  HomeKept() : was(std::getenv("HOME") == nullptr ? "" : std::getenv("HOME")) {}
  ~HomeKept() { ::setenv("HOME", was.c_str(), 1); }
  std::string was;
};

TEST(NamedPath, BeginsAtTheFolderTheRootOrTheHomeFolder) {
  const HomeKept kept;
  ::setenv("HOME", "/home/ann", 1);
  EXPECT_EQ(named_path("study", "KernelBench"), "study/KernelBench");
  EXPECT_EQ(named_path("", "../x"), "../x");
  EXPECT_EQ(named_path("study", "/data/KernelBench"), "/data/KernelBench");
  EXPECT_EQ(named_path("study", "~/KernelBench"), "/home/ann/KernelBench");
  EXPECT_EQ(named_path("study", "~"), "/home/ann");
  EXPECT_EQ(named_path("study", "a~/b"), "study/a~/b");
  EXPECT_EQ(named_path("study", "./~/b"), "study/./~/b");
}

TEST(NamedPath, NeedsAHomeFolderForATilde) {
  const HomeKept kept;
  const auto refused = [](const std::string& written) -> std::string {
    try {
      (void)named_path("study", written);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  ::unsetenv("HOME");
  EXPECT_EQ(refused("~/x"), "`~/x` begins at the home folder, and HOME isn't set");
  EXPECT_EQ(refused("x"), "");
  ::setenv("HOME", "here", 1);
  EXPECT_EQ(refused("~"), "`~` begins at the home folder, and HOME is no absolute path");
  EXPECT_EQ(refused("~ann/x"), "`~ann/x` names the home folder of another user, which isn't looked up");
}

}  // namespace
}  // namespace trl
