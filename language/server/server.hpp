// The Language Server Protocol, version 3.18, for .trl files: messages in, messages out.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "language/server/session.hpp"

namespace trl::language_server {

/// One client's server. It starts no threads: the caller gives it messages and says when there is time to
/// check.
class Server {
 public:
  using Send = std::function<void(const nlohmann::json& message)>;

  Server(World world, std::string version, Send send);

  /// Answers a message that isn't parsed yet; text that isn't JSON is answered by the protocol's error.
  void receive_text(std::string_view text);
  /// Answers a message, an element of a batch or a notification.
  void receive(const nlohmann::json& message);
  /// Answers a request that was cancelled before its turn.
  void cancel(const nlohmann::json& id);
  /// Checks the programs that have changed since the last time and publishes their diagnostics. Called when
  /// no message waits.
  void settle();
  bool wants_to_settle() const { return !changed_.empty(); }

  bool exited() const { return exited_; }
  /// 0 if the client asked for the end before it left, 1 otherwise.
  int status() const { return shut_down_ ? 0 : 1; }

 private:
  nlohmann::json answer(const std::string& method, const nlohmann::json& params);
  void notified(const std::string& method, const nlohmann::json& params);
  nlohmann::json initialize(const nlohmann::json& params);
  void fail(const nlohmann::json& id, int code, const std::string& message);
  /// Every open program is checked again when there is time: it may import a changed file.
  void all_changed();

  Session session_;
  std::string version_;
  Send send_;
  bool initialized_ = false, shut_down_ = false, exited_ = false;
  std::set<std::string> changed_;    ///< addresses of documents that are to be checked
  std::set<std::string> published_;  ///< addresses of files that are not open and have diagnostics
  std::map<std::string, nlohmann::json> shown_;  ///< the diagnostics that were published last, by address
};

}  // namespace trl::language_server
