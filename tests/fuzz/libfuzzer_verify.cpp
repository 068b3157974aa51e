// libFuzzer's entry point for a target of verification. TRL_FUZZ_TARGET names the target; TRL_FUZZ_TTIR or
// TRL_FUZZ_JSON selects the mutator.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/support/json_text.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/ttir_mutator.hpp"
#include "tests/fuzz/verify_targets.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using nlohmann::json;

std::string& last() {
  static std::string text;  // another text, from which pieces are taken
  return text;
}

std::size_t put(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), size);
  return size;
}

std::string mutated(std::string_view text, std::string_view other, unsigned seed) {
#ifdef TRL_FUZZ_TTIR
  return trl::fuzz::mutated_ttir(text, other, seed);
#else
  // Changes one line of several; the others stay.
  std::size_t begin = 0;
  for (unsigned skip = seed / 7 % 4; skip > 0; --skip) {
    const std::size_t next = text.find('\n', begin);
    if (next == std::string_view::npos || next + 1 >= text.size()) break;
    begin = next + 1;
  }
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const json document = json::parse(text.substr(begin, end - begin), nullptr, false);
  const json more = json::parse(other.substr(0, other.find('\n')), nullptr, false);
  if (document.is_discarded()) return std::string(text);
  const json changed = trl::fuzz::mutated_json(document, more.is_discarded() ? document : more, seed);
  return std::string(text.substr(0, begin)) + trl::dumped(changed) + std::string(text.substr(end));
#endif
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trl::fuzz::TRL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string changed = mutated(text, last().empty() ? text : last(), seed);
  if (seed % 8 == 1) last() = text;
  if (changed == text || changed.empty()) return LLVMFuzzerMutate(data, size, max_size);
  return put(changed, data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return put(mutated({reinterpret_cast<const char*>(data1), size1},
                     {reinterpret_cast<const char*>(data2), size2}, seed),
             out, max_size);
}
