#pragma once
// What crosses between the verifier and trl-executor for one replay (docs/seams.md, 4). The one place that
// knows how ReplayOptions and ReplayResult are written down: a new field of theirs is added here.
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// The options but for `threads`, which is the number given, and `cancelled`, which stays with the verifier.
nlohmann::json to_json(const ReplayOptions& options, int threads);
/// The same, read back. Throws nlohmann::json::exception: the verifier's word is trusted.
ReplayOptions read_options(const nlohmann::json& options);

/// A result as it is sent: the members of its line, then the bytes of each part in turn.
struct SentResult {
  nlohmann::json head;
  std::vector<std::span<const std::byte>> parts;
};
/// Refers to the result.
SentResult send(const ReplayResult& result);

/// Reads a result as a candidate's word: it may have been made by whoever broke the executor.
class ReceivedResult {
 public:
  /// `head` is the line. Not `sound` when it is anything else than a result of this plan.
  ReceivedResult(const nlohmann::json& head, const Plan& plan);
  bool sound() const { return sound_; }
  /// Where the bytes that follow the line belong, in turn.
  std::vector<std::span<std::byte>> parts();
  /// The result, once all parts are filled; none when they hold what no result has.
  std::optional<ReplayResult> take();

 private:
  bool read(const nlohmann::json& head, const Plan& plan);

  ReplayResult result_;
  bool sound_ = false;
};

}  // namespace trl::runtime
