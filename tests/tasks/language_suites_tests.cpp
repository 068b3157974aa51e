// The wind tunnel as the language reads it is the wind tunnel that the worker's generator wrote.
#include <gtest/gtest.h>

#include "language/program.hpp"
#include "runtime/corpus/suites.hpp"

namespace trl {
namespace {

TEST(LanguageAndWorker, AgreeOnEveryTaskOfTheWindTunnel) {
  const std::string program =
      "import windtunnel\nimport example\n"
      "suite mine { task wave[M = 64, N = 256](x: f32[M, N]) = cos(sin(cos(x))) }\n"
      "train t : example.reinforce { tasks = windtunnel.level1 + windtunnel.level2 + windtunnel.pairs }\n"
      "evaluation x : example.exam { split = mine }\n"
      "experiment e : example.study { train = t, evaluate = x }\n";
  language::CheckOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "all.trl") return program;
    return std::nullopt;
  };
  const language::Checked checked = language::check_file("all.trl", options);
  ASSERT_TRUE(checked.resolved) << (checked.diagnostics.empty() ? "" : checked.diagnostics.front().message);
  const nlohmann::json& tasks = checked.resolved->at("tasks");
  for (const runtime::Task& task : runtime::every_suite()) {
    const std::string id = task.suite + "/" + std::to_string(task.id);
    ASSERT_TRUE(tasks.contains(id)) << id;
    const runtime::Task read = runtime::Task::parse(tasks[id]);
    EXPECT_EQ(read.key, task.key);
    EXPECT_EQ(read.name, task.name);
    EXPECT_EQ(read.doc, task.doc);
    EXPECT_EQ(read.to_json()["value"], task.to_json()["value"]) << id;
  }
}

}  // namespace
}  // namespace trl
