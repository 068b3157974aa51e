// corpus-rows FOLDER prints the candidates of a folder of corpus/ as JSON lines {"name", "family", "task",
// "answer"}, with the other answer that follows `#; twin`, if any, and with the expectations of their
// templates where there are any, {"of", "expect": {"when", "reasons"}}.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "tests/verifier/corpus.hpp"

using trl::runtime::corpus::Expectation;

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: corpus-rows honest|hostile|cuda_right|cuda_wrong|cuda_hostile\n");
    return 2;
  }
  try {
    for (const auto& candidate : trl::runtime::corpus::load(words[1])) {
      if (candidate.protocol == "epilogue") continue;  // benchmarks judge as an exam does
      nlohmann::json row = {{"name", candidate.name},
                            {"family", candidate.family},
                            {"task", candidate.task.to_json()},
                            {"answer", candidate.answer}};
      if (!candidate.twin.empty()) row["twin"] = candidate.twin;
      if (const auto& expect = candidate.expect; expect.when != Expectation::When::unstated) {
        static constexpr const char* whens[] = {"", "static", "compile", "form", "values"};
        row["expect"] = {{"when", whens[static_cast<int>(expect.when)]}, {"reasons", expect.reasons}};
        row["of"] = candidate.of;
      }
      fmt::print("{}\n", row.dump());
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
