#pragma once
// The messages between the verifier and trl-executor for one replay (docs/interfaces.md, 4). Only this file
// serialises ReplayOptions and ReplayResult: a new field of these structs must be added here.
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// Serialises the options. `cancelled` is left out, since only the verifier uses it, and the function
/// `options.threads` is replaced by the number `threads`.
nlohmann::json to_json(const ReplayOptions& options, int threads);
/// Reads serialised options. Throws nlohmann::json::exception for a malformed message, which a trusted
/// verifier never sends.
ReplayOptions read_options(const nlohmann::json& options);

/// Serialises the description of an input, and reads it. The bytes of an input that isn't drawn follow apart;
/// `read_input` makes room for them.
nlohmann::json to_json(const InputData& input);
InputData read_input(const nlohmann::json& input);

/// Whether inputs aren't held (InputData::drawn); a replay then has no output values.
bool any_drawn(const std::vector<InputData>& inputs);

/// A serialised result: a line of JSON, `head`, and after it the bytes of each part.
struct SentResult {
  nlohmann::json head;
  std::vector<std::span<const std::byte>> parts;
};
/// Serialises a result. The parts refer to the memory of `result`.
SentResult send(const ReplayResult& result);

/// Reads a result as untrusted data: the executor that made it may have been taken over.
class ReceivedResult {
 public:
  /// `head` is the line of JSON. If it isn't a valid result of this plan, `sound` returns false. `output`
  /// says whether the result has the output's values.
  ReceivedResult(const nlohmann::json& head, const Plan& plan, bool output = true);
  bool sound() const { return sound_; }
  /// Returns the memory blocks into which the caller must read the bytes after the line, in order.
  std::vector<std::span<std::byte>> parts();
  /// Returns the result after all parts have been read; nothing if they hold invalid values.
  std::optional<ReplayResult> take();

 private:
  bool read(const nlohmann::json& head, const Plan& plan, bool output);
  bool sound_sample() const;

  std::vector<std::int64_t> bytes_of_buffers_;
  std::int64_t steps_ = 0;
  ReplayResult result_;
  bool sound_ = false;
};

}  // namespace trl::runtime
