// Examines several GPUs: whether they are the same model, how they are linked, and how fast they exchange
// data.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/support/counted.hpp"
#include "interpreter/doctor/listed_gpus.hpp"
#include "interpreter/doctor/probes.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

using Outcome = Finding::Outcome;

/// Finds NCCL as torch does, among NVIDIA's packages, and prints its version and path.
constexpr const char* nccl_script = R"(import ctypes, importlib.util, pathlib
spec = importlib.util.find_spec('nvidia.nccl')
path = pathlib.Path(list(spec.submodule_search_locations)[0]) / 'lib' / 'libnccl.so.2'
number = ctypes.c_int()
assert ctypes.CDLL(str(path)).ncclGetVersion(ctypes.byref(number)) == 0
print(f'{number.value // 10000}.{number.value // 100 % 100}.{number.value % 100}', path)
)";

/// Starts one process for each GPU; together they add up 256 MiB, for two seconds. Prints the number of GPUs
/// and the bus bandwidth in GB/s: 2 (n - 1) / n of the bytes, divided by the time of one sum, which is the
/// load on the links of a ring. The processes run this text again, with their rank, the number of processes
/// and the file by which they find each other.
constexpr const char* all_reduce_script = R"(import datetime, os, subprocess, sys, tempfile, time
import torch
import torch.distributed as distributed
if len(sys.argv) == 1:
    count = torch.cuda.device_count()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, '-s', '-c', sys.orig_argv[3]]
        ranks = [subprocess.Popen(command + [str(rank), str(count), folder + '/meeting']) for rank in range(count)]
        failed = 0
        for rank in ranks:
            try:
                failed |= rank.wait(50)
            except subprocess.TimeoutExpired:
                failed = 1
        for rank in ranks:
            rank.kill()
    sys.exit(1 if failed else 0)
rank, count = int(sys.argv[1]), int(sys.argv[2])
torch.cuda.set_device(rank)
distributed.init_process_group('nccl', init_method='file://' + sys.argv[3], rank=rank, world_size=count,
                               timeout=datetime.timedelta(seconds=40))
data = torch.zeros(64 << 20, device='cuda')
def run(times):
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(times):
        distributed.all_reduce(data)
    torch.cuda.synchronize()
    return (time.perf_counter() - begun) / times
run(5)
seconds = torch.tensor([run(5)], device='cuda')
distributed.all_reduce(seconds, distributed.ReduceOp.MAX)
taken = run(max(5, min(5000, int(2 / seconds.item()))))
if rank == 0:
    print(count, 2 * (count - 1) / count * data.numel() * 4 / taken / 1e9)
distributed.destroy_process_group()
)";

/// The matrix of `nvidia-smi topo`: for each pair of GPUs with numbers a < b, the text of its cell.
std::map<std::pair<int, int>, std::string> pairs_of(const std::string& text) {
  const auto cells_of = [](std::string line) {
    // Headers are underlined by escape sequences.
    for (auto at = line.find('\x1b'); at != std::string::npos; at = line.find('\x1b'))
      line.erase(at, line.find('m', at) - at + 1);
    std::vector<std::string> cells;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, '\t');) cells.push_back(trimmed(word));
    return cells;
  };
  const auto number_of = [](const std::string& name) {
    return name.starts_with("GPU") && name.size() > 3 &&
                   name.find_first_not_of("0123456789", 3) == std::string::npos
               ? std::stoi(name.substr(3))
               : -1;
  };
  std::map<std::pair<int, int>, std::string> pairs;
  std::vector<std::string> header;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto cells = cells_of(line);
    if (cells.size() < 2) continue;
    if (header.empty() && cells[0].empty() && number_of(cells[1]) >= 0) {
      header = cells;
      continue;
    }
    const int row = number_of(cells[0]);
    if (header.empty() || row < 0) continue;
    for (std::size_t i = 1; i < std::min(cells.size(), header.size()); ++i)
      if (const int column = number_of(header[i]); column > row) pairs[{row, column}] = cells[i];
  }
  return pairs;
}

/// How two GPUs are linked, by the words of `nvidia-smi topo -m`.
std::string link_text(const std::string& word) {
  if (word == "PIX" || word == "PXB") return "PCIe switches";
  if (word == "PHB" || word == "NODE") return "PCIe and the CPU";
  if (word == "SYS") return "PCIe and the link between CPU sockets";
  return "a link that is called " + word;
}

/// The number of NVLinks of "NV18"; 0 for other links.
int nvlinks_of(const std::string& word) { return word.starts_with("NV") ? std::atoi(word.c_str() + 2) : 0; }

Finding kinds_finding(const std::vector<ListedGpu>& gpus) {
  std::map<std::string, std::size_t> kinds;
  for (const auto& gpu : gpus) ++kinds[gpu.name];
  std::string text;
  for (const auto& [name, count] : kinds)
    text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", count, name);
  if (kinds.size() == 1) return {"GPUs", Outcome::fine, "all of one kind: " + text, "", ""};
  return {"GPUs", Outcome::note, "of several kinds: " + text,
          "GPUs of one kind, for results that can be compared and groups that don't wait",
          "Name those of one kind in CUDA_VISIBLE_DEVICES; `nvidia-smi --list-gpus` has their numbers"};
}

struct Links {
  int nvlinks = 0;  ///< the fewest NVLinks of a pair; 0 if a pair has none
  std::optional<Finding> finding;
};

Links links_of(const Machine& machine) {
  const auto topology = machine.run({"nvidia-smi", "topo", "-m"});
  const auto pairs =
      topology.status == 0 ? pairs_of(topology.out) : std::map<std::pair<int, int>, std::string>();
  if (pairs.empty())
    return {0, Finding{"links of GPUs", Outcome::note, "unknown, since `nvidia-smi topo -m` doesn't say them",
                       "NVLink, for groups of GPUs at their full speed", "Update the driver"}};
  Links links;
  links.nvlinks = nvlinks_of(pairs.begin()->second);
  std::set<std::string> others;
  for (const auto& [pair, word] : pairs) {
    links.nvlinks = std::min(links.nvlinks, nvlinks_of(word));
    if (nvlinks_of(word) == 0) others.insert(link_text(word));
  }
  if (others.empty()) {
    links.finding = Finding{"links of GPUs", Outcome::fine,
                            fmt::format("NVLink between any two, at least {}",
                                        counted(static_cast<std::size_t>(links.nvlinks), "link")),
                            "", ""};
    return links;
  }
  std::string text;
  for (const auto& other : others) text += (text.empty() ? "" : "; ") + other;
  links.finding =
      Finding{"links of GPUs", Outcome::note, "some pairs exchange data by " + text,
              "NVLink, for groups of GPUs at their full speed",
              "Nothing has to be done: results are the same, and stages that run beside each other "
              "exchange nothing"};
  return links;
}

std::optional<Finding> peer_access(const Machine& machine) {
  const auto topology = machine.run({"nvidia-smi", "topo", "-p2p", "r"});
  if (topology.status != 0) return std::nullopt;
  const std::map<std::string, std::string> reasons = {{"CNS", "the chipset doesn't support it"},
                                                      {"GNS", "the GPU doesn't support it"},
                                                      {"TNS", "the topology doesn't support it"},
                                                      {"NS", "it isn't supported"},
                                                      {"DR", "the driver disables it"}};
  std::size_t without = 0;
  std::string why;
  const auto pairs = pairs_of(topology.out);
  for (const auto& [pair, word] : pairs) {
    if (word == "OK") continue;
    ++without;
    const auto reason = reasons.find(word);
    why = reason == reasons.end() ? word : reason->second;
  }
  if (pairs.empty()) return std::nullopt;
  if (without == 0)
    return Finding{"peer access", Outcome::fine, "GPUs read each other's memory directly", "", ""};
  return Finding{
      "peer access", Outcome::note,
      fmt::format("{} of {} can't read each other's memory: {}", without, counted(pairs.size(), "pair"), why),
      "direct access, without which data goes through the host's memory",
      "In a virtual machine let the host pass the GPUs through with their switches; on bare metal turn "
      "off PCIe's ACS and the IOMMU"};
}

/// Checks whether the GPUs have joined the fabric of their NVSwitches. Nothing if there are none.
std::optional<Finding> fabric(const Machine& machine) {
  const auto queried = machine.run({"nvidia-smi", "-q"});
  if (queried.status != 0) return std::nullopt;
  std::set<std::string> states;
  bool within = false;
  std::istringstream lines(queried.out);
  for (std::string line; std::getline(lines, line);) {
    const auto text = trimmed(line);
    if (text == "Fabric") within = true;
    if (!within || !text.starts_with("State")) continue;
    if (const auto colon = text.find(':'); colon != std::string::npos)
      states.insert(trimmed(text.substr(colon + 1)));
    within = false;
  }
  states.erase("N/A");
  if (states.empty()) return std::nullopt;
  if (states == std::set<std::string>{"Completed"})
    return Finding{"fabric manager", Outcome::fine, "the GPUs are joined to their NVSwitches", "", ""};
  return Finding{
      "fabric manager", Outcome::lacking,
      "the GPUs aren't joined to their NVSwitches (" + *states.begin() + "), and CUDA doesn't start on them",
      "nvidia-fabricmanager of the driver's version, running",
      "sudo systemctl enable --now nvidia-fabricmanager; its package is nvidia-fabricmanager-570 for a "
      "driver 570"};
}

Finding nccl(const Machine& machine, Outcome outcome) {
  const auto asked = machine.run({python_of(machine).string(), "-s", "-c", nccl_script});
  if (asked.status == 0) {
    const auto text = trimmed(asked.out);
    return {"NCCL", Outcome::fine, text.substr(0, text.find(' ')), "", ""};
  }
  const auto why = trimmed(last_line(asked.err));
  return {
      "NCCL", outcome, "not found" + (why.empty() ? "" : ": " + why),
      "for stages on several GPUs together; --gpus 1 does without",
      python_of(machine).string() + " -m pip install nvidia-nccl-cu13, or a torch that was built for CUDA"};
}

std::optional<Finding> all_reduce(const Machine& machine, const Links& links, Outcome outcome) {
  const auto ran = machine.run({python_of(machine).string(), "-s", "-c", all_reduce_script});
  int count = 0;
  double measured = 0;
  std::istringstream words(ran.out);
  if (ran.status != 0 || !(words >> count >> measured)) {
    const auto why = trimmed(last_line(ran.err));
    return Finding{
        "all-reduce", outcome, "the GPUs can't exchange data" + (why.empty() ? "" : ": " + why),
        "for stages on several GPUs together; --gpus 1 does without",
        "NCCL_DEBUG=INFO trl doctor --device cuda shows what NCCL tries; NCCL_P2P_DISABLE=1 leaves "
        "direct access out"};
  }
  if (count < 2) return std::nullopt;  // CUDA_VISIBLE_DEVICES hides the other GPUs
  // An NVLink of the third and fourth generation carries 25 GB/s each way.
  const double link = 25.0 * links.nvlinks, expected = links.nvlinks > 0 ? 0.7 * link : 10;
  Finding finding{
      "all-reduce", Outcome::fine,
      fmt::format("{:.0f} GB/s among {} GPUs; about {:.0f} GB/s or more {} expected", measured, count,
                  expected, links.nvlinks > 0 ? fmt::format("of {:.0f} are", link) : "are"),
      "", ""};
  if (measured >= expected / 2) return finding;
  finding.outcome = Outcome::note;
  finding.needed = "the links' speed, for groups of GPUs that gain what they can";
  finding.remedy =
      "Is something else running on the GPUs? NCCL_DEBUG=INFO shows which links NCCL takes; NCCL_P2P_DISABLE "
      "and "
      "NCCL_P2P_LEVEL in the environment may keep it from them";
  return finding;
}

}  // namespace

std::vector<Finding> probe_gpus(const Machine& machine, const Needs& needs) {
  const auto gpus = listed_gpus(machine);
  if (gpus.size() < 2) return {};
  const auto outcome = needs.gpu ? Outcome::lacking : Outcome::note;
  std::vector<Finding> findings = {kinds_finding(gpus)};
  const auto links = links_of(machine);
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  add(links.finding);
  add(peer_access(machine));
  const auto joined = fabric(machine);
  add(joined);
  findings.push_back(nccl(machine, outcome));
  if (!joined || joined->outcome == Outcome::fine) add(all_reduce(machine, links, outcome));
  return findings;
}

}  // namespace trl::interpreter
