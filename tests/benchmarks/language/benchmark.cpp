// How the time and memory of `check` grow with the file.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/support/digest.hpp"
#include "base/support/files.hpp"
#include "language/program/program.hpp"
#include "language/syntax/parse.hpp"
#include "tests/benchmarks/language/generated.hpp"

namespace {

using trl::benchmarks::program;
using trl::language::Node;
using trl::language::NodeKind;

/// The content of the syntax tree as JSON: fields and declarations by name, expressions as lists of their
/// leaves.
nlohmann::json content(const Node& node, std::string_view text) {
  if (node.children.empty()) return std::string(node.text(text));
  nlohmann::json out = nlohmann::json::array();
  for (const Node& child : node.children)
    if (child.kind < NodeKind::blank) out.push_back(content(child, text));
  return out;
}

double seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

struct Row {
  double check = 0, json = 0;
  std::size_t diagnostics = 0;
};

Row measure(const std::string& path, bool with_json) {
  Row row;
  if (with_json) {
    const std::string text = trl::read_text(path);
    const std::string as_json = path + ".json";
    std::ofstream(as_json) << content(trl::language::parse(text).tree, text).dump(1);
    row.json = seconds([&] {
      const std::string json = trl::read_text(as_json);
      (void)trl::sha256(json);
      if (nlohmann::json::parse(json).empty()) std::abort();
    });
  }
  row.check = seconds([&] {
    const auto checked = trl::language::check_file(path);
    row.diagnostics = checked.diagnostics.size();
  });
  return row;
}

constexpr const char* small_file = R"(## A small study.
import windtunnel

model base { weights = windtunnel.base }
lora writer { rank = 16, alpha = 32 }

split seen     = windtunnel.level1[1..40]
split held_out = windtunnel.level1[41..60]

train reinforce : best_of_n { tasks = seen, rounds = 3, candidates = 8, keep = 2, max_tokens = 256 }
train unfiltered : reinforce { keep_by = random }
evaluation exam { split = held_out, samples = 1, temperature = 0.7, max_tokens = 256 }

experiment study {
  model = base, adapter = writer
  train = reinforce, controls = [unfiltered]
  evaluate = exam
  seeds = 1..3
}
table main { of = study, rows = cells + controls, columns = [correct, speedup] }
)";

/// Seconds from the start of a process to its exit, the best of some; its output goes nowhere.
double process_seconds(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  double best = 1e9;
  for (int run = 0; run < 20; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    int status = 0;
    if (::posix_spawnp(&child, arguments[0], &quiet, nullptr, arguments.data(), environ) != 0 ||
        ::waitpid(child, &status, 0) != child || status != 0)
      throw std::runtime_error(words[0] + " failed");
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  posix_spawn_file_actions_destroy(&quiet);
  return best;
}

void whole_process(const std::string& path) {
  std::ofstream(path, std::ios::binary) << small_file;
  const double check = process_seconds({TRL_PROGRAM, "check", "--strict", path});
  const double read = process_seconds({"cat", path});
  std::printf("a small file that imports windtunnel, from process start to exit: %.1f ms, %.1f times `cat`\n",
              check * 1e3, check / read);
}

}  // namespace

int main(int count, char** values) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::strtoul(values[i], nullptr, 10));
  if (sizes.empty()) sizes = {2000, 10000, 50000, 200000};
  char folder[] = "/tmp/language_benchmark.XXXXXX";
  if (!::mkdtemp(folder)) return 1;
  const std::string path = std::string(folder) + "/program.trl";
  std::printf("%9s %9s %9s %9s %9s %9s\n", "lines", "MB", "seconds", "us/line", "relative", "MiB peak");
  double first = 0;
  for (const std::size_t lines : sizes) {
    const std::string text = program(lines);
    std::ofstream(path, std::ios::binary) << text;
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    const pid_t child = ::fork();
    if (child == 0) {
      const Row row = measure(path, lines == sizes.front());
      ::_exit(::write(ends[1], &row, sizeof row) == sizeof row ? 0 : 1);
    }
    ::close(ends[1]);
    Row row;
    const bool whole = ::read(ends[0], &row, sizeof row) == sizeof row;
    ::close(ends[0]);
    rusage used{};
    int status = 0;
    ::wait4(child, &status, 0, &used);
    if (!whole) return 1;
    const double each = row.check / static_cast<double>(lines) * 1e6;
    if (lines == sizes.front()) first = each;
    std::printf("%9zu %9.2f %9.4f %9.2f %9.2f %9.0f\n", lines, static_cast<double>(text.size()) / 1e6,
                row.check, each, each / first, static_cast<double>(used.ru_maxrss) / 1024);
    if (row.diagnostics > 0) std::printf("          %zu findings\n", row.diagnostics);
    if (row.json > 0)
      std::printf("          read and hashed as JSON: %.4f s; the check takes %.1f times that\n", row.json,
                  row.check / row.json);
    std::fflush(stdout);
  }
  whole_process(path);
  std::remove(path.c_str());
  std::remove((path + ".json").c_str());
  ::rmdir(folder);
}
