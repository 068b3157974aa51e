// What the build computes of the embedded library, compared with computing it here.
#include <gtest/gtest.h>

#include <random>

#include "base/operators/overlap.hpp"
#include "language/check/pretraining.hpp"
#include "language/diagnostics/render.hpp"
#include "language/elaboration/prepared.hpp"
#include "language/program/kept_program.hpp"
#include "language/schema/embedded.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language/stub.hpp"

namespace trl::language::test {
namespace {

using Suites = std::map<std::string, std::vector<SuiteTask>>;

/// The suites of a program that imports one module. `own` reads the module's text as a file of the user's.
std::unique_ptr<KeptProgram> importing(const std::string& module, const std::string& text, bool own) {
  CheckOptions options;
  options.read = [=](const std::string& path) -> std::optional<std::string> {
    if (path == "test.trl") return "import " + module + "\n";
    if (own && path == module + ".trl") return text;
    return std::nullopt;
  };
  return keep_file("test.trl", options);
}

TEST(Prepared, TasksAreThoseOfTheText) {
  std::size_t compared = 0;
  for (const auto& [name, text] : embedded()) {
    if (name == "schema.trl") continue;
    const std::string module = name.substr(0, name.size() - 4);
    const auto library = importing(module, text, false), file = importing(module, text, true);
    const Suites &prepared = library->resolution->meaning().suites(),
                 &lowered = file->resolution->meaning().suites();
    ASSERT_EQ(prepared.size(), lowered.size()) << name;
    for (const auto& [suite, tasks] : lowered) {
      const auto& own = prepared.at(suite);
      ASSERT_EQ(own.size(), tasks.size());
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        EXPECT_EQ(tasks[i].prepared, nullptr);
        EXPECT_EQ(own[i].lowered(), tasks[i].lowered()) << own[i].text();
        EXPECT_EQ(own[i].lowered().dump(), tasks[i].lowered().dump()) << own[i].text();
        EXPECT_EQ(own[i].key, tasks[i].key);
        EXPECT_EQ(own[i].overlap, tasks[i].overlap);
        if (tasks[i].lowered().contains("source")) continue;
        EXPECT_NE(own[i].prepared, nullptr) << own[i].text() << " is lowered by each process";
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, prepared_tasks().size());
}

/// The keys of the embedded model's manifest.
class Manifest : public testing::Test {
 protected:
  const std::string text_ = read_from_disk(TRL_EXPERIMENTS "/../stdlib/windtunnel/manifest.json").value();
  const std::vector<std::string> keys_ = nlohmann::json::parse(text_).at("keys");
};

TEST_F(Manifest, IsThePreparedOne) {
  EXPECT_EQ(prepared_manifest().bytes, text_.size());
  EXPECT_EQ(prepared_manifest().hash, std::hash<std::string>()(text_));
  const auto functions = prepared_manifest().functions;
  EXPECT_TRUE(std::is_sorted(functions.begin(), functions.end()));
  for (std::size_t i = 0; i < keys_.size(); i += 97)
    EXPECT_TRUE(std::binary_search(functions.begin(), functions.end(),
                                   function_number(operators::overlap_key(keys_[i]))))
        << keys_[i];
}

TEST_F(Manifest, HasTheFunctionsThatReadingFinds) {
  std::mt19937 random(5);
  const auto library = importing("windtunnel", embedded().at("windtunnel.trl"), false);
  std::vector<SuiteTask> unseen;
  for (const auto& [name, tasks] : library->resolution->meaning().suites())
    unseen.insert(unseen.end(), tasks.begin(), tasks.end());
  for (int exam = 0; exam < 20; ++exam) {
    std::vector<SuiteTask> tasks;
    for (std::size_t i = random() % 4; i > 0; --i) tasks.push_back(unseen[random() % unseen.size()]);
    // Half of the exams have tasks of the manifest, some of them in another spelling.
    for (std::size_t i = exam % 2 == 0 ? 0 : random() % 4; i > 0; --i) {
      SuiteTask& task = tasks.emplace_back();
      task.key = keys_[random() % keys_.size()];
      task.overlap = operators::overlap_key(task.key);
      if (i % 2 == 0) task.key = "neg(neg(" + task.key + "))";
    }
    std::vector<const SuiteTask*> exam_tasks;
    for (const SuiteTask& task : tasks) exam_tasks.push_back(&task);
    EXPECT_EQ(seen_keys(text_, exam_tasks), seen_keys_by_reading(text_, exam_tasks));
  }
}

TEST(Document, DiagnosticsAreTheSameWithoutIt) {
  std::vector<std::string> programs;
  const auto all = mistakes();
  for (std::size_t i = 0; i < all.size(); i += 7) programs.push_back(all[i].program);
  for (const Rule* rule : all_rules())
    for (const std::string_view example : {rule->good, rule->bad}) programs.emplace_back(example);
  for (const std::string& program : programs) {
    CheckOptions options = in_memory({{"test.trl", program}});
    const Checked with = check_file("test.trl", options);
    options.document = false;
    const Checked without = check_file("test.trl", options);
    EXPECT_FALSE(without.resolved);
    EXPECT_EQ(render(with.diagnostics, with.sources), render(without.diagnostics, without.sources))
        << program;
  }
}

}  // namespace
}  // namespace trl::language::test
