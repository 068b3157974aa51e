#include "tests/kernel_check/checker.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/support/json_text.hpp"

namespace trl::test {
namespace {

/// A path from the environment, or else from the build: in a package, the environment names both.
std::string place(const char* variable, const char* built) {
  const char* said = std::getenv(variable);
  return said ? said : built;
}

}  // namespace

Checker::Checker() : process_({place("TRL_KERNEL_CHECK", TRL_KERNEL_CHECK), "--serve"}) {}

nlohmann::json Checker::ask(const std::string& line) {
  if (!process_.write_line(line)) throw std::runtime_error("trl-kernel-check is gone");
  const auto answer = process_.read_line(std::chrono::seconds(60));
  if (!answer) throw std::runtime_error("no answer");
  return nlohmann::json::parse(*answer);
}

nlohmann::json Checker::check(const std::string& source, const nlohmann::json& more) {
  nlohmann::json request = {{"id", 1}, {"language", "cuda"}, {"source", source}};
  request.update(more);
  return ask(dumped(request));
}

std::vector<File> files(const std::string& folder) {
  std::vector<File> all;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(place("TRL_KERNEL_CHECK_TESTS", TRL_KERNEL_CHECK_TESTS)) / folder)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    all.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  std::sort(all.begin(), all.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return all;
}

std::string shown(const nlohmann::json& answer) {
  std::string all;
  for (const auto& one : answer.at("findings"))
    all += one.at("severity").get<std::string>() + " " + one.at("check").get<std::string>() + " in line " +
           std::to_string(one.at("line").get<int>()) + ": " + one.at("message").get<std::string>() + "\n";
  return all;
}

}  // namespace trl::test
