// The real trl-verify's assessments of tasks: stdlib/assessed.txt agrees with them for the library's tasks,
// and degenerate tasks are found. `./trl renew assessed` writes that file; review the difference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/contract/form.hpp"
#include "base/support/files.hpp"
#include "interpreter/assess/assessments.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/program/program.hpp"
#include "tests/golden.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
namespace language = trl::language;
namespace fs = std::filesystem;

namespace {

/// Every task that the library declares, by the key of its assessment.
std::map<std::string, json> library_tasks() {
  std::map<std::string, json> out;
  for (const char* module : {"windtunnel", "kernelbench_like", "example"}) {
    language::CheckOptions options;
    options.read = [&](const std::string& path) -> std::optional<std::string> {
      return path == "tasks" ? std::optional("import " + std::string(module) + "\n") : std::nullopt;
    };
    const auto checked = language::check_file("tasks", options);
    for (const auto& [id, task] : checked.resolved->at("tasks").items())
      out.emplace(assessment_key(task, "task"), task);
  }
  return out;
}

/// A line of stdlib/assessed.txt: a row without the names of its task, and without the lists `refuses`, which
/// aren't needed.
std::string shipped_line(const std::string& key, json row) {
  for (const char* name : {"task", "key"}) row.erase(name);
  for (json& variation : row["variations"]) variation.erase("refuses");
  return key + " " + row.dump() + "\n";
}

std::vector<std::string> ask(const std::map<std::string, json>& tasks) {
  std::vector<std::string> keys, lines(tasks.size());
  json asked = {{"tasks", json::array()},
                {"variations", trl::contract::written(exam_variations())},
                {"precision", "task"}};
  for (const auto& [key, task] : tasks) {
    keys.push_back(key);
    asked["tasks"].push_back(task);
  }
  ::setenv("TRL_VERIFY", VERIFY, 1);
  const Interrupt interrupt;
  ask_verifier(
      {{"assess", std::move(asked)}},
      [&](const json& row) {
        const auto number = row.at("task").get<std::size_t>();
        lines.at(number) = shipped_line(keys.at(number), row);
      },
      interrupt);
  return lines;
}

std::string line_of(std::string_view text, const std::string& key) {
  const auto at = text.find(key + " ");
  return at == text.npos ? "" : std::string(text.substr(at, text.find('\n', at) + 1 - at));
}

}  // namespace

TEST(Assessed, TheLibrarysTasksAreAsTrlVerifyFindsThem) {
  const auto tasks = library_tasks();
  if (const auto path = renewed("stdlib/assessed.txt")) {
    std::string text;
    for (const auto& line : ask(tasks)) text += line;
    write_text(*path, text);
    GTEST_SKIP() << "written";
  }
  const std::string text = read_text(STDLIB "/assessed.txt");
  std::map<std::string, json> sample;
  for (const auto& [key, task] : tasks) {
    EXPECT_NE(line_of(text, key), "") << task.at("name");
    // All tasks would take minutes, so the first digit of the key selects some.
    if (key.starts_with("0") && task.at("suite") != "kb_level2") sample.emplace(key, task);
  }
  ASSERT_GE(sample.size(), 5u);
  const auto lines = ask(sample);
  std::size_t i = 0;
  for (const auto& [key, task] : sample) EXPECT_EQ(lines[i++], line_of(text, key)) << task.at("name");
}

TEST(Assessed, NoTaskOfTheLibraryIsDegenerate) {
  const std::string text = read_text(STDLIB "/assessed.txt");
  for (const auto& [key, task] : library_tasks()) {
    const auto line = line_of(text, key);
    ASSERT_GT(line.size(), key.size() + 1) << task.at("name");
    const auto row = json::parse(line.substr(key.size() + 1));
    EXPECT_FALSE(row.at("degenerate").get<bool>()) << task.at("name") << " " << row.at("passes");
  }
}

namespace {

/// Tasks that an answer passes which doesn't compute them, and similar tasks that aren't degenerate.
const char* const made_degenerate = R"(suite degenerate {
  task shifted_relu[M = 64, N = 256](x: f32[M, N]) = relu(x - 20)
  task root_product[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N]) = sqrt(x) @ w
  task logarithm_of_negatives[N = 4096](x: f32[N]) = log(neg(abs(x)))
  task wide_clamp[M = 64, N = 256](x: f32[M, N]) = clamp(x, 40, 50)
  task saturated_tanh[M = 64, N = 256](x: f32[M, N]) = tanh(abs(x) + 50)
  task sigmoid_of_large[M = 64, N = 256](x: f32[M, N]) = sigmoid(square(x) + 100)
  task times_zero[M = 64, N = 256](x: f32[M, N]) = 0 * tanh(x)
  task hinge_at_zero[N = 4096](x: f32[N]) = amax(relu(x - 100), axis = 0)
  task zero_difference[M = 64, N = 256](x: f32[M, N]) = x - x
  task sign_of_squares[M = 64, N = 256](x: f32[M, N]) = sign(square(x) + 1)
  task one_column_softmax[M = 64, N = 1](x: f32[M, N]) = softmax(x * 0, axis = 1)
  task vanishing_exp[M = 64, N = 256](x: f32[M, N]) = exp(neg(square(x)) - 300)
}
suite sound {
  task relu_rows[M = 64, N = 256](x: f32[M, N]) = relu(x)
  task linear[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N], b: f32[N]) = x @ w + b
  task row_softmax[M = 64, N = 256](x: f32[M, N]) = softmax(x, axis = 1)
  task loss[M = 64, N = 256](x: f32[M, N], y: f32[M, N]) = mse_loss(x, y)
}
)";

}  // namespace

TEST(Assessed, DegenerateTasksAreFoundAndSoundOnesAreNot) {
  const TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  write_text(folder.path() / "made.trl", made_degenerate);
  const auto ended = folder.trl("check made.trl --strict --json", {{"TRL_VERIFY", VERIFY}});
  EXPECT_EQ(ended.status, 1) << ended.err;
  std::map<std::size_t, std::string> found;
  for (const json& finding : json::parse(ended.out)) {
    // Lines 3 and 4 are known for what they are by their text alone, and are tried all the same.
    const std::size_t line = finding.at("line");
    EXPECT_EQ(finding.at("severity"), "warning") << finding.dump(1);
    if (finding.at("rule") == "undefined_task") {
      EXPECT_TRUE(line == 3 || line == 4) << finding.dump(1);
      continue;
    }
    EXPECT_EQ(finding.at("rule"), "degenerate_task") << finding.dump(1);
    found[line] = finding.at("message");
  }
  for (std::size_t line = 2; line <= 13; ++line) EXPECT_TRUE(found.contains(line)) << "line " << line;
  for (const auto& [line, message] : found) EXPECT_LE(line, 13u) << message;
  EXPECT_NE(found[3].find("NaN"), std::string::npos) << found[3];
}

TEST(Assessed, TheRulesExamplesAreWhatTrlVerifySaysOfThem) {
  const TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  write_text(folder.path() / "good.trl", language::find_rule("degenerate_task")->good);
  write_text(folder.path() / "bad.trl", language::find_rule("degenerate_task")->bad);
  EXPECT_EQ(folder.trl("check good.trl --strict", {{"TRL_VERIFY", VERIFY}}).out, "good.trl is fine\n");
  const auto bad = folder.trl("check bad.trl", {{"TRL_VERIFY", VERIFY}});
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.err.find("error[degenerate_task]"), std::string::npos) << bad.err;
}
