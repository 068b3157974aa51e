// The server of the page, over a socket.
#include "interpreter/live/server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/support/error.hpp"
#include "interpreter/live/page.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// A connection to a server of this machine.
class Client {
 public:
  explicit Client(const std::string& address) {
    sockaddr_in to{};
    to.sin_family = AF_INET, to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  bool connected() const { return connected_; }
  void ask(const std::string& path, const std::string& host = "localhost",
           const std::string& method = "GET") const {
    const auto text = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    ASSERT_EQ(::send(socket_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  /// What the server sends until it has sent `end`, or all of it.
  std::string read(const std::string& end = "") {
    char buffer[65536];
    while (end.empty() || !has(text_, end)) {
      const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      text_.append(buffer, static_cast<std::size_t>(got));
    }
    return text_;
  }

 private:
  int socket_ = -1;
  bool connected_ = false;
  std::string text_;
};

std::shared_ptr<LiveState> state() {
  auto& finished = finished_study();
  return std::make_shared<LiveState>(finished.document, std::vector<const Plan*>{&finished.plan},
                                     finished.store.root(), "study.trl");
}

std::string answer(const std::string& address, const std::string& path, const std::string& host = "localhost",
                   const std::string& method = "GET") {
  Client client(address);
  client.ask(path, host, method);
  return client.read();
}

TEST(LiveServer, GivesThePageToThisMachineAlone) {
  const LiveServer server(state(), 0);
  const auto page = answer(server.address(), "/", "127.0.0.1:1234");
  EXPECT_TRUE(has(page, "200 OK")) << page.substr(0, 500);
  EXPECT_TRUE(has(page, "X-Content-Type-Options: nosniff"));
  EXPECT_FALSE(has(page, "Access-Control"));
  EXPECT_FALSE(has(page, "@NONCE@"));
  const auto at = page.find("script-src 'nonce-") + 18;
  const auto nonce = page.substr(at, 32);
  EXPECT_TRUE(has(page, "<script nonce=\"" + nonce + "\">") && has(page, "<style nonce=\"" + nonce + "\">"));
  EXPECT_FALSE(has(answer(server.address(), "/"), nonce)) << "each page has its own";
  for (const char* host : {"evil.example", "evil.example:8009", "localhost.evil.example", "",
                           "127.0.0.1.nip.io", "[fe80::1]", "10.0.0.1"})
    EXPECT_TRUE(has(answer(server.address(), "/state", host), " 421 ")) << host;
  for (const char* host : {"localhost", "localhost:9", "127.0.0.1", "[::1]:8009"})
    EXPECT_TRUE(has(answer(server.address(), "/state", host), " 200 ")) << host;
  for (const char* method : {"POST", "PUT", "OPTIONS", "DELETE", "HEAD"})
    EXPECT_TRUE(has(answer(server.address(), "/state", "localhost", method), " 405 ")) << method;
  EXPECT_TRUE(has(answer(server.address(), "/../etc/passwd"), " 404 "));
}

TEST(LiveServer, ThePageMakesNoMarkupOfTextsAndAsksNobodyElse) {
  auto page = live_page::embedded().at("page.html");
  for (const char* way :
       {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
        "src=", "@import", "url(", "fetch(", "localStorage", "document.cookie"})
    EXPECT_FALSE(has(page, way)) << way;
  const std::string name_space = "http://www.w3.org/2000/svg";
  page.erase(page.find(name_space), name_space.size());
  EXPECT_FALSE(has(page, "://"));
}

TEST(LiveServer, TellsTheWholeStateThenChangesThenTheEnd) {
  LiveServer server(state(), 0);
  Client watcher(server.address());
  watcher.ask("/events");
  const auto first = watcher.read("\n\n\r\n");
  EXPECT_TRUE(has(first, "Content-Type: text/event-stream")) << first.substr(0, 300);
  EXPECT_TRUE(has(first, "\"0 plan\":") && has(first, "\"run\":{\"ended\":null"));
  server.end("it failed: <b>no room</b>");
  const auto all = watcher.read();
  const auto last = all.substr(all.rfind("data: "));
  EXPECT_TRUE(has(last, "\"ended\":\"it failed: <b>no room</b>\"")) << last;
  EXPECT_FALSE(has(last, "0 plan")) << "only what has changed";
  EXPECT_FALSE(Client(server.address()).connected()) << "the server has ended";
}

TEST(LiveServer, GivesTheStateAsOneObject) {
  const LiveServer server(state(), 0);
  const auto text = answer(server.address(), "/state");
  const auto value = json::parse(text.substr(text.find("\r\n\r\n") + 4));
  EXPECT_EQ(value.at("run").at("file"), "study.trl");
  EXPECT_TRUE(has(value.at("0 refused").dump(), "<script>"));
}

TEST(LiveServer, EndsAtOnceWithoutWatchers) {
  LiveServer server(state(), 0);
  server.end("done");
  EXPECT_FALSE(Client(server.address()).connected());
}

TEST(LiveServer, RefusesAPortThatIsTakenAndElseTakesAnother) {
  const LiveServer first(state(), 0);
  const auto address = first.address();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  try {
    const LiveServer second(state(), port);
    FAIL() << "two servers on one port";
  } catch (const UserError& error) {
    EXPECT_TRUE(has(error.what(), std::to_string(port))) << error.what();
    EXPECT_TRUE(has(error.help, "--live"));
  }
  const LiveServer second(state(), {}), third(state(), {});
  EXPECT_NE(second.address(), third.address());
}

}  // namespace
