#pragma once
// The messages between the verifier and trl-executor for one replay (docs/interfaces.md, 4). Only this file
// knows how ReplayOptions and ReplayResult are serialised: a new field of theirs is added here.
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// Serialises the options except `cancelled`, which stays with the verifier; `threads` is replaced by the
/// number given.
nlohmann::json to_json(const ReplayOptions& options, int threads);
/// Reads them back. Throws nlohmann::json::exception for a malformed message, since the verifier is trusted.
ReplayOptions read_options(const nlohmann::json& options);

/// A result in the form in which it is sent: the members of its line, then the bytes of each part in turn.
struct SentResult {
  nlohmann::json head;
  std::vector<std::span<const std::byte>> parts;
};
/// Keeps references into the result.
SentResult send(const ReplayResult& result);

/// Reads a result as untrusted data: the executor that made it may have been taken over.
class ReceivedResult {
 public:
  /// `head` is the line. The object is not `sound` when the line is anything other than a result of this
  /// plan.
  ReceivedResult(const nlohmann::json& head, const Plan& plan);
  bool sound() const { return sound_; }
  /// The memory into which the bytes that follow the line are to be read, in turn.
  std::vector<std::span<std::byte>> parts();
  /// Returns the result once all parts are filled; none when they hold values that no result has.
  std::optional<ReplayResult> take();

 private:
  bool read(const nlohmann::json& head, const Plan& plan);

  ReplayResult result_;
  bool sound_ = false;
};

}  // namespace trl::runtime
