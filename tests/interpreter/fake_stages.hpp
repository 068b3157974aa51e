// Stages of docs/seams.md, 3, made up by hashing: deterministic in spec, input files and secret, sensitive to
// each.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/schedule/worker_client.hpp"

namespace trl::interpreter::testing {

nlohmann::json fake_stage(const WorkerRequest& request, const std::string& secret);

/// In this process, without a protocol. Counts what it was asked for.
class FakeClient : public WorkerClient {
 public:
  explicit FakeClient(std::string secret) : secret_(std::move(secret)) {}
  nlohmann::json run(const WorkerRequest& request, const WorkerEvents& events) override;
  std::map<std::string, int> asked;               ///< by kind
  int crashes = 0;                                ///< so many of the next calls crash
  std::vector<std::pair<std::string, int>> ends;  ///< how the next ones do, and how far they come

 private:
  std::string secret_;
};

}  // namespace trl::interpreter::testing
