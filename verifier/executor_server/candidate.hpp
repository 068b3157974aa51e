#pragma once
// Parses and executes one candidate's kernels on request.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/support/byte_channel.hpp"
#include "verifier/executor/executor.hpp"

namespace trl::runtime {

/// Serves one candidate: reads requests (docs/interfaces.md, 4) from the channel and answers them, until the
/// channel is closed.
class Candidate {
 public:
  /// A function that is called before kernels are parsed and before a plan is replayed. Tests use it to
  /// inject faults.
  using Watch = std::function<void(const nlohmann::json& request, const std::vector<std::string>& kernels,
                                   ByteChannel&)>;

  explicit Candidate(ByteChannel channel, Watch watch = {})
      : channel_(std::move(channel)), watch_(std::move(watch)) {}
  void serve();

 private:
  nlohmann::json parse(const nlohmann::json& request);
  bool replay(const nlohmann::json& request);
  int threads_now();

  ByteChannel channel_;
  Watch watch_;
  std::vector<std::string> texts_;
  std::vector<executor::Module> modules_;
  int threads_ = 1;
};

}  // namespace trl::runtime
