#pragma once
// Collects the findings of a launch.
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// Each kind of finding is listed once per position in the source.
class Findings {
 public:
  Findings(const ir::Program& program, const Options& options, Report& report)
      : program_(program), options_(options), report_(report) {}

  void begin_program(std::uint32_t x, std::uint32_t y, std::uint32_t z) { at_ = {x, y, z}; }
  /// Adds a finding to the report's list and returns it. Returns null when the finding isn't listed, since
  /// its kind and position are listed already or the list is full.
  Finding* add(Kind kind, int location, std::string message, int buffer = -1, std::int64_t offset = 0,
               std::int64_t bytes = 0);
  Source source(int location) const;
  /// Whether the launch should end because the maximum number of findings is reached (Options::max_findings).
  bool full() const { return full_; }
  bool known(Kind kind, int location) const { return seen_.contains({kind, location}); }

 private:
  const ir::Program& program_;
  const Options& options_;
  Report& report_;
  std::array<std::uint32_t, 3> at_{};
  std::set<std::pair<Kind, int>> seen_;
  bool full_ = false;
  bool fatal_ = false;  // whether there was a finding other than a memory error
};

}  // namespace trl::executor
