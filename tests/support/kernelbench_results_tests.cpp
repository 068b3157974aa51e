#include "base/support/kernelbench_results.hpp"

#include <gtest/gtest.h>

#include "base/support/error.hpp"
#include "base/support/generations.hpp"

namespace trl {
namespace {

const std::string one_result =
    R"({"sample_id": 0, "compiled": true, "correctness": true, "metadata": {"hardware": "H100"}, "runtime": 1.5,
        "runtime_stats": {"mean": 1.5}})";

EvalResults results(const std::string& text) { return read_eval_results(text, "eval_results.json"); }

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const UserError& error) {
    EXPECT_NE(error.help, "");
    return error.what();
  }
  return {};
}

TEST(KernelbenchResults, AreReadAsItsScriptsWriteThem) {
  const auto read = results(
      "{\"19\": [{\"sample_id\": 1, \"compiled\": true, \"correctness\": false, \"metadata\": {}, "
      "\"runtime\": -1.0,"
      "\"runtime_stats\": {}}, " +
      one_result + "], \"3\": " + one_result + "}");
  ASSERT_EQ(read.size(), 2u);
  ASSERT_EQ(read.at(19).size(), 2u);
  EXPECT_EQ(read.at(19)[0].sample, 0) << "samples are in order";
  EXPECT_TRUE(read.at(19)[0].correct);
  EXPECT_EQ(read.at(19)[0].runtime, 1.5);
  EXPECT_EQ(read.at(19)[0].metadata.at("hardware"), "H100");
  EXPECT_FALSE(read.at(19)[1].correct);
  EXPECT_FALSE(read.at(19)[1].runtime) << "-1 is no time";
  EXPECT_EQ(read.at(3).size(), 1u) << "an object stands for a list of one";
}

TEST(KernelbenchResults, AreWrittenAsTheyAreRead) {
  EvalResults written;
  written[7] = {{0, true, true, 0.25, {{"judged_by", "trl"}}}, {1, false, false, {}, {{"reason", "syntax"}}}};
  const auto text = eval_results_text(written);
  const auto again = results(text);
  EXPECT_EQ(eval_results_text(again), text);
  EXPECT_EQ(again.at(7)[0].runtime, 0.25);
  EXPECT_EQ(again.at(7)[1].metadata, written.at(7)[1].metadata);
}

TEST(KernelbenchResults, SayWhereTheyAreMalformed) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{", "eval_results.json: it isn't JSON in line 1"},
      {"[]", "eval_results.json: it is no object"},
      {R"({"first": []})", "`first` is no problem's number"},
      {R"({"01": []})", "`01` is no problem's number"},
      {R"({"0": []})", "`0` is no problem's number"},
      {R"({"12345678901": []})", "`12345678901` is no problem's number"},
      {R"({"1": [3]})", "result 1 of problem 1 is no object"},
      {R"({"1": [{"compiled": true, "correctness": true}]})", "result 1 of problem 1 has no `sample_id`"},
      {R"({"1": [{"sample_id": -1, "compiled": true, "correctness": true}]})", "has no `sample_id`"},
      {R"({"1": [{"sample_id": 100000, "compiled": true, "correctness": true}]})", "from 0 to 99999"},
      {R"({"1": [{"sample_id": 18446744073709551615, "compiled": true, "correctness": true}]})",
       "from 0 to 99999"},
      {R"({"1": [{"sample_id": 0, "compiled": true, "correctness": true, "runtime": "1.0"}]})",
       "`runtime` that is no"},
      {"{\n\"1\": [\n{]}", "it isn't JSON in line 3"},
      {R"({"1": [{"sample_id": 0, "correctness": true}]})", "says no `compiled`"},
      {R"({"1": [{"sample_id": 0, "compiled": true, "correctness": "yes"}]})", "says no `correctness`"},
      {R"({"1": [{"sample_id": 0, "compiled": false, "correctness": true}]})", "though it doesn't compile"},
  };
  for (const auto& [text, said] : wrong)
    EXPECT_NE(refusal([&, text = text] { results(text); }).find(said), std::string::npos) << text;
  EXPECT_NE(
      refusal([&] { results("{\"1\": [" + one_result + "," + one_result + "]}"); }).find("sample 0 twice"),
      std::string::npos);
}

TEST(KernelbenchResults, TakeWhatPythonWritesAndNoTowers) {
  const auto read = results(
      R"({"1": [{"sample_id": 0, "compiled": true, "correctness": true, "runtime": NaN,
           "metadata": {"said": "NaN \" Infinity", "a": -Infinity, "b": [Infinity]}}]})");
  EXPECT_FALSE(read.at(1)[0].runtime);
  EXPECT_EQ(read.at(1)[0].metadata.at("said"), "NaN \" Infinity");
  EXPECT_TRUE(read.at(1)[0].metadata.at("a").is_null());
  for (const std::size_t depth : {100u, 1'000'000u}) {
    const auto tower = "{\"1\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_NE(refusal([&] { results(tower); }).find("deep"), std::string::npos) << depth;
    EXPECT_NE(refusal([&] { read_reference_times(tower, "times.json"); }).find("deep"), std::string::npos);
  }
}

TEST(KernelbenchResults, ReferencesAreFoundByLevelAndNumber) {
  const auto times = read_reference_times(
      R"({"level1": {"19_ReLU.py": {"mean": 2.5, "std": 0.1}}, "level12": {"3_A_b.py": {"mean": 1}}})",
      "times.json");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times.at({1, 19}).milliseconds, 2.5);
  EXPECT_EQ(times.at({1, 19}).name, "ReLU");
  EXPECT_EQ(times.at({12, 3}).milliseconds, 1);
  EXPECT_EQ(times.at({12, 3}).name, "A_b");
  EXPECT_NE(refusal([] {
              read_reference_times(R"({"level1": {"1_A.py": {"mean": 1}, "1_B.py": {"mean": 2}}})", "t");
            }).find("two times"),
            std::string::npos);
  for (const char* text : {"{", R"({"one": {}})", R"({"level1": 3})", R"({"level1x": {}})",
                           R"({"level1": {"ReLU.py": {"mean": 1}}})", R"({"level1": {"1_ReLU.py": {}}})",
                           R"({"level1": {"1_ReLU.py": {"mean": 0}}})", R"({"level1": {"1_ReLU.py": 2}})"})
    EXPECT_NE(refusal([&] { read_reference_times(text, "times.json"); }), "") << text;
}

TEST(KernelbenchResults, AProblemIsATaskWithALevel) {
  EXPECT_EQ(problem_of({{"module", {{"level", 2}}}}, 7), (Problem{2, 7}));
  EXPECT_FALSE(problem_of({{"module", {{"code", ""}}}}, 7));
  EXPECT_FALSE(problem_of({{"module", nullptr}}, 7));
  EXPECT_FALSE(problem_of(nlohmann::json::object(), 7));
  EXPECT_FALSE(problem_of(nullptr, 7));
}

/// A run in memory.
struct FilesOfRun {
  std::map<std::string, std::string> files;
  RunResults read(const ResultsPlace& place, const std::vector<Problem>& problems) const {
    return read_results(place, problems,
                        [&](const std::filesystem::path& file) -> std::optional<std::string> {
                          const auto found = files.find(file.string());
                          return found == files.end() ? std::nullopt : std::optional(found->second);
                        });
  }
};

const std::string wrong_result = R"({"sample_id": 0, "compiled": true, "correctness": false})";

TEST(KernelbenchResults, AFileAFolderAndAFolderForEachLevelAreRuns) {
  const std::string text = "{\"1\": [" + one_result + "]}";
  const FilesOfRun run{{{"a/eval_results.json", text}, {"b/level1/eval_results.json", text}}};
  for (const ResultsPlace& place : {ResultsPlace{"a/eval_results.json", 1}, {"a", 1}, {"b", {}}}) {
    const auto read = run.read(place, {{1, 1}, {2, 1}});
    EXPECT_EQ(read.results.size(), 1u) << place.path;
    EXPECT_EQ(read.levels, std::set<std::int64_t>{1});
    EXPECT_FALSE(read.complete({1, 2}).at(0).correct) << "a task without a result counts as wrong";
    EXPECT_FALSE(read.timed()) << "no reference is known";
  }
  EXPECT_NE(refusal([&] {
              run.read({"a/eval_results.json", {}}, {{1, 1}});
            }).find("which level"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              run.read({"nowhere", {}}, {{1, 1}});
            }).find("nowhere/level1/eval_results.json"),
            std::string::npos);
  EXPECT_NE(refusal([&] { run.read({"a", 1}, {{2, 1}}); }).find("no task of level 1"), std::string::npos);
  EXPECT_NE(refusal([&] { run.read({"a", 1}, {}); }).find("no task"), std::string::npos);
}

TEST(KernelbenchResults, TimesNeedAReferenceOfEachRightAnswer) {
  FilesOfRun run{{{"a/eval_results.json", "{\"1\": [" + one_result + "], \"2\": [" + wrong_result + "]}"},
                  {"a/baseline.json", R"({"level1": {"1_A.py": {"mean": 3}}})"},
                  {"other.json", R"({"level1": {"2_B.py": {"mean": 3}}})"}}};
  EXPECT_TRUE(run.read({"a", 1}, {{1, 1}, {1, 2}}).timed()) << "baseline.json beside the results counts";
  EXPECT_NE(refusal([&] {
              run.read({"a", 1, "other.json"}, {{1, 1}});
            }).find("no time of problem 1 of level 1"),
            std::string::npos);
  EXPECT_TRUE(run.read({"a", 1, "other.json"}, {{1, 2}}).reference) << "no time is needed of a wrong answer";
  EXPECT_NE(refusal([&] {
              run.read({"a", 1, {}, "other.json"}, {{1, 1}});
            }).find("other.json has no time"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              run.read({"a", 1, "absent.json"}, {{1, 1}});
            }).find("absent.json"),
            std::string::npos);
  // Where nothing right was timed, there are no speedups, though there are references.
  run.files["a/eval_results.json"] =
      R"({"1": [{"sample_id": 0, "compiled": true, "correctness": true, "runtime": -1.0}]})";
  EXPECT_FALSE(run.read({"a", 1}, {{1, 1}}).timed());
  run.files["a/eval_results.json"] = "{\"1\": [" + wrong_result + "]}";
  EXPECT_TRUE(run.read({"a", 1}, {{1, 1}}).timed()) << "none is right: none is fast";
}

TEST(KernelbenchResults, EachProblemHasAsManyAnswers) {
  const FilesOfRun run{
      {{"a/eval_results.json", "{\"1\": [" + one_result +
                                   R"(, {"sample_id": 3, "compiled": false, "correctness": false}],
      "2": [{"sample_id": 1, "compiled": true, "correctness": true}],
      "9": [{"sample_id": 0, "compiled": true, "correctness": true}]})"}}};
  const auto read = run.read({"a", 1}, {{1, 1}, {1, 2}, {1, 3}});
  EXPECT_EQ(read.answers(), 2u) << "problem 9 isn't asked for";
  EXPECT_EQ(read.missing(), 1u);
  EXPECT_EQ(read.untimed(), 1u);
  const auto filled = read.complete({1, 2});
  ASSERT_EQ(filled.size(), 2u);
  EXPECT_EQ(filled[0].sample, 0);
  EXPECT_FALSE(filled[0].correct) << "a missing answer counts as wrong";
  EXPECT_TRUE(filled[1].correct);
  EXPECT_EQ(read.complete({1, 3}).size(), 2u);
  EXPECT_NE(refusal([&] { run.read({"a", 1}, {{1, 3}}); }).find("no result for any task"), std::string::npos);
  EXPECT_NE(refusal([&] { run.read({"a", 1}, {{1, 1}, {1, 1}}); }).find("twice"), std::string::npos);
}

TEST(KernelbenchResults, AreOfOneKind) {
  const auto result = [](const std::string& metadata) {
    return "[{\"sample_id\": 0, \"compiled\": true, \"correctness\": true, \"metadata\": {" + metadata +
           "}}]";
  };
  const auto read = [&](const std::string& first, const std::string& second) {
    const FilesOfRun run{
        {{"a/eval_results.json", "{\"1\": " + result(first) + ", \"2\": " + result(second) + "}"}}};
    return run.read({"a", 1}, {{1, 1}, {1, 2}});
  };
  const std::string exam = "\"judged_by\": \"" + std::string(judged_by_trl) + "\"",
                    protocol = "\"judged_by\": \"" + std::string(judged_by_protocol) + "\"",
                    modelled = R"("times": "modelled")";
  EXPECT_FALSE(read(exam, exam).by_kernelbench());
  EXPECT_TRUE(read(protocol, protocol).by_kernelbench());
  EXPECT_TRUE(read("", protocol).by_kernelbench()) << "its scripts don't say who judged";
  EXPECT_TRUE(read(modelled, modelled).modelled());
  EXPECT_FALSE(read("", "").modelled());
  EXPECT_NE(refusal([&] { read(exam, ""); }).find("together"), std::string::npos);
  EXPECT_NE(refusal([&] { read(modelled, ""); }).find("together"), std::string::npos);
}

TEST(KernelbenchResults, ErrorsNameTheArgument) {
  const FilesOfRun run{{{"a/eval_results.json", "{\"1\": [" + one_result + "]}"}}};
  const auto argument = [&](const ResultsPlace& place) {
    try {
      run.read(place, {{1, 1}});
    } catch (const ResultsError& error) {
      return error.argument;
    }
    return std::string();
  };
  EXPECT_EQ(argument({"b", 1}), "from");
  EXPECT_EQ(argument({"a", 1, "nowhere.json"}), "baseline");
  EXPECT_EQ(argument({"a", 1, {}, "nowhere.json"}), "compiled_baseline");
}

TEST(KernelbenchResults, NamesOfRowsCanStandInTables) {
  for (const char* name : {"o3", "DeepSeek-R1 (best of 10)", "gpt_4.1", "日本"})
    EXPECT_EQ(wrong_row_name(name), "") << name;
  for (const char* name : {"", " a", "a ", "a|b", "`a`", "a\nb", "<b>", "100%", "a\"b"})
    EXPECT_NE(wrong_row_name(name), "") << name;
  EXPECT_NE(wrong_row_name(std::string(61, 'a')), "");
  EXPECT_NE(wrong_row_name(std::string("a\0b", 3)), "");
}

TEST(Generations, PlacesAreThoseOfTheirFilesNames) {
  for (const Generation& place : {Generation{1, 19, 0}, Generation{4, 1, 12}, Generation{10, 100, 999}})
    EXPECT_EQ(generation_of(generation_file(place.level, place.problem, place.sample)), place);
  for (const char* name :
       {"", "level_1_problem_2_sample_0", "level_1_problem_2_sample_0_kernel.py.bak",
        "level__problem_2_sample_0_kernel.py", "xlevel_1_problem_2_sample_0_kernel.py",
        "level_1_problem_02_sample_0_kernel.py", "level_+1_problem_2_sample_0_kernel.py",
        "level_1_sample_0_problem_2_kernel.py", "level_1_problem_99999999999999999999_sample_0_kernel.py"})
    EXPECT_FALSE(generation_of(name)) << name;
}

}  // namespace
}  // namespace trl
