// Answers that try to get what they haven't earned: a reward, a neighbour's answer or verdict, a crash, the
// machine's time.
//
// TRL_RED_TEAM_REPORT=FILE judges them one after another and, instead of asserting, writes a line for each:
// its name, what it earned, where and why it failed, its seconds, and those of the honest candidate after it.
// Names that are in the file already are skipped, so after a crash the same command continues behind the
// candidate that caused it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <set>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "language/program/program.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/verifier/candidates.hpp"
#include "tests/verifier/corpus.hpp"
#include "verifier/assess/assessment.hpp"

namespace trl::runtime {
namespace {

using corpus::Candidate;
using nlohmann::json;
using std::chrono::steady_clock;

/// The variations that an exam asks for, as far as this build knows them.
json exam_variations() {
  json known = json::array();
  for (const char* one : {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)", "extreme"}) try {
      Variation::parse(one);
      known.push_back(one);
    } catch (const UserError&) {
    }
  return known;
}

json specification(const Candidate& candidate) {
  json spec = {{"variations", json::array({"original"})},
               {"compile", "after_values"},
               {"limits", {{"seconds", candidate.slow ? 1 : 2}}}};
  if (candidate.slow) spec["limits"]["total_seconds"] = 4;
  if (candidate.protocol == "staged") spec["tiny"] = true;
  if (candidate.protocol == "exam" || candidate.protocol == "triton")
    spec.update({{"variations", exam_variations()},
                 {"tiny", true},
                 {"compile", "all"},
                 {"memory_checks", true},
                 {"strict", true}});
  if (candidate.protocol == "triton") spec["language"] = "triton";
  return spec;
}

/// An honest answer to `relu` of corpus/tasks.json. Attacks search for its comment and its kernel's name.
const std::string neighbour = R"(@triton.jit
def the_neighbours_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    # a comment that only the neighbour has
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        the_neighbours_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
)";

struct Outcome {
  std::string earned;  ///< empty: nothing that it may not have
  Verdict verdict;
  double seconds = 0, seconds_of_neighbour = 0;
};

/// The index of the stage that a candidate reached.
std::size_t place(const std::string& stage) {
  static const std::vector<std::string> stages = {"syntax", "compile", "tiny", "full", "timed", ""};
  return static_cast<std::size_t>(std::find(stages.begin(), stages.end(), stage) - stages.begin());
}

/// Whether `trl check` would have reported that a trivial answer passes the task under these variations.
bool known_as_degenerate(const Candidate& candidate) {
  const Protocol protocol = Protocol::parse(specification(candidate));
  return !passing_answer(candidate.task, protocol.variations, protocol.precision).empty();
}

std::string unearned(const Candidate& candidate, const Verdict& verdict) {
  if (verdict.correct && known_as_degenerate(candidate)) return "";
  if (verdict.correct || verdict.speedup != 0) return "correct";
  if (verdict.failed.empty()) return "no failure";
  if (place(verdict.failed) > place(candidate.earns))
    return fmt::format("credit of what fails at {}, not {}", verdict.failed, candidate.earns);
  for (const std::string& word : candidate.claims)
    if (verdict.reason == word || verdict.message.find(word) != std::string::npos ||
        std::to_string(verdict.line) == word)
      return "its own word: " + word;
  return "";
}

class Judge {
 public:
  explicit Judge(std::shared_ptr<CompiledKernels> compiled)
      : verifier_(find_installation(), !candidates::unconfined(), std::move(compiled)), honest_(honest()) {}

  Outcome judge(const Candidate& candidate) {
    Outcome outcome;
    if (candidate.neighbour && !clean_) judge_neighbour();
    clean_ = false;
    const auto begin = steady_clock::now();
    try {
      outcome.verdict = verifier_.verify(candidate.task, candidate.answer,
                                         Protocol::parse(specification(candidate)), candidates::secret());
      outcome.earned = unearned(candidate, outcome.verdict);
    } catch (const std::exception& error) {
      outcome.earned = std::string("an error of the tester's: ") + error.what();
    }
    outcome.seconds = since(begin);
    if (!candidate.neighbour) return outcome;
    const auto behind = steady_clock::now();
    if (!judge_neighbour() && outcome.earned.empty()) outcome.earned = "another verdict on its neighbour";
    outcome.seconds_of_neighbour = since(behind);
    clean_ = true;
    return outcome;
  }

 private:
  static double since(steady_clock::time_point begin) {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  }

  static Candidate honest() {
    for (Candidate& one : corpus::load("honest"))
      if (one.task.name == "relu" && one.name.ends_with("relu/f32")) {
        Candidate made{"neighbour", "", one.task, neighbour, {}, ""};
        return made;
      }
    throw std::runtime_error("the honest corpus has no relu");
  }

  /// Judges the neighbour and returns whether its verdict is right.
  bool judge_neighbour() {
    try {
      const Verdict verdict = verifier_.verify(honest_.task, honest_.answer,
                                               Protocol::parse(specification(honest_)), candidates::secret());
      return verdict.correct;
    } catch (const std::exception&) {
      return false;
    }
  }

  Verifier verifier_;
  Candidate honest_;
  bool clean_ = false;  // the last candidate was a neighbour
};

// ---- two answers in one stage ----

class OneStage : public Stage {
 public:
  void progress(std::int64_t, std::int64_t, const std::string&) override {}
  void send_metric(const std::string&, std::int64_t, double) override {}
  void check_cancelled() override {}
};

/// The rows of a stage that judges these answers together.
std::vector<json> rows_of(const Candidate& candidate, const std::vector<std::string>& answers) {
  char name[] = "/tmp/trl-red-team-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name);
  for (const char* part : {"tasks", "candidates", "output"}) std::filesystem::create_directory(folder / part);
  write_text(folder / "tasks/tasks.json", json::array({candidate.task.to_json()}).dump());
  std::string rows;
  for (std::size_t i = 0; i < answers.size(); ++i)
    rows += json{{"task", 0}, {"sample", i}, {"answer", answers[i]}}.dump() + "\n";
  write_text(folder / "candidates/candidates.jsonl", rows);
  OneStage stage;
  stage.spec = specification(candidate);
  stage.inputs = {{"tasks", folder / "tasks"}, {"candidates", folder / "candidates"}};
  stage.output = folder / "output";
  stage.secret = "00ff";
  stage.threads = 1;
  stage.sandbox = !candidates::unconfined();
  run_verify(stage);
  std::vector<json> verdicts;
  for_each_row(folder / "output/verdicts.jsonl", [&](json row) {
    row.erase("sample");
    verdicts.push_back(std::move(row));
  });
  std::filesystem::remove_all(folder);
  return verdicts;
}

/// Returns an empty text if each answer has the same verdict as alone, in either order.
std::string swapped(const Candidate& candidate) {
  const json one = rows_of(candidate, {candidate.answer})[0], other = rows_of(candidate, {candidate.twin})[0];
  const auto together = rows_of(candidate, {candidate.answer, candidate.twin}),
             turned = rows_of(candidate, {candidate.twin, candidate.answer});
  if (one["correct"] == other["correct"] && one["reason"] == other["reason"])
    return "two of one verdict: no test";
  if (together[0] != one || together[1] != other) return "the twin's verdict is that of the first";
  if (turned[0] != other || turned[1] != one) return "the first's verdict is that of its twin";
  return "";
}

std::vector<Candidate> wanted() {
  std::vector<Candidate> all = corpus::load("red_team");
  if (const char* filter = std::getenv("TRL_CORPUS_FILTER"))
    std::erase_if(all, [&](const Candidate& one) {
      return (one.family + "/" + one.name).find(filter) == std::string::npos;
    });
  return all;
}

std::string line_of(const Candidate& candidate, const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  std::string text =
      fmt::format("{}/{}\t{}\t{}\t{}\t{}\t{:.1f}\t{:.1f}\t{}", candidate.family, candidate.name,
                  outcome.earned.empty() ? "nothing" : outcome.earned, verdict.failed, verdict.reason,
                  verdict.variation, outcome.seconds, outcome.seconds_of_neighbour, verdict.message);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + "\n";
}

// ---- tasks that a trivial answer passes ----

const std::string degenerate_file = std::string(TRL_VERIFY_CORPUS) + "/degenerate/tasks.trl";

/// The answer that a task's comment names: a number everywhere, or a copy of an input with the output's
/// shape.
std::string trivial_answer(const json& task) {
  const auto what = task.at("doc").get<std::string>();
  std::string inputs, copied;
  for (const json& input : task.at("inputs")) {
    const auto name = input.at("name").get<std::string>();
    inputs += ", " + name;
    if (what == name) copied = name;
  }
  const json& value = task.at("output").at("shape");
  std::string shape;
  for (const json& extent : value) {
    // The first input with this dimension determines its size.
    for (const json& input : task.at("inputs")) {
      const auto& its = input.at("shape");
      const auto at = std::find(its.begin(), its.end(), extent);
      if (at == its.end()) continue;
      shape += fmt::format("{}.shape[{}], ", input.at("name").get<std::string>(), at - its.begin());
      break;
    }
  }
  const auto first = task.at("inputs")[0].at("name").get<std::string>();
  return fmt::format(R"(
@triton.jit
def kernel(x_ptr, y_ptr, n, COPY: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0) if COPY else tl.zeros((BLOCK,), tl.float32) + {}
    tl.store(y_ptr + i, v, mask=i < n)

class ModelNew(nn.Module):
    def forward(self{}):
        y = torch.empty(({}), device={}.device, dtype={}.dtype)
        kernel[(triton.cdiv(y.numel(), 1024),)]({}, y, y.numel(), {}, BLOCK=1024)
        return y
)",
                     copied.empty() ? (what == "nan" ? "float('nan')" : what) : "0.0", inputs, shape, first,
                     first, copied.empty() ? first : copied, copied.empty() ? "False" : "True");
}

/// The tasks of a suite of the file.
std::vector<json> tasks_of(const std::string& suite) {
  language::CheckOptions options;
  const language::Checked checked = language::check_file(degenerate_file, options);
  if (!checked.resolved) throw std::runtime_error("degenerate/tasks.trl is not sound");
  std::vector<json> all;
  for (const auto& [id, task] : checked.resolved->at("tasks").items())
    if (id.starts_with(suite + "/")) all.push_back(task);
  return all;
}

/// The trivial answers to these tasks, as candidates of an exam.
std::vector<Candidate> trivial_answers(const std::string& suite) {
  std::vector<Candidate> all;
  for (const json& task : tasks_of(suite))
    all.push_back({task.at("name"), suite, Task::parse(task), trivial_answer(task), {}, ""});
  return all;
}

/// The findings of `trl check --strict` on the file, without cached results.
std::string checked_strictly() {
  char cache[] = "/tmp/trl-red-team-XXXXXX";
  const std::filesystem::path folder = mkdtemp(cache);
  const std::string command =
      "XDG_CACHE_HOME=" + folder.string() + " " + TRL_BINARY + " check --strict --json " + degenerate_file;
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string text(1 << 20, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  pclose(pipe);
  std::filesystem::remove_all(folder);
  return text;
}

/// Judges the candidates that aren't in the file yet.
void report(const std::vector<Candidate>& all, const std::string& path) {
  std::set<std::string> done;
  std::ifstream before(path);
  for (std::string line; std::getline(before, line);) done.insert(line.substr(0, line.find('\t')));
  std::ofstream out(path, std::ios::app);
  Judge judge(std::make_shared<CompiledKernels>());
  for (const Candidate& candidate : all) {
    const std::string name = candidate.family + "/" + candidate.name;
    if (done.contains(name)) continue;
    out << name << "\tCRASH of the tester\n" << std::flush;  // stays in the file if no further line follows
    Outcome outcome;
    if (candidate.twin.empty())
      outcome = judge.judge(candidate);
    else
      outcome.earned = swapped(candidate);
    out << line_of(candidate, outcome) << std::flush;
  }
}

void report_degenerate(const std::string& path) {
  for (const char* suite : {"degenerate", "refused"}) report(trivial_answers(suite), path);
  const std::string checked = checked_strictly();
  std::ofstream out(path, std::ios::app);
  for (const char* suite : {"degenerate", "unseen"})
    for (const json& task : tasks_of(suite)) {
      const auto name = task.at("name").get<std::string>();
      out << fmt::format(
          "check/{}\t{}\n", name,
          checked.find("(" + name + ")") == std::string::npos ? "accepted by trl check --strict" : "nothing");
    }
}

TEST(RedTeam, EarnsNothing) {
  const std::vector<Candidate> all = wanted();
  if (const char* path = std::getenv("TRL_RED_TEAM_REPORT")) {
    report(all, path);
    return report_degenerate(path);
  }
  std::vector<std::string> lines(all.size());
  std::atomic<std::size_t> next = 0;
  auto compiled = std::make_shared<CompiledKernels>();
  const auto work = [&] {
    Judge judge(compiled);
    for (std::size_t i = next++; i < all.size(); i = next++) {
      if (!all[i].twin.empty()) continue;
      const Outcome outcome = judge.judge(all[i]);
      if (!outcome.earned.empty()) lines[i] = line_of(all[i], outcome);
    }
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  std::string earned;
  for (const std::string& line : lines) earned += line;
  EXPECT_EQ(earned, "")
      << "name, earned, stage, reason, variation, seconds, seconds of its neighbour, message";
  fmt::print("{} candidates\n", all.size());
}

TEST(RedTeam, DecidesNoOtherVerdict) {
  if (std::getenv("TRL_RED_TEAM_REPORT") != nullptr) GTEST_SKIP() << "in the report";
  for (const Candidate& one : wanted())
    if (!one.twin.empty()) {
      EXPECT_EQ(swapped(one), "") << one.name;
    }
}

// `trl check` finds tasks that a trivial answer passes; all other tasks refuse trivial answers by their
// values.
TEST(RedTeam, NoTrivialAnswerPassesUnseen) {
  if (std::getenv("TRL_RED_TEAM_REPORT") != nullptr) GTEST_SKIP() << "in the report";
  const std::string said = checked_strictly();
  const json findings = json::parse(said, nullptr, false);
  ASSERT_TRUE(findings.is_array()) << said;
  std::string found;
  for (const json& finding : findings)
    if (finding.at("rule") == "degenerate_task") found += finding.dump() + "\n";
  for (const char* suite : {"degenerate", "unseen"}) {
    const std::vector<json> tasks = tasks_of(suite);
    EXPECT_GE(tasks.size(), 6u);
    for (const json& task : tasks)
      EXPECT_NE(found.find("(" + task.at("name").get<std::string>() + ")"), std::string::npos)
          << task.at("name") << " is accepted by trl check --strict";
  }
  const std::vector<Candidate> refused = trivial_answers("refused");
  EXPECT_GE(refused.size(), 6u);
  Judge judge(std::make_shared<CompiledKernels>());
  for (const Candidate& one : refused) {
    EXPECT_EQ(found.find("(" + one.name + ")"), std::string::npos) << one.name << " is a task like any other";
    const Outcome outcome = judge.judge(one);
    EXPECT_EQ(outcome.earned, "") << one.name;
    // Nearly right values may look like those of half precision.
    const std::string& reason = outcome.verdict.reason;
    EXPECT_TRUE(reason == "wrong_values" || reason == "low_precision")
        << one.name << ": " << outcome.verdict.message;
  }
}

}  // namespace
}  // namespace trl::runtime
