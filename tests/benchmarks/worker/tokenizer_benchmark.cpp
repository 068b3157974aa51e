// Encodes texts on one thread: tokenizer_benchmark TOKENIZER.json TEXTS.json. Prints the seconds of loading,
// and after each line of standard input the seconds of encoding all texts and the number of tokens.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "base/support/json_text.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: tokenizer_benchmark TOKENIZER.json TEXTS.json\n";
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count();
  };
  auto begun = Clock::now();
  const auto tokenizer = trl::runtime::Tokenizer::load(arguments[1]);
  fmt::print("{}\n", since(begun));
  std::fflush(stdout);
  const auto texts = trl::read_json(arguments[2]).get<std::vector<std::string>>();
  for (std::string line; std::getline(std::cin, line);) {
    begun = Clock::now();
    std::size_t tokens = 0;
    for (const auto& text : texts) tokens += tokenizer.encode(text).size();
    fmt::print("{} {}\n", since(begun), tokens);
    std::fflush(stdout);
  }
}
