// Times each case of a folder with cases.json and data.bin. Prints one JSON line per case, with milliseconds
// and findings.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <variant>

#include "tests/executor/case_file.hpp"
#include "tests/executor/same_run.hpp"

using namespace trl::executor;

namespace {

double milliseconds(auto work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// CPU time of all threads of this process.
double cpu_milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 3)
    return std::fprintf(stderr, "usage: executor_benchmark FOLDER [THREADS]\n"), 2;
  Options options;
  options.threads = count == 3 ? std::atoi(arguments[2]) : 1;
  const test::CaseFile file = test::CaseFile::read(arguments[1]);
  for (const auto& one : file.cases) {
    const std::string text = one["launches"][0]["ttir"];
    const Launch launch = test::launch_of(one["launches"][0]);
    std::vector<double> parsing, running, working;
    Report report;
    std::size_t hash = 0;  // of everything that a run leaves behind
    for (int repeat = 0; repeat < 15; ++repeat) {
      std::variant<Module, ParseError> parsed = ParseError{};
      parsing.push_back(milliseconds([&] { parsed = parse(text); }));
      if (!std::holds_alternative<Module>(parsed)) return std::fprintf(stderr, "a case doesn't parse\n"), 1;
      Memory memory = file.memory(one);
      const double before = cpu_milliseconds();
      running.push_back(
          milliseconds([&] { report = run(std::get<Module>(parsed), launch, memory, options); }));
      working.push_back(cpu_milliseconds() - before);
      if (repeat == 0) hash = std::hash<std::string>()(test::everything(report, memory));
    }
    nlohmann::json findings = nlohmann::json::array();
    for (const Finding& finding : report.findings) {
      findings.push_back({{"kind", std::string(name(finding.kind))}, {"line", finding.line}});
    }
    const nlohmann::json row = {{"name", one["name"]},       {"ok", report.ok},
                                {"findings", findings},      {"hash", hash},
                                {"threads", report.threads}, {"parse_ms", median(parsing)},
                                {"run_ms", median(running)}, {"cpu_ms", median(working)}};
    std::printf("%s\n", row.dump().c_str());
  }
}
