#include "interpreter/live/server.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "interpreter/live/page.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto between_looks = 1000ms;
/// After this many looks without a change, a line is sent to all watchers, which shows whether they have
/// gone.
constexpr int quiet_looks = 15;
constexpr std::size_t most_watchers = 32;

HttpReply with_headers(HttpReply reply) {
  reply.headers.insert(reply.headers.end(), {{"Cache-Control", "no-store"},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"},
                                             {"X-Frame-Options", "DENY"}});
  return reply;
}

HttpReply plain_error(int status, const std::string& message) {
  return with_headers(
      {.status = status, .body = message + "\n", .content_type = "text/plain; charset=utf-8"});
}

/// Returns the page. Its policy allows only its own style and script, and requests only to this server.
HttpReply page() {
  const auto nonce = random_secret().substr(0, 32);
  auto text = live_page::embedded().at("page.html");
  const std::string mark = "@NONCE@";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), nonce);
  HttpReply reply = {.body = std::move(text), .content_type = "text/html; charset=utf-8"};
  reply.headers.emplace_back(
      "Content-Security-Policy",
      fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; "
                  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                  nonce));
  return with_headers(std::move(reply));
}

}  // namespace

std::optional<HttpReply> refusal_of(const HttpRequest& request) {
  if (request.method != "GET") {
    auto refusal = plain_error(405, "this server answers GET alone");
    refusal.headers.emplace_back("Allow", "GET");
    return refusal;
  }
  // The host's name without the port: behind a tunnel, the port is another one.
  auto name = request.host.substr(0, request.host.find(':'));
  if (request.host.starts_with('[')) name = request.host.substr(0, request.host.find(']') + 1);
  if (name != "127.0.0.1" && name != "localhost" && name != "[::1]")
    return plain_error(421, "this server answers for localhost and 127.0.0.1 alone");
  if (request.path != "/" && request.path != "/events" && request.path != "/state")
    return plain_error(404, "there are /, /events and /state");
  return std::nullopt;
}

/// The part of the server that runs in its thread.
class LiveServer::Serving {
 public:
  Serving(std::shared_ptr<LiveState> state, std::uint16_t port)
      : state_(std::move(state)),
        server_(
            std::in_place, options_for(port),
            [this](const HttpRequest& request, const std::shared_ptr<Exchange>& exchange) {
              answer(request, exchange);
            },
            refusal_of, [](int, const std::string&, const std::string& message) { return message + "\n"; }),
        port_(server_->port()),
        thread_([this] { server_->run(); }) {}
  ~Serving() {
    if (!thread_.joinable()) return;
    server_->post([this] { server_->stop(); });
    thread_.join();
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  std::uint16_t port() const { return port_; }

  void end(const std::string& how) {
    server_->post([this, how] {
      state_->end(how);
      if (!watchers_.empty()) {
        look();
        const auto all = watchers_;
        for (const auto& [number, watcher] : all) watcher->end();
      }
      server_->close_connections();
      last_ = Clock::now() + 2s;
      wait_for_last();
    });
    thread_.join();
    watchers_.clear();
    server_.reset();  // which frees the port
  }

 private:
  static HttpOptions options_for(std::uint16_t port) {
    HttpOptions options;
    options.port = port;
    options.most_connections = most_watchers, options.most_body = 1024;
    options.most_unread = std::size_t{16} << 20;
    return options;
  }

  void answer(const HttpRequest& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.path == "/") return exchange->reply(page());
    if (request.path == "/events") return watch(exchange);
    refresh();
    std::string text;
    for (const auto& [name, part] : texts_)
      text += (text.empty() ? "{" : ",\n ") + dumped(name) + ": " + part;
    exchange->reply(with_headers({.body = text + "}\n"}));
  }

  void watch(const std::shared_ptr<Exchange>& exchange) {
    const auto number = ++watched_;
    exchange->when_gone([this, number] { watchers_.erase(number); });
    HttpReply head;
    head.content_type = "text/event-stream; charset=utf-8";
    exchange->begin(with_headers(std::move(head)));
    refresh();
    exchange->send(event(texts_));
    watchers_[number] = exchange;
    if (!looking_) {
      looking_ = true;
      server_->after(between_looks, [this] { look_again(); });
    }
  }

  void look_again() {
    if (state_->ended()) return;
    looking_ = !watchers_.empty();
    if (!looking_) return;
    look();
    server_->after(between_looks, [this] { look_again(); });
  }

  /// Reads the state, unless it was read a moment ago.
  void refresh() {
    if (texts_.empty() || Clock::now() - looked_ > between_looks / 2) look();
  }

  /// Reads the state, and sends watchers the parts that have changed.
  void look() {
    looked_ = Clock::now();
    std::map<std::string, std::string> changed;
    try {
      const auto state = state_->look();
      for (const auto& [name, part] : state) {
        auto text = dumped(part);
        auto& last = texts_[name];
        if (last == text) continue;
        last = text, changed[name] = std::move(text);
      }
      // A curve disappears when it was joined with another curve.
      std::erase_if(texts_, [&](const auto& last) {
        return !state.contains(last.first) && (changed[last.first] = "null", true);
      });
    } catch (const std::exception&) {
      // A result that can't be read now may become readable. If it doesn't, the run itself reports it.
    }
    if (changed.empty() && ++quiet_ < quiet_looks) return;
    quiet_ = 0;
    const auto text = changed.empty() ? ": still here\n\n" : event(changed);
    // Sending may fail and remove a watcher from the list, so a copy is used.
    const auto all = watchers_;
    for (const auto& [number, watcher] : all) watcher->send(text);
  }

  /// A server-sent event with an object of parts, each of which is on one line.
  static std::string event(const std::map<std::string, std::string>& parts) {
    std::string text = "data: {";
    for (const auto& [name, part] : parts)
      text += (text.back() == '{' ? "" : ",") + dumped(name) + ":" + part;
    return text + "}\n\n";
  }

  void wait_for_last() {
    if (server_->requests() == 0 || Clock::now() > last_) return server_->stop();
    server_->after(20ms, [this] { wait_for_last(); });
  }

  std::shared_ptr<LiveState> state_;
  std::optional<HttpServer> server_;
  std::uint16_t port_;
  // The server's thread uses these members. The connections that they hold end before the server is
  // destroyed.
  std::map<std::string, std::string> texts_;  ///< the parts of the state as they were last read
  std::map<std::size_t, std::shared_ptr<Exchange>> watchers_;
  std::size_t watched_ = 0;
  bool looking_ = false;
  int quiet_ = 0;
  Clock::time_point looked_, last_;
  std::thread thread_;
};

LiveServer::LiveServer(std::shared_ptr<LiveState> state, std::optional<std::uint16_t> port) {
  try {
    serving_ = std::make_unique<Serving>(state, port.value_or(usual_port));
  } catch (const UserError& error) {
    if (port)
      throw UserError(error.what(), "Name another port by --live PORT, or none: a free one is then taken.");
    serving_ = std::make_unique<Serving>(std::move(state), 0);
  }
}

LiveServer::~LiveServer() = default;

std::string LiveServer::address() const { return fmt::format("http://127.0.0.1:{}/", serving_->port()); }

void LiveServer::end(const std::string& how) { serving_->end(how); }

}  // namespace trl::interpreter
