// An HTTP/1.1 server of one thread, with limits on everything that a client can make it hold.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trl::interpreter {

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free
  std::size_t most_connections = 2048;
  std::size_t most_body = std::size_t{16} << 20;    ///< bytes of a request's body
  std::size_t most_header = std::size_t{16} << 10;  ///< bytes of a request's header
  std::chrono::seconds header_time{10};             ///< from a request's first byte to the end of its header
  std::chrono::seconds body_time{30};               ///< to the end of its body
  std::chrono::seconds idle_time{120};              ///< between two requests of a connection
  std::chrono::seconds write_time{30};              ///< for a client to take sent data
  /// The most bytes of a streamed reply that wait for a client to take them.
  std::size_t most_unread = std::size_t{64} << 20;
  std::function<void(const std::string&)> failed;  ///< called with the message of an unexpected error
  std::filesystem::path certificate, key;          ///< files in PEM for TLS; empty: no TLS
};

/// A request, whose body is complete.
struct HttpRequest {
  std::string method;
  std::string path;                                          ///< without the query, still with its escapes
  std::string query;                                         ///< behind the `?`
  std::string authorization, idempotency_key, content_type;  ///< fields of the header; empty if absent
  std::string host;                                          ///< the field Host, with the port if it has one
  std::string address;                                       ///< the client's IP address
  std::string body;
};

struct HttpReply {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The reply to one request. Either `reply`, or `begin`, any number of `send` and `end`, must be called, by
/// the server's thread. Once the client has gone, calls have no effect.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void reply(HttpReply reply) = 0;
  /// Begins a reply of unknown length, whose pieces follow.
  virtual void begin(HttpReply head) = 0;
  virtual void send(std::string piece) = 0;
  virtual void end() = 0;
  /// Sets the function that is called if the client goes away before the reply is complete.
  virtual void when_gone(std::function<void()> gone) = 0;
};

/// The server. Except for `post`, its functions are called by the thread that calls `run`.
class HttpServer {
 public:
  /// Called for each request.
  using Handler = std::function<void(HttpRequest, std::shared_ptr<Exchange>)>;
  /// Called with a request that has no body yet; a reply refuses the request without reading the body.
  using Screen = std::function<std::optional<HttpReply>(const HttpRequest&)>;
  /// The body of the server's own errors: a status, a code and a message.
  using ErrorBody =
      std::function<std::string(int status, const std::string& code, const std::string& message)>;

  /// Listens. Throws UserError if it can't.
  HttpServer(const HttpOptions& options, Handler handler, Screen screen, ErrorBody error_body);
  ~HttpServer();

  std::uint16_t port() const;
  /// Serves until `stop`.
  void run();
  void stop();
  /// Makes the server's thread call a function. Any thread may call this.
  void post(std::function<void()> call);
  /// Calls a function after some time, unless the server stops before.
  void after(std::chrono::milliseconds time, std::function<void()> call);
  /// Calls a function once the descriptor can be read. The descriptor stays the caller's.
  void when_readable(int descriptor, std::function<void()> call);
  /// From now on, connections are closed behind the reply to their request, and idle ones at once.
  void close_connections();
  /// The number of connections, and of requests that aren't replied to completely.
  std::size_t connections() const;
  std::size_t requests() const;

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace trl::interpreter
