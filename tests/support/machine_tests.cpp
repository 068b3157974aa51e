#include "base/support/machine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch.hpp"

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

TEST(Machine, KnowsTheModelOfItsGpus) {
  const test::Scratch folder;
  EXPECT_EQ(gpu_model(folder.path / "missing"), "");
  EXPECT_EQ(gpu_model(folder.path), "");
  const auto add = [&](const char* gpu, const char* text) {
    std::filesystem::create_directory(folder.path / gpu);
    std::ofstream(folder.path / gpu / "information") << text;
  };
  add("0000:00:06.0", "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 41\n");
  EXPECT_EQ(gpu_model(folder.path), "NVIDIA H100 80GB HBM3");
  add("0000:00:07.0", "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 42\n");
  EXPECT_EQ(gpu_model(folder.path), "NVIDIA H100 80GB HBM3");
  add("0000:00:08.0", "Model: \t\t NVIDIA T4\n");
  EXPECT_EQ(gpu_model(folder.path), "") << "which of them computes isn't known";
}

TEST(Machine, WritesVersionsAsCudaCountsThem) {
  EXPECT_EQ(cuda_version_text(12080), "12.8");
  EXPECT_EQ(cuda_version_text(13000), "13.0");
  EXPECT_EQ(cuda_version_text(0), "");
}

}  // namespace
}  // namespace trl
