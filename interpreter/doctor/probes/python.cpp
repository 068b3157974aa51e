// Examines the Python that records and compiles candidates: torch, triton, numpy, packaging.
#include <nlohmann/json.hpp>

#include "interpreter/doctor/probes.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

// Prints the versions of packages without importing the packages, which would take seconds.
constexpr const char* question = R"(
import importlib.metadata as m, json, sys
found = {"python": "%d.%d.%d" % sys.version_info[:3]}
for name in ("torch", "triton", "numpy", "packaging"):
    try: found[name] = m.version(name)
    except m.PackageNotFoundError: pass
print(json.dumps(found))
)";

std::string release(const std::string& version) { return version.substr(0, version.find('+')); }

/// Whether a version of Python is 3.10 or newer.
bool new_enough(const std::string& version) {
  int major = 0, minor = 0;
  return std::sscanf(version.c_str(), "%d.%d", &major, &minor) == 2 &&
         (major > 3 || (major == 3 && minor >= 10));
}

}  // namespace

std::vector<Finding> probe_python(const Machine& machine, const Needs& needs) {
  const std::string python = python_of(machine).string();
  const auto outcome = needs.running ? Finding::Outcome::lacking : Finding::Outcome::note;
  const std::string wanted = "3.10 or newer, to record and compile candidates";
  const Filtered answered = machine.run({python, "-s", "-c", question});
  const json found = json::parse(answered.out, nullptr, false);
  if (answered.status != 0 || !found.is_object())
    return {
        {"Python", outcome, answered.missing() ? "there is no " + python : python + " doesn't run", wanted,
         "Set TRL_PYTHON to a Python with torch " TRL_TORCH ", or run ./trl in a clone, which installs one"}};
  std::vector<Finding> findings;
  const auto version = found.value("python", "");
  findings.push_back({"Python", Finding::Outcome::fine, version + ", " + python, "", ""});
  if (!new_enough(version)) {
    findings.back().outcome = outcome;
    findings.back().needed = wanted;
    findings.back().remedy = "Set TRL_PYTHON to a newer one with torch " TRL_TORCH;
  }
  const std::string install = python + " -m pip install ";
  if (const auto torch = found.value("torch", ""); release(torch) == TRL_TORCH)
    findings.push_back({"torch", Finding::Outcome::fine, torch, "", ""});
  else
    findings.push_back({"torch", outcome, torch.empty() ? "missing" : torch,
                        TRL_TORCH ", to train, to sample and to verify", install + "torch==" TRL_TORCH});
  for (const auto& [name, purpose, remedy] :
       {std::tuple{"triton", "to lower and compile kernels", "torch==" TRL_TORCH ", which brings it"},
        std::tuple{"numpy", "by the recorder", "numpy"},
        std::tuple{"packaging", "by published answers", "packaging"}}) {
    if (found.contains(name))
      findings.push_back({name, Finding::Outcome::fine, found[name].get<std::string>(), "", ""});
    else
      findings.push_back({name, outcome, "missing", purpose, install + remedy});
  }
  return findings;
}

}  // namespace trl::interpreter
