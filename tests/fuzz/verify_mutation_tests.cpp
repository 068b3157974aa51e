// Runs the targets of verification without a fuzzer: on their seeds, mutated with fixed random seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/support/json_text.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/ttir_mutator.hpp"
#include "tests/fuzz/verify_targets.hpp"

namespace trl::fuzz {
namespace {

using nlohmann::json;

std::vector<std::string> seeds(const std::string& target) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TRL_SOURCE "/tests/fuzz/seeds/" + target))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

TEST(VerifyMutations, KernelText) {
  const std::vector<std::string> all = seeds("kernel_text");
  ASSERT_GE(all.size(), 50u);
  for (const std::string& text : all) kernel_text(text);
  for (std::uint32_t seed = 0; seed < 1000; ++seed)
    kernel_text(mutated_ttir(all[seed % all.size()], all[seed * 7 % all.size()], seed * 2654435761u));
}

TEST(VerifyMutations, Recording) {
  const std::vector<std::string> all = seeds("recording");
  ASSERT_GE(all.size(), 10u);
  for (const std::string& text : all) recording(text);
  for (std::uint32_t seed = 0; seed < 600; ++seed)
    recording(dumped(mutated_json(json::parse(all[seed % all.size()]),
                                  json::parse(all[seed * 7 % all.size()]), seed * 2654435761u)));
}

TEST(VerifyMutations, Answers) {
  const std::vector<std::string> all = seeds("answers");
  ASSERT_GE(all.size(), 3u);
  for (const std::string& text : all) {
    answers(text);
    for (std::size_t cut = 0; cut < text.size(); cut += 1 + text.size() / 200) answers(text.substr(cut));
  }
}

TEST(VerifyMutations, Replayed) {
  const std::string sound = replayed_seed();
  for (const std::string& text : seeds("replayed")) replayed(text);
  for (std::size_t cut = 0; cut < sound.size(); ++cut) replayed(sound.substr(0, cut));
  const std::size_t end = sound.find('\n');
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const json head = mutated_json(json::parse(sound.substr(0, end)), json::parse(sound.substr(0, end)),
                                   seed * 2654435761u);
    replayed(dumped(head) + sound.substr(end));
  }
}

}  // namespace
}  // namespace trl::fuzz
