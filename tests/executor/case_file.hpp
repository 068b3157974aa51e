#pragma once
// Reads the files that make_cases.py writes: launches of real TTIR with inputs, expected values and expected
// memory errors.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verifier/executor/executor.hpp"

namespace trl::executor::test {

struct CaseFile {
  nlohmann::json cases;
  std::vector<std::byte> data;

  /// Reads cases.json and data.bin of a folder; empty when there are none.
  static CaseFile read(const std::string& folder);
  std::span<const std::byte> bytes(const nlohmann::json& place) const;
  Memory memory(const nlohmann::json& one) const;
};

Launch launch_of(const nlohmann::json& one);

/// The elements of a buffer as numbers.
std::vector<double> numbers(const Buffer& buffer, const std::string& dtype);
std::vector<std::int64_t> integers(const Buffer& buffer, const std::string& dtype);

/// The cases in the folder $TRL_EXECUTOR_CASES.
const CaseFile& cases();

}  // namespace trl::executor::test
