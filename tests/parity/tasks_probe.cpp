// Runs parts of the language and the runtime for the parity tests of tasks. Input and output are JSON lines.
//   tasks_probe functions        every tensor function: {"name", "signature", "doc"}
//   tasks_probe check FILE.trl   its tasks: {"task", "prompt", "original", "resize(150%)", "tiny"}, the last
//                                three with the shapes of inputs and outputs; then its errors: {"where",
//                                "rule", "message", "notes"}
//   tasks_probe evaluate FOLDER  the reference of FOLDER/tasks.json, [{"task", "inputs": [{"dtype", "shape",
//                                "data": offset in inputs.bin}]}]: {"dtype", "shape", "data": offset in
//                                outputs.bin, f64} or {"error"} each
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "base/support/error.hpp"
#include "language/program/program.hpp"
#include "language/tasks/tasks.hpp"
#include "verifier/tasks/costs.hpp"
#include "verifier/tasks/prompt.hpp"
#include "verifier/tasks/reference.hpp"
#include "verifier/tasks/variation.hpp"

namespace {

using nlohmann::json;
using namespace trl;

json checked_task(const json& lowered) {
  const runtime::Task task = runtime::Task::parse(lowered);
  if (task.to_json() != lowered) throw trl::UserError("task " + task.name + " isn't written as it was read");
  json row = {{"task", lowered}, {"prompt", runtime::prompt(task)}};
  for (const char* label : {"original", "resize(150%)", "tiny"}) {
    const auto variation = runtime::Variation::parse(label);
    json& at = row[label] = {{"inputs", json::array()}, {"outputs", json::array()}};
    for (const auto& shape : output_shapes(task, variation)) at["outputs"].push_back(shape.to_json());
    for (const auto& shape : input_shapes(task, variation)) at["inputs"].push_back(shape.to_json());
    at["flops"] = 0.0;
    for (const auto& cost : operator_costs(task, variation))
      at["flops"] = at["flops"].get<double>() + cost.flops;
  }
  return row;
}

void check(const std::string& path) {
  const language::Checked checked = language::check_file(path);
  const json none = json::object();
  for (const auto& [id, task] : (checked.resolved ? checked.resolved->at("tasks") : none).items())
    fmt::print("{}\n", checked_task(task).dump());
  for (const language::Diagnostic& found : checked.diagnostics) {
    if (found.severity != language::Severity::error) continue;
    const std::string where = checked.sources.where(found.range);
    json row = {{"where", where}, {"rule", found.rule}, {"message", found.message}, {"notes", json::array()}};
    for (const language::Note& note : found.notes) row["notes"].push_back(note.message);
    fmt::print("{}\n", row.dump());
  }
}

void evaluate(const std::string& folder) {
  std::ifstream tasks(folder + "/tasks.json");
  std::ifstream data(folder + "/inputs.bin", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(data)), {});
  std::ofstream out(folder + "/outputs.bin", std::ios::binary);
  std::size_t written = 0;
  for (const json& row : json::parse(tasks)) {
    try {
      const runtime::Task task = runtime::Task::parse(row["task"]);
      std::vector<at::Tensor> inputs;
      for (const json& input : row["inputs"])
        inputs.push_back(at::from_blob(bytes.data() + input["data"].get<std::size_t>(),
                                       input["shape"].get<std::vector<std::int64_t>>(),
                                       runtime::exact_type(input["dtype"]))
                             .clone());
      const at::Tensor value = runtime::evaluate(task, inputs), exact = value.to(at::kDouble).contiguous();
      fmt::print("{}\n", json{{"dtype", value.is_floating_point()          ? "float"
                                        : value.scalar_type() == at::kBool ? "bool"
                                                                           : "i64"},
                              {"shape", exact.sizes().vec()},
                              {"data", written}}
                             .dump());
      out.write(static_cast<const char*>(exact.data_ptr()), static_cast<std::streamsize>(exact.nbytes()));
      written += exact.nbytes();
    } catch (const std::exception& error) {
      fmt::print("{}\n", json{{"error", error.what()}}.dump());
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  try {
    if (given.size() == 1 && given[0] == "functions") {
      for (const auto& function : language::tensor_functions())
        fmt::print(
            "{}\n",
            json{{"name", function.name}, {"signature", function.signature}, {"doc", function.doc}}.dump());
    } else if (given.size() == 2 && given[0] == "check") {
      check(given[1]);
    } else if (given.size() == 2 && given[0] == "evaluate") {
      evaluate(given[1]);
    } else {
      std::cerr << "usage: see tasks_probe.cpp\n";
      return 2;
    }
  } catch (const trl::UserError& error) {
    std::cerr << error.what() << "\n" << error.help << "\n";
    return 1;
  }
}
