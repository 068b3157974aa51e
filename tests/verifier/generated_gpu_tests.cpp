// The generator's CUDA answers on a real GPU, judged as in an exam: honest ones are right, flawed ones are
// not. Without a GPU everything here is skipped; packaging/scripts/gpu runs it. By default some tasks of the
// wind tunnel are tried in one style; with TRL_STYLES, every task in that many styles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/verifier/on_gpu.hpp"
#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/suites.hpp"

namespace trl::runtime {
namespace {

class GeneratedOnGpu : public OnGpu {
 protected:
  static int styles() {
    const char* asked = std::getenv("TRL_STYLES");
    return asked != nullptr ? std::max(1, std::atoi(asked)) : 1;
  }
  static std::size_t every(std::size_t few) { return std::getenv("TRL_STYLES") != nullptr ? 1 : few; }

  static std::string answer_to(const Task& task, int style, Flaw flaw) {
    RandomStream random(fmt::format("generated on the GPU/{}/{}", task.key, style));
    return cuda_answer(task, Style::draw(random), flaw);
  }

  static Verdict judge(const Task& task, const std::string& answer) {
    Protocol protocol = candidates::exam();
    protocol.timing = TimingProtocol{};
    protocol.language = KernelLanguage::cuda;
    return candidates::judge(task, answer, protocol);
  }
};

TEST_F(GeneratedOnGpu, HonestAnswersAreRight) {
  const std::vector<Task> tasks = every_suite();
  for (std::size_t i = 0; i < tasks.size(); i += every(5))
    for (int style = 0; style < styles(); ++style) {
      const std::string answer = answer_to(tasks[i], style, Flaw::None);
      const Verdict verdict = judge(tasks[i], answer);
      EXPECT_TRUE(verdict.correct) << tasks[i].suite << " " << tasks[i].name << " " << verdict.variation
                                   << " " << verdict.reason << ": " << verdict.message << "\n"
                                   << answer;
    }
}

TEST_F(GeneratedOnGpu, FlawsThatOnlyCostSpeedAreRight) {
  const std::vector<Task> tasks = every_suite();
  for (const FlawKind& kind : flaw_kinds(KernelLanguage::cuda)) {
    if (!kind.only_slow) continue;
    for (std::size_t i = 0; i < tasks.size(); i += every(25)) {
      if (!applies(tasks[i], kind.flaw)) continue;
      const std::string answer = answer_to(tasks[i], 0, kind.flaw);
      const Verdict verdict = judge(tasks[i], answer);
      EXPECT_TRUE(verdict.correct) << kind.name << " " << tasks[i].name << " " << verdict.reason << ": "
                                   << verdict.message << "\n"
                                   << answer;
    }
  }
}

TEST_F(GeneratedOnGpu, OtherFlawsAreWrong) {
  const std::vector<Task> tasks = every_suite();
  for (const FlawKind& kind : flaw_kinds(KernelLanguage::cuda)) {
    // A missing barrier is a race, whose result may be right by chance.
    if (kind.only_slow || kind.flaw == Flaw::MissingSync) continue;
    for (std::size_t i = 0; i < tasks.size(); i += every(25)) {
      if (!applies(tasks[i], kind.flaw)) continue;
      const std::string answer = answer_to(tasks[i], 0, kind.flaw);
      EXPECT_FALSE(judge(tasks[i], answer).correct) << kind.name << " " << tasks[i].name << "\n" << answer;
    }
  }
}

}  // namespace
}  // namespace trl::runtime
