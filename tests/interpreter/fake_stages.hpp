// Fake stages of docs/interfaces.md, section 3. Their results are hashes that depend only on spec, input
// files and secret, and change with each of them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/schedule/worker_client.hpp"

namespace trl::interpreter::testing {

nlohmann::json fake_stage(const WorkerRequest& request, const std::string& secret);

/// Runs fake stages in this process, without a protocol, and counts the requests.
class FakeClient : public WorkerClient {
 public:
  explicit FakeClient(std::string secret) : secret_(std::move(secret)) {}
  StageDone run(const WorkerRequest& request, const WorkerEvents& events) override;
  std::map<std::string, int> asked;         ///< the number of requests, by kind
  std::optional<contract::MadeOn> made_on;  ///< what it says of every stage
  /// Called with each request before the stage is carried out. It can report a worker's events, or throw as a
  /// crashed worker does.
  std::function<void(const WorkerRequest&, const WorkerEvents&)> before;
  int crashes = 0;  ///< the number of next calls that crash
  std::vector<std::pair<std::string, int>>
      ends;  ///< the causes of the next crashes, and how far the stages come

 private:
  std::string secret_;
};

}  // namespace trl::interpreter::testing
