#include "ground/machine.hpp"

#include <gtest/gtest.h>

namespace trl {
namespace {

TEST(Machine, KnowsItsCpu) {
  EXPECT_FALSE(cpu_model().empty());
  EXPECT_EQ(cpu_model().find('\n'), std::string::npos);
#if defined(__x86_64__)
  const auto level = vector_level();
  EXPECT_EQ(vector_level_name(), level == VectorLevel::v4   ? "x86-64-v4"
                                 : level == VectorLevel::v3 ? "x86-64-v3"
                                                            : "x86-64-v2");
  EXPECT_EQ(level == VectorLevel::v2, !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#else
  EXPECT_EQ(vector_level_name(), "baseline");
#endif
}

TEST(Machine, WritesVersionsAsCudaCountsThem) {
  EXPECT_EQ(cuda_version_text(12080), "12.8");
  EXPECT_EQ(cuda_version_text(13000), "13.0");
  EXPECT_EQ(cuda_version_text(0), "");
}

}  // namespace
}  // namespace trl
