// The wind tunnel as the language reads it is the wind tunnel that the worker's generator wrote.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "language/program/program.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl {
namespace {

/// The tasks of every suite of a program, by id.
nlohmann::json tasks_of(const std::string& program) {
  language::CheckOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "all.trl") return program;
    return std::nullopt;
  };
  const language::Checked checked = language::check_file("all.trl", options);
  if (!checked.resolved) {
    ADD_FAILURE() << (checked.diagnostics.empty() ? "" : checked.diagnostics.front().message);
    return nlohmann::json::object();
  }
  return checked.resolved->at("tasks");
}

// The embedded model's manifest says what it was pretrained on by such keys, and results are stored under
// digests of them: one that changes needs a raised version (CONTRIBUTING.md).
TEST(LanguageAndWorker, KeepTheKeysOfTheLibrary) {
  for (const auto& [suites, wanted] : {std::pair("windtunnel", 200u), std::pair("kernelbench_like", 107u)}) {
    const nlohmann::json tasks = tasks_of("import " + std::string(suites) + "\n");
    std::ifstream golden(TRL_SOURCE "/tests/tasks/golden/" + std::string(suites) + "_keys.txt");
    std::size_t count = 0;
    for (std::string line; std::getline(golden, line); ++count) {
      const std::string id = line.substr(0, line.find(' ')), key = line.substr(line.find(' ') + 1);
      ASSERT_TRUE(tasks.contains(id)) << id;
      EXPECT_EQ(tasks[id]["key"], key) << id;
    }
    EXPECT_EQ(count, wanted);
  }
}

TEST(LanguageAndWorker, AgreeOnEveryKernelBenchLikeTask) {
  const nlohmann::json tasks = tasks_of("import kernelbench_like\n");
  std::map<std::string, int> counts;
  for (const auto& [id, task] : tasks.items()) {
    const runtime::Task read = runtime::Task::parse(task);
    EXPECT_EQ(read.to_json(), task) << id;
    EXPECT_FALSE(runtime::prompt(read).empty()) << id;
    ++counts[read.suite];
  }
  EXPECT_GE(counts["kb_level1"], 40);
  EXPECT_GE(counts["kb_level2"], 30);
}

TEST(LanguageAndWorker, AgreeOnEveryTaskOfTheWindTunnel) {
  const nlohmann::json tasks = tasks_of("import windtunnel\n");
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
