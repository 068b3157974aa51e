// Every file under experiments/ checks without a diagnostic against the real standard library, and says what
// it decides.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(TRL_EXPERIMENTS))
    if (entry.path().extension() == ".trl") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

class Experiment : public testing::TestWithParam<std::string> {};

TEST_P(Experiment, ChecksWithoutAWord) {
  CheckOptions options;
  options.library = TRL_EXPERIMENTS "/../stdlib";
  const Checked checked = check_file(GetParam(), options);
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  ASSERT_TRUE(checked.resolved);
  EXPECT_FALSE(checked.resolved->at("doc").get<std::string>().empty());
  for (const auto& [name, experiment] : checked.resolved->at("experiments").items())
    EXPECT_FALSE(experiment.at("cells").empty()) << name;
}

INSTANTIATE_TEST_SUITE_P(Files, Experiment, testing::ValuesIn(files()),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

}  // namespace
}  // namespace trl::language
