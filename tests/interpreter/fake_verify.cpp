// A stand-in for trl-verify.
// - It assesses tasks: those whose names begin with `degenerate` are degenerate. Each start adds a line to
//   $FAKE_VERIFY_LOG. If $FAKE_VERIFY_MOOD is `silent`, `nonsense` or `failing`, it misbehaves so.
// - It writes prompts: "prompt of NAME".
// - With --serve it is a worker slot. An answer's first word says what it does: `right` and `wrong` give
// these
//   verdicts, whose message is the whole answer; `sleep N` first sleeps N milliseconds; `once FILE` ends the
//   process unless the file is there, which it creates; `end` ends it each time; `silent` never answers.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

namespace {

using nlohmann::json;

json verdict_on(const std::string& answer, bool correct) {
  return {{"valid", true},
          {"compiled", true},
          {"tiny", correct},
          {"correct", correct},
          {"values", correct},
          {"failed", correct ? json() : json("full")},
          {"reason", correct ? json() : json("wrong_values")},
          {"message", answer},
          {"line", correct ? json() : json(2)},
          {"claimed", false},
          {"variation", nullptr},
          {"speedup", correct ? 1.5 : 0.0},
          {"time_us", correct ? json(2.0) : json()},
          {"reference_us", correct ? json(3.0) : json()},
          {"modelled", true},
          {"launches", 1},
          {"stages", json::array()},
          {"budget", {{"cpu_seconds", {{"limit", 60.0}, {"record", 0.5}}}}}};
}

int serve() {
  std::string line;
  std::getline(std::cin, line);
  if (std::getenv("FAKE_VERIFY_MOOD") != nullptr) {
    std::cerr << "error: the sandbox isn't allowed here\n";
    return 2;
  }
  std::cout << json{{"ready", true}}.dump() << std::endl;
  while (std::getline(std::cin, line)) {
    const json request = json::parse(line);
    const auto answer = request.at("answer").get<std::string>();
    std::istringstream words(answer);
    std::string word, file;
    words >> word;
    if (word == "sleep") {
      int milliseconds = 0;
      words >> milliseconds;
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
    if (word == "end") return 3;
    if (word == "once" && words >> file && !std::ifstream(file)) {
      std::ofstream(file) << "seen";
      return 3;
    }
    while (word == "silent") std::this_thread::sleep_for(std::chrono::seconds(1));
    json reply = {{"id", request.at("id")}, {"row", verdict_on(answer, word != "wrong")}, {"seconds", 0.5}};
    if (request.at("publish") == true) reply["plan"] = {{"seal", "00"}, {"kernels", json::array()}};
    std::cout << reply.dump() << std::endl;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::string(words[1]) == "--serve") return serve();
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const json whole = json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  if (whole.contains("prompts")) {
    const json& tasks = whole["prompts"]["tasks"];
    for (std::size_t i = 0; i < tasks.size(); ++i)
      std::cout << json{{"number", i}, {"text", "prompt of " + tasks[i].at("name").get<std::string>()}}.dump()
                << "\n";
    return 0;
  }
  const json request = whole.at("assess");
  std::ofstream(variable("FAKE_VERIFY_LOG"), std::ios::app)
      << request.at("tasks").size() << " " << request.at("precision").get<std::string>() << "\n";
  const std::string mood = variable("FAKE_VERIFY_MOOD");
  if (mood == "silent") return 0;
  if (mood == "failing") {
    std::cerr << "error: no memory is left\n";
    return 2;
  }
  for (std::size_t i = 0; i < request["tasks"].size(); ++i) {
    const json& task = request["tasks"][i];
    const bool degenerate = task.at("name").get<std::string>().starts_with("degenerate");
    json row = {{"task", i},
                {"key", task.at("key")},
                {"variations", json::array()},
                {"degenerate", degenerate},
                {"passes", degenerate ? json("zeros") : json(nullptr)}};
    for (const json& variation : request.at("variations"))
      row["variations"].push_back({{"label", variation.is_string() ? variation : variation.at("call")},
                                   {"refuses", degenerate ? json::array() : json({"zeros", "constant"})},
                                   {"passes", degenerate ? json({"zeros"}) : json::array()}});
    if (mood == "nonsense") row = {{"task", i}, {"degenerate", "perhaps"}};
    std::cout << row.dump() << "\n";
  }
}
