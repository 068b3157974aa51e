#include "interpreter/schedule/cluster.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/home.hpp"
#include "interpreter/schedule/worker_process.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* program_name = "runtime/cluster/engine.py";
/// How long the program may take to end after its connection is closed.
constexpr std::chrono::seconds cluster_shutdown_time{10};
/// The programs that every node must have in the same build as this machine, if this machine has them.
constexpr const char* programs[] = {"trl-executor", "trl-kernel-check", "trl-runner", "trl-sandbox"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

fs::path ray_python(const fs::path& home) {
  if (const auto named = variable("TRL_RAY_PYTHON"); !named.empty()) return named;
  return find_python(home);
}

Cluster::Cluster(ClusterOptions options, const Interrupt& interrupt)
    : options_(std::move(options)), interrupt_(interrupt) {
  start();
}

Cluster::~Cluster() {
  program_.end_input();
  program_.wait(cluster_shutdown_time);
  std::error_code ignored;
  fs::remove(options_.token, ignored);
}

void Cluster::start() {
  const auto program = options_.home / program_name;
  if (!fs::exists(program))
    throw UserError(std::string(program_name) + " isn't beside trl",
                    "set TRL_HOME to the folder that holds runtime/cluster/");
  const auto python = ray_python(options_.home);
  // The program dies with this process. Ray then ends its actors, and the actors their workers.
  start_for_good([&] {
    program_ = ChildProcess({python.string(), "-B", program.string(), "--protocol-fd",
                             std::to_string(ChildProcess::channel_descriptor)},
                            {.log = options_.log, .dies_with_us = true});
  });
  const auto worker = find_worker();
  json names = {worker.filename().string()};
  for (const char* name : programs)
    if (fs::exists(worker.parent_path() / name)) names.push_back(name);
  const auto candidates_python = find_python(options_.home);
  program_.write_line(json{{"address", options_.address},
                           {"bin", worker.parent_path().string()},
                           {"worker", worker.filename().string()},
                           {"programs", names},
                           {"home", options_.home.string()},
                           {"python", candidates_python.string()},
                           {"libraries", variable("LD_LIBRARY_PATH")},
                           {"token", options_.token.string()},
                           {"silence_s", WorkerOptions().silence_limit / std::chrono::seconds(1)}}
                          .dump());
  nodes_.clear();
  const json said = answer();
  for (const auto& node : said.at("nodes"))
    nodes_.push_back({node.at("name"), node.at("cores"), node.at("gpus")});
}

json Cluster::answer() {
  const auto line = program_.read_line(WaitLimit::until_readable(interrupt_.descriptor()));
  if (interrupt_.requested()) throw Interrupted();
  const json said = line ? json::parse(*line, nullptr, false) : json();
  if (!said.is_object()) {
    program_.stop();
    throw UserError("the program that connects to the cluster has ended",
                    "Its log is " + options_.log.string() + ".");
  }
  if (said.value("event", std::string()) == "error")
    throw UserError(said.value("message", std::string()), said.value("help", std::string()));
  return said;
}

json Cluster::examined() {
  const std::lock_guard lock(mutex_);
  program_.write_line(R"({"examine": true})");
  return answer().at("nodes");
}

ByteChannel Cluster::connect(const SeatNeeds& needs) {
  const std::lock_guard lock(mutex_);
  if (!program_.alive()) start();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UserError("no connection can be made: too many files are open", "Raise `ulimit -n`.");
  ByteChannel ours(ends[0]);
  program_.hand_over(ends[1]);
  ::close(ends[1]);
  ours.send_line(json{{"needs", {{"CPU", needs.cores}, {"GPU", needs.gpus}}}}.dump());
  return ours;
}

ClusterShares shares_of(const std::vector<ClusterNode>& nodes, const ClusterShares& wanted, bool all_gpus) {
  ClusterShares shares = wanted;
  const bool on_gpus = all_gpus || wanted.gpus > 0;
  const auto whole = [](double count) { return static_cast<int>(std::floor(count)); };
  int gpus = 0, smallest = 0;
  std::vector<int> cores;  // that a node has for workers
  for (const auto& node : nodes) {
    gpus += whole(node.gpus);
    cores.push_back(std::max(0, whole(node.cores) - (on_gpus ? whole(node.gpus) : 0)));
    if (cores.back() > 0) smallest = smallest == 0 ? cores.back() : std::min(smallest, cores.back());
  }
  if (all_gpus) shares.gpus = static_cast<std::size_t>(gpus);
  if (on_gpus && shares.gpus == 0)
    throw UserError("no node of the cluster has a GPU that Ray knows of",
                    "Start its nodes with `ray start --num-gpus N`, or leave --device cuda out.");
  if (shares.threads == 0) shares.threads = std::max(1, smallest);
  if (shares.workers == 0)
    for (const int count : cores) shares.workers += static_cast<std::size_t>(count / shares.threads);
  if (!on_gpus && shares.workers == 0)
    throw UserError(
        "no node of the cluster has " + std::to_string(shares.threads) + " cores",
        "Lower --threads, or say by --workers how many workers to wait for while the cluster grows.");
  return shares;
}

}  // namespace trl::interpreter
