// `trl serve`: the verifier as a service over HTTP.
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/support/asking.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "base/support/reading.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/subject.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/serve/archive.hpp"
#include "interpreter/serve/http_server.hpp"
#include "interpreter/serve/offer.hpp"
#include "interpreter/serve/pool.hpp"
#include "interpreter/serve/service.hpp"
#include "interpreter/store/store.hpp"
#include "interpreter/wrap.hpp"
#include "language/program/program.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;
using namespace std::chrono_literals;

constexpr int by_cores = -1000;  // no number that a user names

struct ServeCommand {
  ProgramOptions program;
  HttpOptions http;
  int port = 8008, slots = by_cores, queue = 8192, connections = 2048, megabytes = 16, drain_seconds = 60,
      deadline = 60;
  std::string host = "127.0.0.1", token_file, certificate, key;
  bool no_sandbox = false, no_store = false, show_openapi = false;
};

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

/// Reads the names of clients by their tokens. A line of the file is a token, or a name and a token.
std::map<std::string, std::string> read_tokens(const std::string& file) {
  std::map<std::string, std::string> tokens;
  if (file.empty()) return tokens;
  constexpr std::size_t least = 16;
  int number = 0;
  for_each_line(file, {.most = 1 << 20, .argument = true}, [&](const std::string& line) {
    ++number;
    const auto begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') return;
    const std::string text = line.substr(begin, end - begin + 1);
    const auto blank = text.find_first_of(" \t");
    const std::string token = blank == std::string::npos ? text : text.substr(text.find_last_of(" \t") + 1);
    if (token.size() < least)
      throw WrongUsage(fmt::format("{}:{}: the token has fewer than {} characters", file, number, least),
                       "Make one by `openssl rand -hex 32`.");
    if (tokens.contains(token))
      throw WrongUsage(fmt::format("{}:{}: another client has this token", file, number),
                       "Make one for each by `openssl rand -hex 32`.");
    tokens[token] = blank == std::string::npos ? fmt::format("client {}", number) : text.substr(0, blank);
  });
  if (tokens.empty())
    throw WrongUsage(file + " has no token",
                     "Write one token a line: `openssl rand -hex 32 > " + file + "`.");
  return tokens;
}

/// Adds tasks, each ID once, by suite and number.
void add_offered(std::vector<json> tasks, Offer& offer) {
  std::stable_sort(tasks.begin(), tasks.end(), [](const json& a, const json& b) {
    return std::pair(a.at("suite").get<std::string>(), a.at("id").get<int>()) <
           std::pair(b.at("suite").get<std::string>(), b.at("id").get<int>());
  });
  std::set<std::string> known;
  for (const OfferedTask& task : offer.tasks) known.insert(task.id);
  for (const json& task : tasks)
    if (known.insert(id_of(task)).second) offer.tasks.push_back({task, id_of(task), "", why_unjudged(task)});
}

/// Adds the tasks' prompts; trl-verify makes them.
void add_prompts(Offer& offer, const Interrupt& interrupt) {
  json tasks = json::array();
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < offer.tasks.size(); ++i) {
    if (!offer.tasks[i].unjudged.empty()) continue;
    tasks.push_back(offer.tasks[i].task);
    asked.push_back(i);
  }
  ask_verifier(
      {{"prompts", {{"tasks", std::move(tasks)}, {"language", offer.language}}}},
      [&](const json& row) {
        offer.tasks.at(asked.at(row.at("number"))).prompt = trl::asked(offer.prompt, row.at("text"));
      },
      interrupt);
}

/// Returns the offer of a server with the command's file. If the file has errors, shows them and returns
/// nothing.
std::optional<Offer> offer_of(const ServeCommand& options, const Interrupt& interrupt, Console& console) {
  Offer offer;
  KnownTasks known;
  std::vector<const Plan*> plans;
  std::optional<Program> program;
  if (options.program.file.empty()) {
    known = known_tasks("", console);
  } else {
    auto file = options.program;
    file.may_lack_experiments = true;
    program = load_program(file, console);
    if (!program) return std::nullopt;
    for (const Job& job : program->jobs) plans.push_back(&job.plan);
    known = known_tasks_of(program->document);
  }
  add_offered(known.of_file, offer);
  add_offered(known.of_library, offer);
  offer_plans(plans, options.program.measured_times, offer);
  add_prompts(offer, interrupt);
  return offer;
}

/// Runs the server until the user or the system stops it.
class Server {
 public:
  Server(const ServeCommand& options, const Offer& offer, std::map<std::string, std::string> tokens,
         const Interrupt& interrupt, Console& console)
      : options_(options), interrupt_(interrupt), console_(console) {
    if (!options.no_store) {
      AccessOptions access;
      access.details["file"] = options.program.file;
      store_.emplace(options.program.store, StoreWriter::OnStep(), access);
      std::vector<json> tasks;
      for (const OfferedTask& task : offer.tasks) tasks.push_back(task.task);
      archive_.emplace(*store_, tasks, offer.protocols,
                       [this](const std::string& why) { say("verdicts couldn't be stored: " + why); });
    }
    HttpOptions http;
    http.host = options.host, http.port = static_cast<std::uint16_t>(options.port);
    http.most_connections = static_cast<std::size_t>(options.connections);
    http.most_body = static_cast<std::size_t>(options.megabytes) << 20;
    http.failed = [this](const std::string& why) { say("a request failed: " + why); };
    http.certificate = options.certificate,
    http.key = options.key.empty() ? options.certificate : options.key;
    server_.emplace(
        http,
        [this](const HttpRequest& request, const std::shared_ptr<Exchange>& exchange) {
          service_->handle(request, exchange);
        },
        [this](const HttpRequest& request) { return service_->screen(request); },
        [](int, const std::string& code, const std::string& message) {
          return dumped(error_body(code, message)) + "\n";
        });
    PoolOptions pool;
    pool.program = find_verifier();
    pool.secret = store_ ? store_->secret() : random_secret();
    pool.slots = slots();
    pool.sandbox = !options.no_sandbox, pool.measured = options.program.measured_times;
    pool.most_waiting = static_cast<std::size_t>(options.queue);
    pool.most_waiting_of_client = std::max<std::size_t>(1, pool.most_waiting / 2);
    pool_.emplace(pool);
    ServiceOptions service;
    service.deadline = options.deadline, service.tokens = std::move(tokens);
    service_.emplace(offer, *pool_, archive_ ? &*archive_ : nullptr, service,
                     [this](std::function<void()> call) { server_->post(std::move(call)); });
  }

  int run() {
    server_->when_readable(interrupt_.descriptor(), [this] { drain(); });
    watch();
    const bool six = options_.host.find(':') != std::string::npos;
    say(fmt::format("listening on {}://{}:{}", options_.certificate.empty() ? "http" : "https",
                    six ? "[" + options_.host + "]" : options_.host, server_->port()));
    server_->run();
    pool_.reset();  // its threads call the server's `post`
    service_.reset();
    server_.reset();
    archive_.reset();  // stores the remaining judgements
    if (!failure_.empty()) throw UserError("no worker slot starts: " + failure_, "Run `trl doctor`.");
    return fine;
  }

 private:
  std::size_t slots() const {
    if (options_.slots != by_cores) return static_cast<std::size_t>(options_.slots);
    return options_.program.measured_times ? 1 : std::max(1u, std::thread::hardware_concurrency());
  }

  void say(const std::string& text) { console_.err << wrapped("trl: " + text, 5) << std::endl; }

  /// Checks the slots while they start, and updates the numbers of connections.
  void watch() {
    const auto state = pool_->state();
    if (!ready_ && state.ready == state.slots) {
      ready_ = true;
      say(fmt::format("{} of {} worker slots are warm", state.ready, state.slots));
    }
    if (!ready_ && !state.failure.empty()) {
      failure_ = state.failure;
      server_->stop();
      return;
    }
    service_->note_connections(server_->connections(), server_->requests());
    if (draining_ && (server_->requests() == 0 || std::chrono::steady_clock::now() > end_ ||
                      interrupt_.times() > signals_)) {
      server_->stop();
      return;
    }
    server_->after(draining_ ? 20ms : 200ms, [this] { watch(); });
  }

  void drain() {
    draining_ = true;
    signals_ = interrupt_.times();
    end_ = std::chrono::steady_clock::now() + std::chrono::seconds(options_.drain_seconds);
    say(fmt::format("ending: {} requests are answered first, for at most {} s", server_->requests(),
                    options_.drain_seconds));
    service_->drain();
    server_->close_connections();
    server_->after(20ms, [this] { watch(); });
  }

  const ServeCommand& options_;
  const Interrupt& interrupt_;
  Console& console_;
  std::optional<StoreWriter> store_;
  std::optional<Archive> archive_;
  std::optional<HttpServer> server_;
  std::optional<Pool> pool_;
  std::optional<Service> service_;
  bool ready_ = false, draining_ = false;
  int signals_ = 0;
  std::chrono::steady_clock::time_point end_;
  std::string failure_;
};

int serve(const ServeCommand& options, Console& console) {
  if (options.show_openapi) {
    console.out << openapi().dump(1) << '\n';
    return fine;
  }
  if (options.port < 0 || options.port > 65535) throw WrongUsage("--port is no number from 0 to 65535");
  const auto at_least = [](const char* option, int value, int least) {
    if (value < least)
      throw WrongUsage(fmt::format("{} is {}, and at least {} is needed", option, value, least));
  };
  if (options.slots != by_cores) at_least("--slots", options.slots, 1);
  at_least("--deadline", options.deadline, 1);
  at_least("--queue", options.queue, 1);
  at_least("--connections", options.connections, 1);
  at_least("--megabytes", options.megabytes, 1);
  at_least("--drain", options.drain_seconds, 0);
  if (!options.key.empty() && options.certificate.empty())
    throw WrongUsage("--key is of no use without --certificate", "Name both, or the certificate alone.");
  if (options.program.file.empty() && !options.program.sets.empty())
    throw WrongUsage("--set changes a file, and none is named");
  auto tokens = read_tokens(options.token_file);
  if (tokens.empty() && !is_loopback(options.host))
    throw WrongUsage("a server that others reach needs a token",
                     "Make one by `openssl rand -hex 32 > tokens`, and add --tokens tokens.");
  const Interrupt interrupt;
  const auto offer = offer_of(options, interrupt, console);
  if (!offer) return failed;
  return Server(options, *offer, std::move(tokens), interrupt, console).run();
}

}  // namespace

void add_serve(Command trl, Console& console, int& status) {
  auto options = std::make_shared<ServeCommand>();
  auto command = trl.add_command("serve", "Serve verdicts and rewards over HTTP, for other trainers");
  command
      .add_option(
          "FILE", options->program.file,
          "A .trl file with the tasks, protocols and rewards to offer; without it the library's tasks")
      .type_name("");
  command.add_option("--port", options->port, "The port (8008); 0 takes any that is free, which is printed")
      .type_name("N");
  command
      .add_option("--host", options->host,
                  "The IP address to listen on (127.0.0.1); others than loopback need --tokens")
      .type_name("ADDRESS");
  command
      .add_option("--tokens", options->token_file,
                  "A file with a token a line, or a client's name and its token; clients must then send one")
      .type_name("FILE");
  command
      .add_option("--certificate", options->certificate,
                  "Serve by TLS with this chain of certificates in PEM")
      .type_name("FILE");
  command.add_option("--key", options->key, "The certificate's private key; by default in the same file")
      .type_name("FILE");
  command.add_option("--slots", options->slots, "Worker slots; by default one a core, about 1 GB each")
      .type_name("N");
  command
      .add_option("--deadline", options->deadline,
                  "Seconds within which each request is answered (60); a request may ask for fewer")
      .type_name("S");
  command
      .add_option("--queue", options->queue,
                  "Answers that may wait for a slot (8192), half of them those of one client")
      .type_name("N");
  command.add_option("--connections", options->connections, "Connections that may be open (2048)")
      .type_name("N");
  command.add_option("--megabytes", options->megabytes, "The largest body of a request (16)").type_name("N");
  command.add_option("--drain", options->drain_seconds, "Seconds for open requests after SIGTERM (60)")
      .type_name("S");
  command.add_flag("--no-store", options->no_store, "Don't store verdicts");
  command.add_flag("--openapi", options->show_openapi, "Print the OpenAPI document and end");
  command.add_flag("--no-sandbox", options->no_sandbox,
                   "Run candidates' Python without a sandbox, on machines that allow none");
  add_sets(command, options->program.sets);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_examples(command,
               "  trl serve                            the library's tasks, on 127.0.0.1:8008\n"
               "  trl serve study.trl --port 9000      with the file's rewards\n"
               "  trl serve --host 0.0.0.0 --tokens tokens --certificate server.pem\n"
               "  curl localhost:8008/v1/verify -d '{\"task\": \"level1/1\", \"answer\": \"…\"}'",
               "0 ended by a signal, 1 errors of the file, 2 wrong usage");
  command.callback([options, &console, &status] { status = serve(*options, console); });
}

}  // namespace trl::interpreter
