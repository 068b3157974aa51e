// Random mutations of the good and the bad files: every request is answered, and nothing crashes.
//
//   kernel_check_tests --gtest_filter='Fuzz.*'                              400 with fixed seeds
//   TRL_FUZZ_SECONDS=3600 kernel_check_tests --gtest_filter='Fuzz.*'        an hour, from the time as seed
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <regex>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {
    for (const char* folder : {"good", "bad"})
      for (const File& file : files(folder)) texts_.push_back(file.text);
  }

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t step = 0, steps = 1 + below(6); step < steps && !text.empty(); ++step) damage(text);
    return text.substr(0, 20000);
  }

 private:
  std::size_t below(std::size_t limit) { return limit ? random_() % limit : 0; }

  void damage(std::string& text) {
    static const char* const pieces[] = {"{",
                                         "}",
                                         "(",
                                         ")",
                                         ";",
                                         "<<<",
                                         ">>>",
                                         "__shared__ ",
                                         "__global__ ",
                                         "__device__ ",
                                         "template <class T> ",
                                         "__syncthreads();",
                                         "threadIdx.x",
                                         "if (",
                                         "return;",
                                         "auto ",
                                         "const ",
                                         "&",
                                         "*",
                                         "0",
                                         "-1",
                                         "4294967296",
                                         "1e400",
                                         "dim3(",
                                         "torch::",
                                         "x.data_ptr<float>()",
                                         "decltype(",
                                         "[&]",
                                         "...",
                                         "constexpr ",
                                         "static ",
                                         "extern ",
                                         "asm(\"",
                                         "\"",
                                         "'",
                                         "#define ",
                                         "\n#include <",
                                         ("?"
                                          "?/"),
                                         "\\\n",
                                         "/*",
                                         "*/",
                                         "operator",
                                         "::",
                                         "nullptr",
                                         "struct ",
                                         "using ",
                                         "goto a; a:",
                                         "switch (",
                                         "case 0:",
                                         "%",
                                         "/ 0",
                                         "<< 99",
                                         "sizeof",
                                         "[",
                                         "]",
                                         "concept ",
                                         "__attribute__((",
                                         "typename ",
                                         "this",
                                         "co_await "};
    const std::size_t at = below(text.size()), length = 1 + below(40);
    switch (below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces[below(std::size(pieces))]);
        break;
      case 2:
        text[at] = static_cast<char>(below(256));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 4:
        text.replace(at, length, pieces[below(std::size(pieces))]);
        break;
      case 5: {  // inserts a piece of another file
        const std::string& other = texts_[below(texts_.size())];
        text.insert(at, other.substr(below(other.size()), 10 * length));
        break;
      }
      default: {  // exchanges two words
        const std::size_t to = below(text.size());
        std::swap(text[at], text[to]);
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> texts_;
};

TEST(Fuzz, DamagedCandidatesAreAnswered) {
  const char* asked = std::getenv("TRL_FUZZ_SECONDS");
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = std::chrono::seconds(asked ? std::atoi(asked) : 0);
  Mutator mutator(asked ? static_cast<std::uint64_t>(begin.time_since_epoch().count()) : 1);
  Checker checker;
  int tried = 0, refused = 0, emitted = 0, crashed = 0, slow = 0;
  while (asked ? std::chrono::steady_clock::now() - begin < seconds : tried < 400) {
    const std::string source = mutator.next();
    // Every other source is also compiled to an object, if it has a function that Python may call.
    nlohmann::json more = nlohmann::json::object();
    static const std::regex function(R"(Tensor\s+([A-Za-z_]\w*)\s*\()");
    if (std::smatch found; tried % 2 == 1 && std::regex_search(source, found, function))
      more = {{"emit", true}, {"functions", {found[1].str()}}};
    const auto answer = checker.check(source, more);
    ++tried;
    emitted += answer.contains("object");
    ASSERT_TRUE(answer.contains("ok")) << answer.dump().substr(0, 500) << "\n" << source;
    refused += !answer.at("ok").get<bool>();
    for (const auto& one : answer.at("findings")) {
      slow += one.at("check") == "too_slow";
      if (one.at("check") != "crashed") continue;
      const std::string file = "crash_" + std::to_string(++crashed) + ".cu";
      std::ofstream(file, std::ios::binary) << source;
      ADD_FAILURE() << one.at("message") << "; the source is in " << file;
    }
  }
  std::printf("%d damaged candidates: %d refused, %d made into code, %d too slow, %d crashed\n", tried,
              refused, emitted, slow, crashed);
  EXPECT_GT(refused, tried / 4);
}

}  // namespace
}  // namespace trl::test
