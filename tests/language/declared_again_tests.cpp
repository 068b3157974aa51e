// Tasks in the task format are checked and lowered as those that a file declares.
#include "language/tasks/declared_again.hpp"

#include <gtest/gtest.h>

#include "language/program/kept_program.hpp"
#include "language/schema/embedded.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

/// All tasks of the library that are written in the language.
std::vector<json> library_tasks() {
  std::vector<json> out;
  for (const auto& [name, text] : embedded()) {
    if (name == "schema.trl") continue;
    CheckOptions options;
    options.read = [&name = name](const std::string& path) {
      return path == "program.trl" ? std::optional("import " + name.substr(0, name.size() - 4) + "\n")
                                   : std::nullopt;
    };
    const auto program = keep_file("program.trl", options);
    for (const auto& [suite, tasks] : program->resolution->meaning().suites())
      for (const SuiteTask& task : tasks)
        if (task.is_lowered() && !task.lowered().contains("source")) out.push_back(task.lowered());
  }
  return out;
}

TEST(DeclaredAgain, EveryTaskOfTheLibraryIsTheSame) {
  const std::vector<json> tasks = library_tasks();
  ASSERT_GT(tasks.size(), 100u);
  for (const json& task : tasks) {
    const auto again = lower_again(task, std::nullopt);
    if (const auto* error = std::get_if<TaskError>(&again)) {
      ADD_FAILURE() << task.at("name") << ": " << error->message;
      continue;
    }
    const Task& own = std::get<Task>(again);
    EXPECT_EQ(own.to_json().dump(), task.dump()) << own.to_json().dump(1) << "\n" << task.dump(1);
    // The shapes between, which readers infer, are those by which the language's rules went.
    EXPECT_EQ(own, Task::parse(task)) << task.at("name");
  }
}

/// The elements of an input at the task's own sizes, where each extent is a number or a dimension.
std::int64_t elements(const json& task, const json& shape) {
  std::int64_t product = 1;
  for (const json& extent : shape) {
    if (extent.is_number()) {
      product *= extent.get<std::int64_t>();
      continue;
    }
    for (const json& dim : task.at("dims"))
      if (dim[0] == extent) product *= dim[1].get<std::int64_t>();
  }
  return product;
}

TEST(DeclaredAgain, SizesAreHalvedUntilTensorsAreSmall) {
  for (const json& task : library_tasks()) {
    const auto again = lower_again(task, 512);
    ASSERT_TRUE(std::holds_alternative<Task>(again)) << task.at("name");
    const json small = std::get<Task>(again).to_json();
    EXPECT_EQ(small.at("key"), task.at("key"));
    for (std::size_t i = 0; i < small.at("dims").size(); ++i) {
      EXPECT_LE(small["dims"][i][1], task["dims"][i][1]) << task.at("name");
      EXPECT_GE(small["dims"][i][1], 1) << task.at("name");
    }
  }
  const json task = json::parse(R"json({
    "suite": "s", "id": 1, "name": "product", "dims": [["M", 4096], ["K", 100], ["N", 2048]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["M", "K"]},
               {"name": "w", "dtype": "f32", "shape": ["K", "N"], "parameter": "fc.w"}],
    "value": {"op": "matmul", "args": [{"input": "x"}, {"input": "w"}]}})json");
  const json small = std::get<Task>(lower_again(task, 4096)).to_json();
  EXPECT_EQ(small.at("dims"), json::parse(R"([["M", 64], ["K", 50], ["N", 65]])")) << small.dump(1);
  EXPECT_EQ(small["inputs"][1]["parameter"], "fc.w");
  EXPECT_LE(elements(small, small["output"]["shape"]), 4096 + 64);
}

TEST(DeclaredAgain, AWindowThatFitsNothingSmallerKeepsItsRoom) {
  const json task = json::parse(R"json({
    "suite": "s", "id": 1, "name": "pool", "dims": [["N", 64], ["L", 1024]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["N", "L"]}],
    "value": {"op": "max_pool1d", "args": [{"input": "x"}], "attrs": {"kernel_size": [40]}}})json");
  const auto small = lower_again(task, 256);
  ASSERT_TRUE(std::holds_alternative<Task>(small)) << std::get<TaskError>(small).message;
  EXPECT_GE(std::get<Task>(small).dims[1].second, 40);
}

TEST(DeclaredAgain, WhatIsMalformedIsSaid) {
  const json good = json::parse(R"json({
    "suite": "s", "id": 1, "name": "t", "dims": [["N", 64]], "inputs": [{"name": "x", "dtype": "f32", "shape": ["N"]}],
    "value": {"op": "relu", "args": [{"input": "x"}]}})json");
  ASSERT_TRUE(std::holds_alternative<Task>(lower_again(good, {})));
  const auto refused = [&](const char* pointer, json value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = std::move(value);
    const auto result = lower_again(bad, 1000);
    return std::holds_alternative<TaskError>(result) ? std::get<TaskError>(result).message : "";
  };
  for (const auto& [pointer, value] :
       std::vector<std::pair<const char*, json>>{{"/value/op", "swishh"},
                                                 {"/value/args", json::array()},
                                                 {"/value", 3},
                                                 {"/value/args/0/input", "y"},
                                                 {"/inputs/0/shape/0", "N * M"},
                                                 {"/inputs/0/shape/0", "N //"},
                                                 {"/inputs/0/dtype", "f128"},
                                                 {"/dims/0/1", 0},
                                                 {"/dims/0/1", -3},
                                                 {"/dims/0", "N"},
                                                 {"/inputs", json::object()},
                                                 {"/value/attrs", json::parse(R"({"axis": 1})")},
                                                 {"/inputs/0/values", "nothing"},
                                                 {"/dims/0/1", 4000000000000000000}})
    EXPECT_NE(refused(pointer, value), "") << pointer << " " << value;
}

TEST(DeclaredAgain, TheTextGetsTheSizes) {
  const std::string text = "B = 128  # rows\nH = W = 16\nshape = (3, 2 * B)\n";
  const json places =
      json::parse(R"([[4, 7, "", "B"], [26, 26, "\nH = ", "8 * H_over_8"], [26, 26, "\nW = ", "8 * H_over_8"],
                                      [39, 44, "", "2 * B"]])");
  EXPECT_EQ(with_sizes(text, places, {{"B", 4}, {"H_over_8", 1}}),
            "B = 4  # rows\nH = W = 16\nH = 8\nW = 8\nshape = (3, 8)\n");
  for (const char* bad : {R"([[4, 900, "", "B"]])", R"([[4, 7, "", "C"]])",
                          R"([[4, 7, "", "B"], [5, 8, "", "B"]])", R"([[4]])", R"([3])"})
    EXPECT_THROW(with_sizes(text, json::parse(bad), {{"B", 4}}), TaskError) << bad;
}

}  // namespace
}  // namespace trl::language
