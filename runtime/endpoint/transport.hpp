// The interface through which requests are sent to a server. web_transport.cpp implements it; tests have a
// fake.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/endpoint.hpp"
#include "base/support/web_address.hpp"

namespace trl::runtime {

/// A server's reply to a request. Of the header, only the fields that callers use are kept.
struct Reply {
  int status = 0;
  std::string retry_after, location;  ///< fields of the header; empty if absent
  std::string body;
};

/// Thrown if no valid HTTP reply was received.
struct TransportError : std::runtime_error {
  enum class Kind {
    unreachable,  ///< the host doesn't exist, or accepts no connection
    untrusted,    ///< the server's certificate isn't valid
    timeout,      ///< the reply took too long
    broken,       ///< the connection ended in the middle, or the reply is no HTTP
    too_large     ///< the reply exceeds the limits
  };
  TransportError(Kind what, const std::string& message) : std::runtime_error(message), kind(what) {}
  Kind kind;
};

/// Thrown by a transport when StopRequested returned true.
struct Stopped {};

/// Sends requests one after another. Each thread needs its own Transport.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Posts a body of JSON and returns the reply, with any status. Throws TransportError or Stopped.
  virtual Reply post(const std::string& body) = 0;
};

/// Returns whether to stop at once. Called about every 50 ms, by any thread.
using StopRequested = std::function<bool()>;
using MakeTransport = std::function<std::unique_ptr<Transport>()>;

/// The limits in bytes for the body and for the header of a reply; more isn't read.
constexpr std::size_t most_reply_bytes = std::size_t{8} << 20, most_header_bytes = std::size_t{64} << 10;

/// The headers of requests, except for the headers that HTTP itself needs and the type of the body.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// Returns the headers of an endpoint's requests: the declared ones and, unless `key` is empty, the header
/// with the API key.
Headers headers_of(const contract::Endpoint& endpoint, const std::string& key);

/// Makes a transport that posts to a path of a server, by HTTP/1.1 over one persistent connection, with TLS
/// for https. The server's certificate must be valid for the host and signed by an authority that this
/// machine trusts (SSL_CERT_FILE and SSL_CERT_DIR replace the machine's list). `seconds` limits the time of
/// one request, including the connection.
std::unique_ptr<Transport> web_transport(const WebAddress& address, const std::string& path, Headers headers,
                                         double seconds, StopRequested stop);

}  // namespace trl::runtime
