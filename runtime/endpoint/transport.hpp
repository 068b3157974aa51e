// How requests come to a server, as an interface: web_transport.cpp has the real one, tests a fake.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/support/web_address.hpp"

namespace trl::runtime {

/// A server's reply to a request. Only the fields of its header that the caller uses are kept.
struct Reply {
  int status = 0;
  std::string retry_after, location;  ///< as the header has them; empty: not there
  std::string body;
};

/// No reply came, or none that is one.
struct TransportError : std::runtime_error {
  enum class Kind {
    unreachable,  ///< no such host, or nobody accepts a connection there
    untrusted,    ///< the server's certificate doesn't hold
    timeout,      ///< the reply wasn't there in time
    broken,       ///< the connection ended in the middle, or the reply is no HTTP
    too_large     ///< the reply exceeds the limits
  };
  TransportError(Kind what, const std::string& message) : std::runtime_error(message), kind(what) {}
  Kind kind;
};

/// Thrown by a transport when it was told to stop.
struct Stopped {};

/// Sends requests one after another. Each thread has its own.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Posts a body of JSON and returns the reply, with any status. Throws TransportError or Stopped.
  virtual Reply post(const std::string& body) = 0;
};

/// Whether to give up at once; asked every 50 ms or so, from any thread.
using StopRequested = std::function<bool()>;
using MakeTransport = std::function<std::unique_ptr<Transport>()>;

/// The largest reply that is read, and the largest header of one.
constexpr std::size_t most_reply_bytes = std::size_t{8} << 20, most_header_bytes = std::size_t{64} << 10;

/// Posts to a path of a server, by HTTP/1.1 over one connection that is kept, with TLS for https: the
/// certificate must be one for the host and of an authority that this machine trusts (SSL_CERT_FILE and
/// SSL_CERT_DIR name others). `key` is sent as `Authorization: Bearer`; empty: none is. `seconds` is the
/// limit of one request, with its connection.
std::unique_ptr<Transport> web_transport(const WebAddress& address, const std::string& path,
                                         const std::string& key, double seconds, StopRequested stop);

}  // namespace trl::runtime
