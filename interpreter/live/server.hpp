// Serves the page on which a run is watched, to browsers on this machine alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/live/state.hpp"
#include "interpreter/serve/http_server.hpp"

namespace trl::interpreter {

/// Returns the reply that refuses a request: it isn't a GET, its Host isn't a loopback name of this machine,
/// or the server has no such path. (The Host shows if a page of another site has made its own name point to
/// this machine: DNS rebinding.) Returns nothing for a request that may be answered.
std::optional<HttpReply> refusal_of(const HttpRequest& request);

/// A server on 127.0.0.1 in its own thread. It answers three paths. `/` is the page. `/events` is a stream of
/// server-sent events: first the whole state, then each second the parts that changed. `/state` is the state
/// as one object. The state is read only while a client asks for it.
class LiveServer {
 public:
  static constexpr std::uint16_t usual_port = 8009;

  /// Listens on `port`. Without `port`, listens on the usual port or, if that port is in use, on any free
  /// one. Throws UserError if `port` is in use.
  LiveServer(std::shared_ptr<LiveState> state, std::optional<std::uint16_t> port);
  /// Ends the server at once.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  std::string address() const;  ///< "http://127.0.0.1:8009/"
  /// Tells all clients how the run has ended, and stops the server once they have got this message, at the
  /// latest after two seconds.
  void end(const std::string& how);

 private:
  class Serving;
  std::unique_ptr<Serving> serving_;
};

}  // namespace trl::interpreter
