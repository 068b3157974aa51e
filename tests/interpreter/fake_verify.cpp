// A stand-in for trl-verify that assesses tasks: those whose names begin with `degenerate` are degenerate.
// Each start adds a line to $FAKE_VERIFY_LOG. If $FAKE_VERIFY_MOOD is `silent`, `nonsense` or `failing`, it
// misbehaves so.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

int main() {
  using nlohmann::json;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const json request = json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {})).at("assess");
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
