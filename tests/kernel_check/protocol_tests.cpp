// Tests of trl-kernel-check's protocol (docs/interfaces.md, 4).
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

const std::string kernel = R"(__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";

TEST(Protocol, AnswersCarryTheirRequestsId) {
  Checker checker;
  for (const nlohmann::json& id : {nlohmann::json(7), nlohmann::json("a"), nlohmann::json()})
    EXPECT_EQ(checker.check(kernel, {{"id", id}}).at("id"), id);
}

TEST(Protocol, FactsNameKernelsLaunchesAndWrappers) {
  Checker checker;
  const auto facts = checker
                         .check(kernel + R"(
at::Tensor forward(at::Tensor x, double unused) {
  auto y = at::empty_like(x);
  twice<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
})")
                         .at("facts");
  EXPECT_EQ(facts.at("kernels").at(0).at("name"), "twice");
  EXPECT_EQ(facts.at("kernels").at(0).at("line"), 1);
  EXPECT_EQ(facts.at("kernels").at(0).at("parameters").at(0),
            (nlohmann::json{{"name", "x"}, {"type", "const float *"}}));
  EXPECT_EQ(facts.at("launches"), (nlohmann::json{{{"kernel", "twice"}, {"line", 8}}}));
  EXPECT_EQ(facts.at("functions").at(0).at("name"), "forward");
  EXPECT_EQ(facts.at("functions").at(0).at("parameters").size(), 2u);
}

TEST(Protocol, LimitsAreTheRequests) {
  Checker checker;
  const std::string source = kernel + R"(
void forward(at::Tensor x, at::Tensor y) {
  twice<<<(x.numel() + 511) / 512, 512>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
})";
  EXPECT_EQ(shown(checker.check(source)), "");
  const auto answer = checker.check(source, {{"limits", {{"threads_per_block", 256}}}});
  EXPECT_FALSE(answer.at("ok"));
  EXPECT_EQ(answer.at("findings").at(0).at("check"), "block_size");
}

TEST(Protocol, WhatIsNoRequestIsAnsweredAndTheNextOneIsToo) {
  Checker checker;
  EXPECT_TRUE(checker.ask("{").contains("error"));
  EXPECT_TRUE(checker.ask("[1, 2]").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1})").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1, "source": "", "language": "fortran"})").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1, "source": 5, "limits": 3})").contains("error"));
  EXPECT_EQ(checker.check(kernel).at("findings").at(0).at("check"), "no_launch");
}

TEST(Protocol, OneCandidateLeavesNothingForTheNext) {
  Checker checker;
  checker.check("#define forward broken(\n" + kernel + "int twice_again;\n");
  EXPECT_EQ(shown(checker.check(kernel + R"(
double twice_again;
void forward(at::Tensor x) { twice<<<1, 32>>>(x.data_ptr<float>(), x.data_ptr<float>(), 32); }
)")),
            "");
}

/// Whether a process's memory contains the text; none where the process has no memory, or this process may
/// not read it.
std::optional<bool> holds(const std::string& process, const std::string& text) {
  std::ifstream maps("/proc/" + process + "/maps"), memory("/proc/" + process + "/mem", std::ios::binary);
  bool looked = false;
  for (std::string line; std::getline(maps, line);) {
    std::size_t begin = 0, end = 0;
    char readable = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx %c", &begin, &end, &readable) != 3 || readable != 'r') continue;
    constexpr std::size_t most = std::size_t{64} << 20;
    std::string bytes(std::min(end - begin, most), '\0');
    memory.clear();
    memory.seekg(static_cast<std::streamoff>(begin));
    memory.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    looked |= memory.gcount() > 0;
    if (std::string_view(bytes.data(), static_cast<std::size_t>(memory.gcount())).find(text) !=
        std::string_view::npos)
      return true;
  }
  return looked ? std::optional(false) : std::nullopt;
}

/// The grandchildren of this process whose parent has this name.
std::vector<std::string> grandchildren(const std::string& parent) {
  const auto stat = [](const std::string& process) {
    std::ifstream in("/proc/" + process + "/stat");
    std::string number, name, state, above;
    in >> number >> name >> state >> above;
    return std::pair(name, above);
  };
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string process = entry.path().filename();
    if (!std::isdigit(static_cast<unsigned char>(process[0]))) continue;
    const auto [name, above] = stat(process);
    if (above.empty() || above == "0") continue;
    const auto [parent_name, grandparent] = stat(above);
    if (parent_name.find(parent) != std::string::npos && grandparent == std::to_string(getpid()))
      found.push_back(process);
  }
  return found;
}

TEST(Protocol, TheProcessOfTheNextCandidateNeverSawOneBefore) {
  Checker checker;
  const std::string word = "quartz_" + std::to_string(getpid()) + "_zebra";
  checker.check(kernel);
  for (int turn = 0; turn < 2; ++turn) {
    // One of these is the process that reads requests, from which none is forked.
    const std::vector<std::string> before = grandchildren("trl-kernel-ch");
    const auto answer = checker.check(kernel + "// " + word + "\nint " + word + ";\n#error " + word + "\n");
    ASSERT_NE(answer.dump().find(word), std::string::npos) << "its answer names it";
    bool looked = false;
    for (int tries = 0; tries < 500 && !looked; ++tries, usleep(10'000))
      for (const std::string& process : grandchildren("trl-kernel-ch")) {
        if (std::find(before.begin(), before.end(), process) != before.end()) continue;
        auto found = holds(process, word);
        // A process that has answered is about to end.
        for (int more = 0; more < 500 && found == true; ++more, usleep(10'000)) found = holds(process, word);
        if (found) looked = true;
        EXPECT_FALSE(found.value_or(false)) << "the process " << process << " holds it";
      }
    if (!looked) GTEST_SKIP() << "this machine shows no process's memory";
  }
}

TEST(Protocol, LinesAreThoseOfTheTextWhateverItSays) {
  Checker checker;
  const auto answer = checker.check("#line 900 \"other.cu\"\n" + kernel + "void f() { twice(0, 0, 0); }\n");
  EXPECT_EQ(answer.at("findings").at(0).at("line"), 6) << shown(answer);
}

int status(const std::string& arguments) {
  const int status =
      std::system((std::string(TRL_KERNEL_CHECK) + " " + arguments + " >/dev/null 2>&1").c_str());
  return WEXITSTATUS(status);
}

TEST(Protocol, ExitStatusSaysWhatWasFound) {
  const std::string folder = TRL_KERNEL_CHECK_TESTS;
  EXPECT_EQ(status(folder + "/good/relu_elementwise.cu"), 0);
  EXPECT_EQ(status(folder + "/bad/reads_item.cu"), 1);
  EXPECT_EQ(status(folder + "/bad/wide_too_late.cu"), 0);
  EXPECT_EQ(status("--strict " + folder + "/bad/wide_too_late.cu"), 1);
  EXPECT_EQ(status(folder + "/no_such_file.cu"), 2);
  EXPECT_EQ(status("--no-such-option"), 2);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status("--help"), 0);
}

}  // namespace
}  // namespace trl::test
