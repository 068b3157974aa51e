// Runs the fuzzers' targets without a fuzzer: on the repository's files and on random programs, mutated with
// fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"
#include "tests/language/random_program.hpp"

namespace trl::language {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> small_files() {
  std::vector<std::string> paths;
  for (const char* folder : {"experiments", "stdlib", "tests/language/good", "tests/language/bad"})
    for (const auto& entry : fs::directory_iterator(fs::path(TRL_SOURCE) / folder))
      if (entry.path().extension() == ".trl" && entry.file_size() < 4000)
        paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

void mutate(void (*target)(std::string_view), std::uint64_t rounds) {
  const std::vector<std::string> files = small_files();
  ASSERT_GE(files.size(), 10u);
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    std::string text = seed % 2 ? test::random_program(seed) : files[seed / 2 % files.size()];
    for (std::uint64_t step = 0; step < 1 + seed % 4; ++step)
      text = test::mutated(std::move(text), seed * 8 + step);
    target(text);
  }
}

TEST(Mutations, Parser) { mutate(fuzz::parser, 2000); }
TEST(Mutations, Checker) { mutate(fuzz::checker, 400); }
TEST(Mutations, Formatter) { mutate(fuzz::formatter, 1000); }

}  // namespace
}  // namespace trl::language
