#include "interpreter/serve/http_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <deque>
#include <set>
#include <type_traits>

#include "base/support/error.hpp"

namespace trl::interpreter {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;
using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;

/// The state that all connections share. The server also closes the connections by it.
struct Shared {
  const HttpOptions options;
  const HttpServer::Handler handler;
  const HttpServer::Screen screen;
  const HttpServer::ErrorBody error_body;
  std::set<class Connection*> connections = {};
  std::size_t requests = 0;
  bool closing = false;
};

/// Programs that this process starts don't inherit the socket.
void keep_from_children(int socket) { ::fcntl(socket, F_SETFD, FD_CLOEXEC); }

class Connection {
 public:
  virtual ~Connection() = default;
  virtual void close_if_idle() = 0;
};

/// A connection on a stream. It lives as long as one of its operations is pending, or its request hasn't been
/// answered completely.
template <class Stream>
class Session : public Connection, public Exchange, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <class... Arguments>
  explicit Session(Shared& shared, Arguments&&... arguments)
      : shared_(shared),
        stream_(std::forward<Arguments>(arguments)...),
        buffer_(shared.options.most_header + 65536) {
    shared_.connections.insert(this);
    keep_from_children(socket().native_handle());
    Error none;
    const auto end = socket().remote_endpoint(none);
    if (!none) address_ = end.address().to_string();
  }
  ~Session() override {
    ended_reply();
    shared_.connections.erase(this);
  }

  void start() {
    if constexpr (std::is_same_v<Stream, Secure>) {
      lowest().expires_after(shared_.options.header_time);
      stream_.async_handshake(asio::ssl::stream_base::server, [self = self()](const Error& error) {
        if (!error) self->wait_for_request();
      });
    } else {
      wait_for_request();
    }
  }

  void close_if_idle() override {
    if (idle_) lowest().cancel();
  }

  // Exchange

  void reply(HttpReply reply) override {
    if (gone_ || replied_) return;
    replied_ = true;
    response_.emplace();
    fill(*response_, reply);
    response_->body() = std::move(reply.body);
    response_->prepare_payload();
    lowest().expires_after(shared_.options.write_time);
    http::async_write(stream_, *response_, [self = self()](const Error& error, std::size_t) {
      self->ended_reply();
      self->go_on(error);
    });
  }

  void begin(HttpReply head) override {
    if (gone_ || replied_) return;
    replied_ = streaming_ = true;
    head_.emplace();
    fill(*head_, head);
    head_->chunked(true);
    serializer_.emplace(*head_);
    writing_ = true;
    lowest().expires_after(shared_.options.write_time);
    http::async_write_header(stream_, *serializer_,
                             [self = self()](const Error& error, std::size_t) { self->wrote(error); });
  }

  void send(std::string piece) override {
    if (gone_ || !streaming_ || piece.empty()) return;
    unread_ += piece.size();
    if (unread_ > shared_.options.most_unread) {
      lose();
      return;
    }
    pieces_.push_back(std::move(piece));
    write_next();
  }

  void end() override {
    if (gone_ || !streaming_) return;
    last_ = true;
    write_next();
  }

  void when_gone(std::function<void()> gone) override { when_gone_ = std::move(gone); }

 private:
  std::shared_ptr<Session> self() { return this->shared_from_this(); }
  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }
  Tcp::socket& socket() { return lowest().socket(); }

  template <class Message>
  void fill(Message& message, const HttpReply& reply) {
    message.version(11);
    message.result(static_cast<unsigned>(reply.status));
    message.set(http::field::server, "trl");
    message.set(http::field::content_type, reply.content_type);
    for (const auto& [name, value] : reply.headers) message.set(name, value);
    keep_alive_ = keep_alive_ && !shared_.closing;
    message.keep_alive(keep_alive_);
  }

  /// Waits for the first byte of the next request, for as long as a connection may be idle.
  void wait_for_request() {
    replied_ = streaming_ = last_ = false;
    parser_.reset();
    if (buffer_.size() > 0) {
      read_header();
      return;
    }
    if (shared_.closing && served_) {
      finish();
      return;
    }
    idle_ = true;
    // A connection that hasn't served a request yet gets the time for a header; later, the time for an idle
    // connection.
    lowest().expires_after(served_ ? shared_.options.idle_time : shared_.options.header_time);
    stream_.async_read_some(buffer_.prepare(4096), [self = self()](const Error& error, std::size_t bytes) {
      self->idle_ = false;
      if (error) {
        self->finish();
        return;
      }
      self->buffer_.commit(bytes);
      self->read_header();
    });
  }

  void read_header() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.options.most_header));
    parser_->body_limit(shared_.options.most_body);
    lowest().expires_after(shared_.options.header_time);
    http::async_read_header(stream_, buffer_, *parser_, [self = self()](const Error& error, std::size_t) {
      if (error) {
        self->refuse_for(error);
        return;
      }
      self->take_header();
    });
  }

  void take_header() {
    const auto& message = parser_->get();
    keep_alive_ = message.keep_alive();
    request_ = {};
    request_.method = std::string(message.method_string());
    const std::string target(message.target());
    const auto query = target.find('?');
    request_.path = target.substr(0, query);
    if (query != std::string::npos) request_.query = target.substr(query + 1);
    request_.authorization = std::string(message[http::field::authorization]);
    request_.idempotency_key = std::string(message["Idempotency-Key"]);
    request_.content_type = std::string(message[http::field::content_type]);
    request_.host = std::string(message[http::field::host]);
    request_.address = address_;
    // Refused, since another server on the way could take the following bytes for a body, while this server
    // takes them for the next request.
    const auto coding = message[http::field::transfer_encoding];
    if (!coding.empty() && !beast::iequals(coding, "chunked")) {
      keep_alive_ = false;
      begin_reply();
      HttpReply refusal;
      refusal.status = 400;
      refusal.body =
          shared_.error_body(400, "bad_request", "of Transfer-Encoding only `chunked` is understood");
      reply(std::move(refusal));
      return;
    }
    if (auto refusal = shared_.screen(request_)) {
      // The request's body isn't read, so its bytes could be taken for the next request. The connection is
      // closed unless there is no body.
      keep_alive_ = keep_alive_ && parser_->is_done();
      begin_reply();
      reply(std::move(*refusal));
      return;
    }
    lowest().expires_after(shared_.options.body_time);
    if (beast::iequals(message[http::field::expect], "100-continue")) {
      go_ahead_.emplace(http::status::continue_, 11);
      http::async_write(stream_, *go_ahead_, [self = self()](const Error& error, std::size_t) {
        if (!error) self->read_body();
      });
      return;
    }
    read_body();
  }

  void read_body() {
    http::async_read(stream_, buffer_, *parser_, [self = self()](const Error& error, std::size_t) {
      if (error) {
        self->refuse_for(error);
        return;
      }
      self->request_.body = std::move(self->parser_->get().body());
      self->begin_reply();
      self->watch_for_end();
      self->shared_.handler(std::move(self->request_), self);
    });
  }

  void begin_reply() {
    replying_ = true;
    ++shared_.requests;
    lowest().expires_never();
  }

  void ended_reply() {
    if (!replying_) return;
    replying_ = false;
    served_ = true;
    --shared_.requests;
    when_gone_ = nullptr;
  }

  /// Notices if the client closes the connection while its request is carried out.
  void watch_for_end() {
    socket().async_wait(Tcp::socket::wait_read, [self = self()](const Error& error) {
      if (error || !self->replying_ || (self->replied_ && !self->streaming_)) return;
      char byte = 0;
      const auto got = ::recv(self->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) self->lose();
    });
  }

  /// Closes the connection in the middle of a request, and calls the function of `when_gone`.
  void lose() {
    if (gone_) return;
    gone_ = true;
    const auto tell = std::move(when_gone_);
    ended_reply();
    Error none;
    socket().close(none);
    if (tell) tell();
  }

  /// Replies to a request that can't be read, and closes the connection.
  void refuse_for(const Error& error) {
    HttpReply reply;
    const auto as = [&](int status, const char* code, const std::string& message) {
      reply.status = status;
      reply.body = shared_.error_body(status, code, message);
    };
    if (error == http::error::body_limit)
      as(413, "too_large", fmt::format("the body is larger than {} bytes", shared_.options.most_body));
    else if (error == http::error::header_limit || error == http::error::buffer_overflow)
      as(431, "too_large", fmt::format("the header is larger than {} bytes", shared_.options.most_header));
    else if (error == beast::error::timeout || error == http::error::end_of_stream ||
             error == http::error::partial_message || error == asio::error::eof ||
             error.category() != http::make_error_code(http::error::bad_version).category()) {
      finish();  // the client was too slow, or has gone
      return;
    } else {
      as(400, "bad_request", "this is no request of HTTP/1.1: " + error.message());
    }
    keep_alive_ = false;
    begin_reply();
    this->reply(std::move(reply));
  }

  void write_next() {
    if (writing_ || gone_) return;
    if (pieces_.empty()) {
      if (!last_) return;
      last_ = false;
      writing_ = true;
      ending_ = true;
      lowest().expires_after(shared_.options.write_time);
      asio::async_write(stream_, http::make_chunk_last(),
                        [self = self()](const Error& error, std::size_t) { self->wrote(error); });
      return;
    }
    piece_ = std::move(pieces_.front());
    pieces_.pop_front();
    writing_ = true;
    lowest().expires_after(shared_.options.write_time);
    asio::async_write(stream_, http::make_chunk(asio::buffer(piece_)),
                      [self = self()](const Error& error, std::size_t) { self->wrote(error); });
  }

  void wrote(const Error& error) {
    writing_ = false;
    unread_ -= piece_.size();
    piece_.clear();
    if (error) {
      lose();
      return;
    }
    if (std::exchange(ending_, false)) {
      ended_reply();
      go_on({});
      return;
    }
    lowest().expires_never();
    write_next();
  }

  void go_on(const Error& error) {
    if (error || gone_) return;
    if (keep_alive_)
      wait_for_request();
    else
      finish();
  }

  void finish() {
    Error none;
    socket().shutdown(Tcp::socket::shutdown_send, none);
    // The rest of the request is read and dropped for a short time: if the connection were closed at once, a
    // client that is still sending could lose the reply.
    lowest().expires_after(std::chrono::seconds(2));
    drain();
  }

  void drain() {
    if (drained_ > 4 * shared_.options.most_body) return;
    buffer_.clear();
    lowest().async_read_some(buffer_.prepare(65536), [self = self()](const Error& error, std::size_t bytes) {
      self->drained_ += bytes;
      if (!error) self->drain();
    });
  }

  Shared& shared_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response<http::empty_body>> head_, go_ahead_;
  std::optional<http::response_serializer<http::empty_body>> serializer_;
  HttpRequest request_;
  std::string address_;
  std::deque<std::string> pieces_;  // of a streamed reply, not yet written
  std::string piece_;               // the piece that is being written
  std::size_t unread_ = 0, drained_ = 0;
  std::function<void()> when_gone_;
  bool keep_alive_ = true, idle_ = false, served_ = false;
  bool replying_ = false, replied_ = false, streaming_ = false, last_ = false, writing_ = false,
       ending_ = false;
  bool gone_ = false;
};

}  // namespace

class HttpServer::Listener {
 public:
  Listener(const HttpOptions& options, Handler handler, Screen screen, ErrorBody error_body)
      : shared{options, std::move(handler), std::move(screen), std::move(error_body)}, acceptor(context) {
    if (!options.certificate.empty()) {
      tls.emplace(asio::ssl::context::tls_server);
      SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
      Error error;
      tls->use_certificate_chain_file(options.certificate.string(), error);
      if (error)
        throw UserError(options.certificate.string() +
                        " has no certificates that can be read: " + error.message());
      tls->use_private_key_file(options.key.string(), asio::ssl::context::pem, error);
      if (error)
        throw UserError(options.key.string() + " has no private key that can be read: " + error.message());
    }
    Error error;
    const auto address =
        asio::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
    if (error)
      throw UserError("--host " + options.host + " is no IP address",
                      "Write 127.0.0.1, 0.0.0.0 or ::1, for instance.");
    const Tcp::endpoint end(address, options.port);
    acceptor.open(end.protocol(), error);
    if (!error) keep_from_children(acceptor.native_handle());
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(end, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw UserError(
          fmt::format("{} port {} can't be listened on: {}", options.host, options.port, error.message()),
          "Name another port by --port; 0 takes any that is free.");
  }

  void accept() {
    acceptor.async_accept([this](const Error& error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // for instance too many open files: later there may be fewer
        after(std::chrono::milliseconds(100), [this] { accept(); });
        return;
      }
      Error none;
      socket.set_option(Tcp::no_delay(true), none);
      // A connection beyond the limit is closed at once.
      if (shared.connections.size() < shared.options.most_connections) {
        if (tls)
          std::make_shared<Session<Secure>>(shared, std::move(socket), *tls)->start();
        else
          std::make_shared<Session<Plain>>(shared, std::move(socket))->start();
      }
      accept();
    });
  }

  void after(std::chrono::milliseconds time, std::function<void()> call) {
    const auto timer = std::make_shared<asio::steady_timer>(context, time);
    timer->async_wait([timer, call = std::move(call)](const Error& error) {
      if (!error) call();
    });
  }

  Shared shared;
  std::optional<asio::ssl::context> tls;
  asio::io_context context{1};  // connections end with it, and use the members above
  Tcp::acceptor acceptor;
};

HttpServer::HttpServer(const HttpOptions& options, Handler handler, Screen screen, ErrorBody error_body)
    : listener_(std::make_unique<Listener>(options, std::move(handler), std::move(screen),
                                           std::move(error_body))) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return listener_->acceptor.local_endpoint().port(); }

void HttpServer::run() {
  const auto work = asio::make_work_guard(listener_->context);
  listener_->accept();
  while (true) {
    try {
      listener_->context.run();
      return;
    } catch (const std::exception& error) {
      // If a request fails, for instance because memory is short, only its connection ends.
      if (listener_->shared.options.failed) listener_->shared.options.failed(error.what());
    }
  }
}

void HttpServer::stop() { listener_->context.stop(); }

void HttpServer::post(std::function<void()> call) { asio::post(listener_->context, std::move(call)); }

void HttpServer::after(std::chrono::milliseconds time, std::function<void()> call) {
  listener_->after(time, std::move(call));
}

void HttpServer::when_readable(int descriptor, std::function<void()> call) {
  const auto watched =
      std::make_shared<asio::posix::stream_descriptor>(listener_->context, ::dup(descriptor));
  watched->async_wait(asio::posix::stream_descriptor::wait_read,
                      [watched, call = std::move(call)](const Error& error) {
                        if (!error) call();
                      });
}

void HttpServer::close_connections() {
  listener_->shared.closing = true;
  for (Connection* connection : std::set<Connection*>(listener_->shared.connections))
    connection->close_if_idle();
}

std::size_t HttpServer::connections() const { return listener_->shared.connections.size(); }
std::size_t HttpServer::requests() const { return listener_->shared.requests; }

}  // namespace trl::interpreter
