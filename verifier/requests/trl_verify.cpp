// trl-verify carries out requests of `trl verify` and `trl audit`, is a worker slot of `trl serve`, and
// judges rows of candidates for benchmarks.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>

#include "base/headers/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "base/support/reading.hpp"
#include "verifier/examination/verify.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/plan/commitment.hpp"
#include "verifier/requests/requests.hpp"
#include "verifier/service/service.hpp"

namespace {

using namespace trl;
using namespace trl::runtime;

void write_bytes(const std::string& file, const void* data, std::size_t size) {
  std::ofstream out(file, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!out) throw UserError(file + " cannot be written");
}

nlohmann::json counted(const trl::executor::ProgramWork& work) {
  return {{"loads", work.loads},        {"sectors", work.sectors}, {"distinct", work.distinct},
          {"steps", work.steps},        {"lanes", work.lanes},     {"flops", work.flops},
          {"dot_flops", work.dot_flops}};
}

nlohmann::json counted(const trl::executor::Counters& launch) {
  return {{"programs", launch.programs},
          {"sectors_read", launch.sectors_read},
          {"sectors_written", launch.sectors_written},
          {"sectors_read_first", launch.sectors_read_first},
          {"sectors_written_first", launch.sectors_written_first},
          {"loads", launch.loads},
          {"stores", launch.stores},
          {"flops", launch.flops},
          {"dot_flops", launch.dot_flops},
          {"steps", launch.steps},
          {"lanes", launch.lanes},
          {"asks", launch.asks},
          {"same_place", launch.same_place},
          {"clock_ns", launch.clock_ns},
          {"most", counted(launch.most)},
          {"unfilled_loads", launch.unfilled_loads}};
}

/// Reads {"task", "answer", …} from each line, and prints it with its "verdict" and, for each launch, its
/// "counters" at the task's own sizes.
int verify_rows(const std::string& file, const std::string& secret, bool sandbox, bool gpu, bool executor,
                const std::string& folder, const std::vector<std::string>& variations,
                const TimingProtocol& timing) {
  Protocol protocol;
  protocol.strict = true;
  if (!variations.empty()) protocol.variations.clear();
  for (const std::string& one : variations) protocol.variations.push_back(Variation::parse(one));
  const Installation installation = find_installation();
  Verifier verifier(installation, sandbox);
  verifier.set_own_modules(true);
  if (gpu) {
    protocol.timing = timing;
    protocol.executor = executor;
    verifier.set_gpu(std::make_shared<ExclusiveGpu>(installation));
  }
  int wrong = 0, number = 0;
  std::string prefix;
  if (!folder.empty())
    protocol.watch = [&](const std::vector<InputData>& inputs, const GpuReplay& replayed) {
      for (std::size_t i = 0; i < inputs.size(); ++i)
        write_bytes(fmt::format("{}.input{}", prefix, i), inputs[i].bytes.data(), inputs[i].bytes.size());
      if (replayed.outputs.empty()) return;
      const auto& output = replayed.outputs.front();
      write_bytes(prefix + ".output", output.data(), output.size() * sizeof(double));
    };
  for_each_line(file, {.most = UINT64_MAX, .argument = true}, [&](const std::string& line) {
    auto row = nlohmann::json::parse(line);
    const Task task = Task::parse(row.at("task"));
    prefix = fmt::format("{}/{}", folder, number++);
    const auto begin = std::chrono::steady_clock::now();
    const Verdict verdict = verifier.verify(task, row.at("answer").get<std::string>(), protocol, secret);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    row["verdict"] = verdict.to_json();
    row["seconds"] = took.count();
    row["spent"] = verdict.timings.to_json();
    row["counters"] = nlohmann::json::array();
    for (const auto& launch : verdict.counters) row["counters"].push_back(counted(launch));
    fmt::print("{}\n", dumped(row));
    std::fflush(stdout);  // the process that writes to standard input may wait for this output
    wrong += !verdict.correct;
  });
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  trl::CommandLine command(
      "Carries out what `trl verify` and `trl audit` ask for, and judges rows of candidates for benchmarks.");
  std::string rows, outputs, secret;
  std::vector<std::string> variations;
  TimingProtocol timing;
  bool no_sandbox = false, gpu = false, gpu_alone = false, asked = false, serves = false;
  command.add_option(
      "--rows", rows,
      "JSON lines {task, answer}, `-`: from standard input; printed with verdict and counters");
  command.add_option("--variations", variations, "with --rows: of the inputs; `original` when left out");
  command.add_option(
      "--outputs", outputs,
      "with --rows and --gpu: a folder for inputs as they are and outputs as f64, N.input0 and N.output");
  command.add_option("--trials", timing.trials, "with --rows and --gpu: timed runs, 50 when left out");
  command.add_option("--warm-up", timing.warmup, "with --rows and --gpu: runs before them, 10 when left out");
  command.add_option("--secret", secret,
                     "what inputs are drawn from; left out, one is drawn and printed to standard error");
  command.add_flag("--no-sandbox", no_sandbox, "run the candidate with your own rights");
  command.add_flag("--gpu", gpu, "replay and time right candidates on the GPU, too");
  command.add_flag("--gpu-alone", gpu_alone, "with --rows: as --gpu, and values are judged on the GPU alone");
  command.add_flag("--request", asked,
                   "carry out what standard input asks for: of `trl verify` and `trl audit`");
  command.add_flag("--serve", serves,
                   "judge candidates that arrive as lines on standard input: a worker slot of `trl serve`");
  if (const auto status = command.parse(count, words)) return *status;
  // Candidates are judged in parallel, so tensor operations use one thread each.
  at::set_num_threads(1);
  if (!rows.empty() + asked + serves != 1) {
    std::cerr << "error: one of --rows, --request and --serve is needed; `trl verify` judges one candidate\n";
    return 2;
  }
  try {
    if (asked) return carry_out_request();
    if (serves) return serve_candidates(std::cin, std::cout);
    // With a known secret one could search for answers that happen to be right on its inputs.
    if (secret.empty()) std::cerr << "secret: " << (secret = random_secret()) << "\n";
    return verify_rows(rows, secret, !no_sandbox, gpu || gpu_alone, !gpu_alone, outputs, variations, timing);
  } catch (const UserError& error) {
    std::cerr << "error: " << error.what() << "\n";
    if (!error.help.empty()) std::cerr << "  help: " << error.help << "\n";
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 2;
}
