// corpus-rows FOLDER: the candidates of a folder of corpus/ as JSON lines {"name", "task", "answer"}.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "tests/verify/corpus.hpp"

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: corpus-rows honest|hostile\n");
    return 2;
  }
  try {
    for (const auto& candidate : trl::runtime::corpus::load(words[1])) {
      const nlohmann::json row = {
          {"name", candidate.name}, {"task", candidate.task.to_json()}, {"answer", candidate.answer}};
      fmt::print("{}\n", row.dump());
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
