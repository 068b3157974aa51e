// The server of the Language Server Protocol, version 3.18, for .trl files.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "language/server/session.hpp"

namespace trl::language_server {

/// The server of one client. It starts no threads: its caller passes messages to it and calls `settle` when
/// there is time to check programs.
class Server {
 public:
  using Send = std::function<void(const nlohmann::json& message)>;

  Server(World world, std::string version, Send send);

  /// Parses a message and answers it. Text that isn't JSON is answered by the protocol's error.
  void receive_text(std::string_view text);
  /// Answers a parsed message: a request, a notification or an element of a batch.
  void receive(const nlohmann::json& message);
  /// Answers a request that was cancelled before its turn.
  void cancel(const nlohmann::json& id);
  /// Checks the programs that have changed since the last call, and publishes their diagnostics. If there are
  /// none, answers one slow question of a rule instead; the findings that depend on slow questions are
  /// published when all of them are answered. The caller calls it while no message waits and
  /// `wants_to_settle` is true.
  void settle();
  bool wants_to_settle() const { return !changed_.empty() || session_.anything_waits(); }

  bool exited() const { return exited_; }
  /// The exit status of the process: 0 if the client sent `shutdown` before `exit`, otherwise 1.
  int status() const { return shut_down_ ? 0 : 1; }

 private:
  nlohmann::json answer(const std::string& method, const nlohmann::json& params);
  void notified(const std::string& method, const nlohmann::json& params);
  nlohmann::json initialize(const nlohmann::json& params);
  void fail(const nlohmann::json& id, int code, const std::string& message);
  /// Marks every open program to be checked again, since it may import a changed file.
  void all_changed();

  Session session_;
  std::string version_;
  Send send_;
  bool initialized_ = false, shut_down_ = false, exited_ = false;
  std::set<std::string> changed_;  ///< the addresses of documents that are to be checked
  std::set<std::string>
      published_;  ///< the addresses of files that aren't open and have published diagnostics
  std::map<std::string, nlohmann::json> shown_;  ///< the diagnostics that were published last, by address
};

}  // namespace trl::language_server
