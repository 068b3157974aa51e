// The real transport, with servers of this process that behave in every way.
#include "runtime/endpoint/transport.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/support/files.hpp"
#include "tests/support/scratch.hpp"

namespace trl::runtime {
namespace {

using Kind = TransportError::Kind;

/// A connection that the server accepted: bytes, with or without TLS.
class Connection {
 public:
  Connection(int descriptor, SSL* tls) : descriptor_(descriptor), tls_(tls) {}
  bool send(const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
      const auto sent = tls_ != nullptr
                            ? SSL_write(tls_, text.data() + done, static_cast<int>(text.size() - done))
                            : ::send(descriptor_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      done += static_cast<std::size_t>(sent);
    }
    return true;
  }
  /// The next request, with its body; empty where the other side is gone.
  std::string request() {
    std::string text;
    for (;;) {
      const auto head = text.find("\r\n\r\n");
      if (head != std::string::npos) {
        const auto length = text.find("Content-Length: ");
        const auto body = length == std::string::npos ? 0 : std::stoul(text.substr(length + 16));
        if (text.size() >= head + 4 + body) return text;
      }
      char bytes[4096];
      const auto got = tls_ != nullptr ? SSL_read(tls_, bytes, sizeof bytes)
                                       : static_cast<int>(::recv(descriptor_, bytes, sizeof bytes, 0));
      if (got <= 0) return {};
      text.append(bytes, static_cast<std::size_t>(got));
    }
  }
  /// Waits until the other side closes.
  void wait_for_end() {
    char byte = 0;
    while (::recv(descriptor_, &byte, 1, 0) > 0) continue;
  }

 private:
  int descriptor_;
  SSL* tls_;
};

/// Serves one connection after another until it goes.
class Server {
 public:
  using Serve = std::function<void(Connection&)>;

  explicit Server(Serve serve, SSL_CTX* tls = nullptr, int family = AF_INET)
      : serve_(std::move(serve)), tls_(tls) {
    listener_ = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_storage place{};
    socklen_t size = sizeof place;
    if (family == AF_INET) {
      auto& four = reinterpret_cast<sockaddr_in&>(place);
      four.sin_family = AF_INET, four.sin_addr.s_addr = htonl(INADDR_LOOPBACK), size = sizeof four;
    } else {
      auto& six = reinterpret_cast<sockaddr_in6&>(place);
      six.sin6_family = AF_INET6, six.sin6_addr = in6addr_loopback, size = sizeof six;
    }
    listening_ = listener_ >= 0 && ::bind(listener_, reinterpret_cast<sockaddr*>(&place), size) == 0 &&
                 ::listen(listener_, 8) == 0;
    if (!listening_) return;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&place), &size);
    port_ = ntohs(family == AF_INET ? reinterpret_cast<sockaddr_in&>(place).sin_port
                                    : reinterpret_cast<sockaddr_in6&>(place).sin6_port);
    thread_ = std::thread([this] { accept_all(); });
  }
  ~Server() {
    ending_ = true;
    if (thread_.joinable()) {
      // Ends `accept`, and a connection that is being served.
      ::shutdown(listener_, SHUT_RDWR);
      {
        const std::lock_guard lock(mutex_);
        if (current_ >= 0) ::shutdown(current_, SHUT_RDWR);
      }
      thread_.join();
    }
    if (listener_ >= 0) ::close(listener_);
  }
  bool listening() const { return listening_; }
  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void accept_all() {
    while (!ending_) {
      const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (descriptor < 0) return;
      {
        const std::lock_guard lock(mutex_);
        current_ = descriptor;
      }
      ++connections_;
      SSL* tls = nullptr;
      if (tls_ != nullptr) {
        tls = SSL_new(tls_);
        SSL_set_fd(tls, descriptor);
      }
      if (tls == nullptr || SSL_accept(tls) == 1) {
        Connection connection(descriptor, tls);
        serve_(connection);
      }
      const std::lock_guard lock(mutex_);
      current_ = -1;
      if (tls != nullptr) SSL_shutdown(tls), SSL_free(tls);
      ::close(descriptor);
    }
  }

  Serve serve_;
  SSL_CTX* tls_;
  int listener_ = -1;
  bool listening_ = false;
  std::uint16_t port_ = 0;
  std::atomic<bool> ending_ = false;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  int current_ = -1;
  std::thread thread_;
};

std::string whole(const std::string& body, const std::string& header = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + header + "\r\n" +
         body;
}

std::unique_ptr<Transport> transport_to(
    const Server& server, double seconds = 30, StopRequested stop = [] { return false; },
    const Headers& headers = {}, const std::string& host = "127.0.0.1", bool secure = false) {
  return web_transport({secure, host, server.port(), "/v1"}, "/v1/chat/completions", headers, seconds,
                       std::move(stop));
}

/// What posting ends with, where it doesn't give a reply.
Kind failure(Transport& transport) {
  try {
    const auto reply = transport.post("{}");
    ADD_FAILURE() << "a reply came: " << reply.status << " " << reply.body.substr(0, 100);
  } catch (const TransportError& error) {
    return error.kind;
  }
  return Kind::broken;
}

TEST(Transport, PostsOverOneConnection) {
  std::vector<std::string> requests;
  const Server server([&](Connection& connection) {
    for (auto request = connection.request(); !request.empty(); request = connection.request()) {
      requests.push_back(request);
      connection.send(
          whole("reply " + std::to_string(requests.size()), "Retry-After: 7\r\nLocation: /x\r\n"));
    }
  });
  const auto transport = transport_to(server, 30, [] { return false; },
                                      {{"Authorization", "Bearer sk-1"}, {"X-Title", "a study"}});
  for (int number = 1; number <= 3; ++number) {
    const auto reply = transport->post("{\"n\": " + std::to_string(number) + "}");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "reply " + std::to_string(number));
    EXPECT_EQ(reply.retry_after, "7");
    EXPECT_EQ(reply.location, "/x");
  }
  EXPECT_EQ(server.connections(), 1);
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_TRUE(requests[1].starts_with("POST /v1/chat/completions HTTP/1.1\r\n")) << requests[1];
  for (const std::string& part :
       {"Host: 127.0.0.1:" + std::to_string(server.port()), std::string("Authorization: Bearer sk-1"),
        std::string("X-Title: a study"), std::string("Content-Type: application/json"),
        std::string("\r\n\r\n{\"n\": 2}")})
    EXPECT_NE(requests[1].find(part), std::string::npos) << part << "\n" << requests[1];
}

TEST(Transport, TheKeyStandsInTheHeaderThatIsNamed) {
  contract::Endpoint endpoint;
  EXPECT_EQ(headers_of(endpoint, ""), Headers());
  EXPECT_EQ(headers_of(endpoint, "k"), (Headers{{"Authorization", "Bearer k"}}));
  endpoint.key_header = "api-key", endpoint.headers = {{"X-Title", "a study"}};
  EXPECT_EQ(headers_of(endpoint, "k"), (Headers{{"X-Title", "a study"}, {"api-key", "k"}}));
  EXPECT_EQ(headers_of(endpoint, ""), (Headers{{"X-Title", "a study"}}));
}

TEST(Transport, WithoutAKeyNoneIsSent) {
  std::string request;
  const Server server([&](Connection& connection) {
    request = connection.request();
    connection.send(whole(""));
  });
  EXPECT_EQ(transport_to(server)->post("{}").body, "");
  EXPECT_EQ(request.find("Authorization"), std::string::npos);
}

TEST(Transport, ReadsChunksAndRepliesThatEndWithTheConnection) {
  const Server server([&](Connection& connection) {
    connection.request();
    connection.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
    connection.request();
    connection.send("HTTP/1.1 503 Busy\r\n\r\nto the end");
  });
  const auto transport = transport_to(server);
  EXPECT_EQ(transport->post("{}").body, "hello world");
  const auto last = transport->post("{}");
  EXPECT_EQ(last.status, 503);
  EXPECT_EQ(last.body, "to the end");
}

TEST(Transport, AConnectionThatTheServerClosedIsOpenedAgain) {
  const Server server([&](Connection& connection) {
    connection.request();
    connection.send(whole("x"));  // says nothing of closing, and closes
  });
  const auto transport = transport_to(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(transport->post("{}").body, "x");
  EXPECT_EQ(server.connections(), 3);
}

TEST(Transport, WhatIsNoWholeReplyIsBroken) {
  for (const std::string text :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "SSH-2.0-OpenSSH\r\n", "\x16\x03\x01\x02", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    const Server server([&](Connection& connection) {
      connection.request();
      connection.send(text);
    });
    EXPECT_EQ(failure(*transport_to(server)), Kind::broken) << text;
  }
}

TEST(Transport, HostileRepliesAreBounded) {
  const std::string block(1 << 16, 'x');
  const std::function<void(Connection&)> servers[] = {
      [](Connection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
      },
      [&](Connection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (connection.send("10000\r\n" + block + "\r\n")) continue;
      },
      [&](Connection& connection) {
        connection.send("HTTP/1.1 200 OK\r\n\r\n");
        while (connection.send(block)) continue;
      },
      [&](Connection& connection) {
        connection.send("HTTP/1.1 200 OK\r\n");
        while (connection.send("X: " + block.substr(0, 1000) + "\r\n")) continue;
      },
  };
  for (const auto& serve : servers) {
    const Server server([&](Connection& connection) {
      connection.request();
      serve(connection);
      connection.wait_for_end();
    });
    EXPECT_EQ(failure(*transport_to(server)), Kind::too_large) << &serve - servers;
  }
}

TEST(Transport, AServerThatDoesNotAnswerIsLeft) {
  const Server silent([](Connection& connection) { connection.wait_for_end(); });
  EXPECT_EQ(failure(*transport_to(silent, 0.1)), Kind::timeout);
  // Bytes now and then don't make it last longer.
  const Server slow([](Connection& connection) {
    connection.request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (connection.send("x")) ::poll(nullptr, 0, 10);
  });
  EXPECT_EQ(failure(*transport_to(slow, 0.2)), Kind::timeout);
}

TEST(Transport, StopsWhenItIsTold) {
  std::atomic<bool> stop = false;
  const Server server([&](Connection& connection) {
    connection.request();
    stop = true;
    connection.wait_for_end();
  });
  EXPECT_THROW(transport_to(server, 30, [&] { return stop.load(); })->post("{}"), Stopped);
}

TEST(Transport, NobodyThereIsUnreachable) {
  const int unused = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET, place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  ASSERT_EQ(::bind(unused, reinterpret_cast<sockaddr*>(&place), size), 0);  // and nobody listens
  ::getsockname(unused, reinterpret_cast<sockaddr*>(&place), &size);
  const auto transport =
      web_transport({false, "127.0.0.1", ntohs(place.sin_port), ""}, "/", {}, 30, [] { return false; });
  EXPECT_EQ(failure(*transport), Kind::unreachable);
  ::close(unused);
}

TEST(Transport, OverIPv6) {
  const Server server(
      [](Connection& connection) {
        EXPECT_NE(connection.request().find("Host: [::1]:"), std::string::npos);
        connection.send(whole("six"));
      },
      nullptr, AF_INET6);
  if (!server.listening()) GTEST_SKIP() << "this machine has no IPv6";
  EXPECT_EQ(transport_to(
                server, 30, [] { return false; }, {}, "::1")
                ->post("{}")
                .body,
            "six");
}

/// A key and a certificate that it signed itself, for a host or an address, as a file and as a server's
/// context.
struct Certificate {
  Certificate(const std::string& names, const std::filesystem::path& file) {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_set_pubkey(certificate, key);
    for (const auto& [number, value] :
         {std::pair<int, std::string>{NID_basic_constraints, "critical,CA:TRUE"},
          {NID_subject_alt_name, names}}) {
      X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, number, value.c_str());
      X509_add_ext(certificate, extension, -1);
      X509_EXTENSION_free(extension);
    }
    X509_sign(certificate, key, EVP_sha256());
    context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    BIO* out = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(out, certificate);
    char* text = nullptr;
    const auto size = BIO_get_mem_data(out, &text);
    write_text(file, std::string_view(text, static_cast<std::size_t>(size)));
    BIO_free(out), X509_free(certificate), EVP_PKEY_free(key);
  }
  ~Certificate() { SSL_CTX_free(context); }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  SSL_CTX* context = nullptr;
};

/// Trusts a certificate as long as it lives, as a user does by SSL_CERT_FILE.
struct Trusted {
  explicit Trusted(const std::filesystem::path& file) { ::setenv("SSL_CERT_FILE", file.c_str(), 1); }
  ~Trusted() { ::unsetenv("SSL_CERT_FILE"); }
};

TEST(Transport, OverTls) {
  const test::Scratch folder;
  const Certificate certificate("IP:127.0.0.1,DNS:localhost", folder.path / "ca.pem");
  const Server server(
      [](Connection& connection) {
        for (auto request = connection.request(); !request.empty(); request = connection.request())
          connection.send(whole("secret"));
      },
      certificate.context);
  const auto never = [] { return false; };
  {
    const Trusted trusted(folder.path / "ca.pem");
    for (const char* host : {"127.0.0.1", "localhost"}) {
      const auto transport = transport_to(server, 30, never, {{"Authorization", "Bearer k"}}, host, true);
      EXPECT_EQ(transport->post("{}").body, "secret") << host;
      EXPECT_EQ(transport->post("{}").body, "secret") << host;
    }
  }
  EXPECT_EQ(failure(*transport_to(server, 30, never, {{"Authorization", "Bearer k"}}, "127.0.0.1", true)),
            Kind::untrusted)
      << "of no authority";
  EXPECT_EQ(failure(*transport_to(server, 30, never, {}, "127.0.0.1", false)), Kind::broken) << "without TLS";
}

TEST(Transport, ACertificateForAnotherHostIsRefused) {
  const test::Scratch folder;
  const Certificate certificate("DNS:another.example,IP:127.0.0.9", folder.path / "ca.pem");
  std::atomic<bool> asked = false;
  const Server server([&](Connection& connection) { asked = !connection.request().empty(); },
                      certificate.context);
  const Trusted trusted(folder.path / "ca.pem");
  for (const char* host : {"127.0.0.1", "localhost"})
    EXPECT_EQ(failure(*transport_to(
                  server, 30, [] { return false; }, {{"Authorization", "Bearer k"}}, host, true)),
              Kind::untrusted)
        << host;
  EXPECT_FALSE(asked) << "the key was sent";
}

TEST(Transport, TlsToAServerWithoutItIsBroken) {
  const Server server([](Connection& connection) { connection.send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
  EXPECT_EQ(failure(*transport_to(
                server, 30, [] { return false; }, {}, "127.0.0.1", true)),
            Kind::broken);
}

}  // namespace
}  // namespace trl::runtime
