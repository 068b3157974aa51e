#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "runtime/endpoint/transport.hpp"

namespace trl::runtime {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Error = boost::system::error_code;
using Kind = TransportError::Kind;
using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(50);

/// The files in which distributions keep the certificates of authorities. OpenSSL is linked statically and
/// knows only one place, which another distribution doesn't have.
constexpr const char* bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",    // RHEL, Fedora
    "/etc/ssl/ca-bundle.pem",              // SUSE
    "/etc/ssl/cert.pem",                   // Alpine
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void trust_authorities(asio::ssl::context& context) {
  Error error;
  context.set_default_verify_paths(error);  // with SSL_CERT_FILE and SSL_CERT_DIR
  if (!variable("SSL_CERT_FILE").empty() || !variable("SSL_CERT_DIR").empty()) return;
  for (const char* bundle : bundles) {
    std::error_code none;
    if (!std::filesystem::exists(bundle, none)) continue;
    context.load_verify_file(bundle, error);
    if (!error) return;
  }
}

bool is_number(const std::string& host) {
  Error error;
  asio::ip::make_address(host.substr(0, host.find('%')), error);
  return !error;
}

class WebTransport : public Transport {
 public:
  WebTransport(WebAddress address, std::string path, Headers headers, double seconds, StopRequested stop)
      : address_(std::move(address)),
        path_(std::move(path)),
        headers_(std::move(headers)),
        limit_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        stop_(std::move(stop)) {}

  Reply post(const std::string& body) override {
    deadline_ = Clock::now() + limit_;
    // A server closes a connection that wasn't used for a while. It doesn't read a request on it then.
    if (connected()) {
      try {
        return exchange(body);
      } catch (const TransportError& error) {
        close();
        if (error.kind != Kind::broken || received_) throw;
      }
    }
    try {
      connect();
      return exchange(body);
    } catch (...) {
      close();
      throw;
    }
  }

 private:
  using Plain = beast::tcp_stream;
  using Secure = beast::ssl_stream<beast::tcp_stream>;

  bool connected() const { return plain_.has_value() || secure_.has_value(); }
  Plain& lowest() { return secure_ ? secure_->next_layer() : *plain_; }

  void close() {
    plain_.reset(), secure_.reset();
    buffer_.clear();
  }

  /// Runs the pending operation until its handler has set `done`. When told to stop, cancels it and throws
  /// Stopped.
  void wait_for(const bool& done, const std::function<void()>& cancel) {
    while (!done) {
      context_.restart();
      context_.run_for(between_looks);
      if (done || !stop_()) continue;
      cancel();
      const auto end = Clock::now() + std::chrono::seconds(1);
      while (!done && Clock::now() < end) context_.restart(), context_.run_for(between_looks);
      throw Stopped();
    }
  }

  /// Runs one operation of the streams, which observe the deadline themselves.
  template <class Begin>
  Error finished(const Begin& begin) {
    bool done = false;
    Error result;
    begin([&](const Error& error, auto&&...) { result = error, done = true; });
    wait_for(done, [this] { lowest().cancel(); });
    return result;
  }

  asio::ip::tcp::resolver::results_type resolved() {
    // The system's function can't be interrupted, so it is abandoned if it takes too long. `answer` is shared
    // with the handler, which may still write to it then.
    struct Answer {
      bool done = false;
      Error error;
      asio::ip::tcp::resolver::results_type places;
    };
    const auto answer = std::make_shared<Answer>();
    asio::ip::tcp::resolver resolver(context_);
    resolver.async_resolve(address_.host, std::to_string(address_.port),
                           [answer](const Error& error, asio::ip::tcp::resolver::results_type places) {
                             answer->error = error, answer->places = std::move(places), answer->done = true;
                           });
    while (!answer->done) {
      context_.restart();
      context_.run_for(between_looks);
      if (answer->done) break;
      if (stop_()) throw Stopped();
      if (Clock::now() > deadline_) throw TransportError(Kind::timeout, "its name isn't resolved in time");
    }
    if (answer->error)
      throw TransportError(Kind::unreachable,
                           "there is no host " + address_.host + ": " + answer->error.message());
    return answer->places;
  }

  void connect() {
    const auto places = resolved();
    if (address_.secure) {
      if (!tls_) {
        tls_.emplace(asio::ssl::context::tls_client);
        SSL_CTX_set_min_proto_version(tls_->native_handle(), TLS1_2_VERSION);
        trust_authorities(*tls_);
        tls_->set_verify_mode(asio::ssl::verify_peer);
      }
      secure_.emplace(context_, *tls_);
      secure_->set_verify_callback(
          asio::ssl::host_name_verification(address_.host.substr(0, address_.host.find('%'))));
      if (!is_number(address_.host) &&
          SSL_set_tlsext_host_name(secure_->native_handle(), address_.host.c_str()) != 1)
        throw TransportError(Kind::broken, "the host's name can't be sent");
    } else {
      plain_.emplace(context_);
    }
    lowest().expires_at(deadline_);
    Error error = finished([&](auto handler) { lowest().async_connect(places, std::move(handler)); });
    if (error == beast::error::timeout) throw TransportError(Kind::timeout, "nobody answers there");
    if (error) throw TransportError(Kind::unreachable, error.message());
    if (!secure_) return;
    error = finished(
        [&](auto handler) { secure_->async_handshake(asio::ssl::stream_base::client, std::move(handler)); });
    if (error == beast::error::timeout) throw TransportError(Kind::timeout, "TLS isn't set up in time");
    if (!error) return;
    if (const long verified = SSL_get_verify_result(secure_->native_handle()); verified != X509_V_OK)
      throw TransportError(Kind::untrusted, X509_verify_cert_error_string(verified));
    if (error.category() == asio::error::get_ssl_category() &&
        ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_CERTIFICATE_VERIFY_FAILED)
      throw TransportError(Kind::untrusted, "the certificate isn't for " + address_.host);
    throw TransportError(Kind::broken, "TLS can't be set up: " + error.message());
  }

  Reply exchange(const std::string& body) {
    return secure_ ? exchange_on(*secure_, body) : exchange_on(*plain_, body);
  }

  template <class Stream>
  Reply exchange_on(Stream& stream, const std::string& body) {
    received_ = false;
    http::request<http::string_body> request(http::verb::post, path_, 11, body);
    request.set(http::field::host, address_.authority());
    request.set(http::field::user_agent, "trl");
    request.set(http::field::content_type, "application/json");
    request.set(http::field::accept, "application/json");
    request.set(http::field::accept_encoding, "identity");
    for (const auto& [name, value] : headers_) request.set(name, value);
    request.prepare_payload();

    beast::get_lowest_layer(stream).expires_at(deadline_);
    Error error = finished([&](auto handler) { http::async_write(stream, request, std::move(handler)); });
    fail_for(error);
    http::response_parser<http::string_body> parser;
    parser.header_limit(most_header_bytes);
    parser.body_limit(most_reply_bytes);
    error = finished([&](auto handler) { http::async_read(stream, buffer_, parser, std::move(handler)); });
    received_ = parser.got_some() || buffer_.size() > 0;
    fail_for(error);

    auto response = parser.release();
    Reply reply{static_cast<int>(response.result_int()), std::string(response[http::field::retry_after]),
                std::string(response[http::field::location]), std::move(response.body())};
    if (!response.keep_alive()) close();
    return reply;
  }

  static void fail_for(const Error& error) {
    if (!error) return;
    if (error == beast::error::timeout) throw TransportError(Kind::timeout, "no whole reply came in time");
    if (error == http::error::body_limit || error == http::error::header_limit)
      throw TransportError(Kind::too_large, "the reply is larger than any answer: " + error.message());
    if (error == http::error::end_of_stream || error == http::error::partial_message ||
        error == asio::error::eof || error == asio::ssl::error::stream_truncated)
      throw TransportError(Kind::broken, "the connection ended before the whole reply was there");
    if (error.category() == make_error_code(http::error::bad_version).category())
      throw TransportError(Kind::broken, "what it sends is no HTTP: " + error.message());
    throw TransportError(Kind::broken, error.message());
  }

  WebAddress address_;
  std::string path_;
  Headers headers_;
  Clock::duration limit_;
  StopRequested stop_;
  Clock::time_point deadline_;
  asio::io_context context_;
  std::optional<asio::ssl::context> tls_;
  std::optional<Plain> plain_;
  std::optional<Secure> secure_;
  beast::flat_buffer buffer_{most_header_bytes + most_reply_bytes};
  bool received_ = false;  ///< whether something came of the reply to the last request
};

}  // namespace

Headers headers_of(const contract::Endpoint& endpoint, const std::string& key) {
  Headers headers(endpoint.headers.begin(), endpoint.headers.end());
  if (key.empty()) return headers;
  const auto& name = endpoint.key_header;
  headers.emplace_back(name, beast::iequals(name, "Authorization") ? "Bearer " + key : key);
  return headers;
}

std::unique_ptr<Transport> web_transport(const WebAddress& address, const std::string& path, Headers headers,
                                         double seconds, StopRequested stop) {
  return std::make_unique<WebTransport>(address, path, std::move(headers), seconds, std::move(stop));
}

}  // namespace trl::runtime
