// The service's answers to requests.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/verdict.hpp"
#include "interpreter/serve/archive.hpp"
#include "interpreter/serve/http_server.hpp"
#include "interpreter/serve/metrics.hpp"
#include "interpreter/serve/offer.hpp"
#include "interpreter/serve/pool.hpp"
#include "interpreter/serve/repeated.hpp"
#include "interpreter/serve/routes.hpp"

namespace trl::interpreter {

struct ServiceOptions {
  double deadline = 60;           ///< seconds for a request that states none, and the most that it may state
  std::size_t most_batch = 4096;  ///< answers of one request
  std::size_t most_repeated = 4096;           ///< answers that are kept for repeated requests
  std::map<std::string, std::string> tokens;  ///< the clients' names by their tokens; empty: none is needed
};

/// Answers requests. Apart from the constructor, its functions are called by the server's thread.
class Service {
 public:
  using Post = std::function<void(std::function<void()>)>;

  /// `archive` is null if verdicts aren't stored. `post(call)` has the server's thread call a function.
  Service(const Offer& offer, Pool& pool, Archive* archive, ServiceOptions options, Post post);

  /// Returns the reply that refuses a request by its header: it lacks a valid token, its path doesn't exist
  /// or doesn't take its method, or it is a POST and the server is about to end. Nothing if the request may
  /// be handled.
  std::optional<HttpReply> screen(const HttpRequest& request);
  void handle(const HttpRequest& request, const std::shared_ptr<Exchange>& exchange);

  /// From now on no answers are taken.
  void drain() { draining_ = true; }
  /// The numbers of connections and requests, for the metrics.
  void note_connections(std::size_t connections, std::size_t requests);

 private:
  struct Asked;
  struct Batch;

  HttpReply error(std::string_view code, const std::string& message, const std::string& help = {},
                  int retry_after = 0) const;
  std::string client_of(const HttpRequest& request) const;

  void judge(const HttpRequest& request, const std::shared_ptr<Exchange>& exchange, bool rewards);
  Asked read_asked(const nlohmann::json& item, const nlohmann::json& body, bool rewards) const;
  const std::string& reward_named(const nlohmann::json& body) const;
  double deadline_in(const nlohmann::json& body) const;
  std::optional<Pool::Ticket> begin(const Asked& asked, const std::string& client, const std::string& key,
                                    const RepeatedRequests::Take& take);
  Answer answer_of(const Asked& asked, SlotResult judged);
  nlohmann::json verdict_body(const Asked& asked, SlotResult judged);
  nlohmann::json reward_body(const Asked& asked, nlohmann::json row, const std::string& id) const;
  void count(const Asked& asked, const contract::Examined& verdict, const SlotResult& judged);

  HttpReply tasks(const HttpRequest& request) const;
  HttpReply task(const std::string& id) const;
  HttpReply protocols() const;
  HttpReply readiness() const;
  HttpReply metrics();

  const Offer& offer_;
  Pool& pool_;
  Archive* archive_;
  const ServiceOptions options_;
  const Post post_;
  Metrics metrics_;
  RepeatedRequests repeated_;
  bool draining_ = false;
};

}  // namespace trl::interpreter
