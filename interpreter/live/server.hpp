// Serves the page on which a run is watched, to browsers on this machine alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/live/state.hpp"
#include "interpreter/serve/http_server.hpp"

namespace trl::interpreter {

/// Why a request isn't answered: it isn't a GET, or its Host is no name of this machine's own, as when a page
/// of another site had its name point here (DNS rebinding). Nothing if it is answered.
std::optional<HttpReply> refusal_of(const HttpRequest& request);

/// A server on 127.0.0.1 in a thread of its own. It answers `/`, the page; `/events`, the state as
/// server-sent events, first whole and then each second the parts that changed; and `/state`, the state as
/// one object. The state is read only while somebody asks for it.
class LiveServer {
 public:
  static constexpr std::uint16_t usual_port = 8009;

  /// Listens on `port`; without one on the usual port or, if that is taken, on any that is free. Throws
  /// UserError if the port is taken.
  LiveServer(std::shared_ptr<LiveState> state, std::optional<std::uint16_t> port);
  /// Ends the server at once.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  std::string address() const;  ///< "http://127.0.0.1:8009/"
  /// Tells all who watch how the run has ended, and ends the server once they know, or after two seconds.
  void end(const std::string& how);

 private:
  class Serving;
  std::unique_ptr<Serving> serving_;
};

}  // namespace trl::interpreter
