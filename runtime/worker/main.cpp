// trl-worker: carries out stages for trl.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/headers/command_line.hpp"
#include "base/support/reading.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/worker/server.hpp"
#include "runtime/worker/stages.hpp"

namespace {

// Settings that libraries read before main starts. Parallelism is above tensor operations and never inside
// them, and no idle thread spins.
constexpr std::pair<const char*, const char*> kEnvironment[] = {{"OMP_NUM_THREADS", "1"},
                                                                {"OMP_WAIT_POLICY", "passive"},
                                                                {"GOMP_SPINCOUNT", "0"},
                                                                {"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}};

// Starts this program again if the environment lacks these settings.
void restart_with_environment(char** arguments) {
  if (std::getenv("TRL_WORKER_STARTED")) return;
  for (const auto& [name, value] : kEnvironment) ::setenv(name, value, 1);
  ::setenv("TRL_WORKER_STARTED", "1", 1);
  ::execv("/proc/self/exe", arguments);
}

}  // namespace

int main(int count, char** arguments) {
  restart_with_environment(arguments);
  // Every operation allocates and frees tensors of some megabytes: malloc keeps that memory instead of asking
  // the kernel for it each time.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);

  trl::CommandLine command(
      "Carries out stages for trl: newline-delimited JSON over a descriptor (docs/interfaces.md, section "
      "3).");
  int descriptor = -1;
  std::string file;
  const auto protocol =
      command.add_option("--protocol-fd", descriptor, "the descriptor to serve requests on");
  command.add_option("--stage", file, "run the one request in this JSON file; its events go to stdout")
      .excludes(protocol);
  command.add_version("trl-worker " TRL_VERSION);
  if (const auto status = command.parse(count, arguments)) return *status;

  using namespace trl::runtime;
  load_cuda_where_there_is_a_gpu();
  if (!file.empty()) {
    nlohmann::json request;
    try {
      request = nlohmann::json::parse(trl::read_text(file, {.argument = true}), nullptr, false);
    } catch (const trl::UserError& error) {
      std::cerr << fmt::format("trl-worker: {}\n", error.what());
      return 2;
    }
    if (!request.is_object()) {
      std::cerr << fmt::format("trl-worker: {}: not a JSON object\n", file);
      return 2;
    }
    return run_once(request, STDOUT_FILENO, find_stage);
  }
  if (descriptor < 0) {
    std::cerr << "trl-worker: nothing to do: give --protocol-fd N or --stage FILE.json (see --help)\n";
    return 2;
  }
  return serve(descriptor, find_stage);
}
