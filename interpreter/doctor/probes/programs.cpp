// Checks the programs beside trl, and whether the programs that link libtorch find it.
#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

struct Program {
  const char* name;
  const char* purpose;
  bool needed;
};

std::string how_to_get_it(const Machine& machine) {
  // In a wheel or a package, the programs lie beside the standard library; in a clone, they must be built.
  return machine.executable(machine.home() / "trl") && machine.read(machine.home() / "CMakeLists.txt")
             ? "`./trl plan FILE` builds it"
             : "install the package again";
}

/// "libtorch_cpu.so" of "…: error while loading shared libraries: libtorch_cpu.so: cannot open …".
std::string library_in(const std::string& errors) {
  const std::string start = "error while loading shared libraries: ";
  const auto begin = errors.find(start);
  if (begin == std::string::npos) return "";
  const auto name = begin + start.size();
  return errors.substr(name, errors.find_first_of(":\n ", name) - name);
}

Finding libtorch(const Machine& machine, const fs::path& worker, const Needs& needs) {
  const Filtered version = machine.run({worker.string(), "--version"});
  if (version.status == 0) return {"libtorch", Finding::Outcome::fine, "trl-worker starts", "", ""};
  const std::string library = library_in(version.err);
  Finding finding{"libtorch", needs.running ? Finding::Outcome::lacking : Finding::Outcome::note,
                  library.empty() ? "trl-worker doesn't start: " + version.err : library + " isn't found",
                  "the libraries of torch, to train, to sample and to verify", ""};
  finding.remedy =
      library.starts_with("libtorch") || library.starts_with("libc10")
          ? "Install torch (below); where it is in no folder beside this package, set LD_LIBRARY_PATH to "
            "its folder lib"
      : library.empty() ? how_to_get_it(machine)
                        : "Install the package of your distribution that has " + library;
  return finding;
}

}  // namespace

std::vector<Finding> probe_programs(const Machine& machine, const Needs& needs) {
  const fs::path folder = machine.program().parent_path();
  const Program programs[] = {
      {"trl-worker", "to train and to sample", needs.running},
      {"trl-verify", "to judge one candidate", needs.verification},
      {"trl-sandbox", "to confine candidates", needs.verification},
      {"trl-executor", "to execute kernels without a GPU", needs.verification},
      {"trl-runner", "to execute kernels on a GPU", needs.timed || needs.cuda_kernels},
      {"trl-kernel-check", "to read kernels in CUDA C++", needs.cuda_kernels},
  };
  std::vector<Finding> findings;
  std::size_t there = 0;
  for (const Program& program : programs) {
    if (machine.executable(folder / program.name)) {
      ++there;
      continue;
    }
    findings.push_back({program.name, program.needed ? Finding::Outcome::lacking : Finding::Outcome::note,
                        "isn't beside trl", program.purpose, how_to_get_it(machine)});
  }
  if (there == std::size(programs))
    findings.push_back({"programs", Finding::Outcome::fine, "all of trl's are beside it", "", ""});
  if (machine.executable(folder / "trl-worker"))
    findings.push_back(libtorch(machine, folder / "trl-worker", needs));
  return findings;
}

}  // namespace trl::interpreter
