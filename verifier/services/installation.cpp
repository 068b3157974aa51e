#include "verifier/services/installation.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/support/child_process.hpp"
#include "base/support/error.hpp"
#include "base/support/home.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* marker = "verifier/recorder/recorder.py";

// A script that prints the folders that Python reads, the folders that must be on PYTHONPATH, and versions of
// torch and triton. If a module that candidates can import by recorder/importable.txt (its argument) is
// missing, it prints the first such module instead.
constexpr const char* question = R"(
import importlib.metadata as m, importlib.util as u, json, os, sys, sysconfig
parents, versions = [], {}
lines = [line.replace(":", " ").split() for line in open(sys.argv[1]) if not line.startswith("#")]
for distribution, name, *_ in lines:
    spec = u.find_spec(name)
    if spec is None: print(json.dumps({"missing": distribution})); sys.exit()
    if name not in ("torch", "triton"): continue
    parents.append(os.path.dirname(list(spec.submodule_search_locations)[0]))
    try: versions[name] = m.version(name)
    except m.PackageNotFoundError: pass
read = [sys.prefix, sys.base_prefix, sys.executable, os.path.realpath(sys.executable), sysconfig.get_path("stdlib"),
        sysconfig.get_path("platstdlib"), *parents]
print(json.dumps({"read": read, "path": list(dict.fromkeys(parents)), "versions": versions}))
)";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path executable_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

bool inside(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

nlohmann::json ask_python(const fs::path& python, const fs::path& importable) {
  const std::string help = "run ./trl once, or set TRL_PYTHON to a Python with torch and triton";
  try {
    ChildProcess child({python.string(), "-s", "-c", question, importable.string()});
    const auto line = child.read_line(std::chrono::seconds(60));
    nlohmann::json answer = nlohmann::json::parse(line.value_or(""), nullptr, false);
    if (!answer.is_object()) throw UserError(python.string() + " does not run: " + child.errors(), help);
    if (answer.contains("missing")) {
      const auto missing = answer["missing"].get<std::string>();
      throw UserError(python.string() + " has no " + missing,
                      help + ", or install it: " + python.string() + " -m pip install " + missing);
    }
    return answer;
  } catch (const StartError& error) {
    throw UserError(error.what(), help);
  }
}

}  // namespace

std::vector<std::string> Installation::confined(const std::string& script,
                                                const std::vector<std::string>& options) const {
  std::vector<std::string> command = {sandbox.string()};
  command.insert(command.end(), options.begin(), options.end());
  for (const std::string& path : read) command.insert(command.end(), {"--read", path});
  for (const std::string& one : environment) command.insert(command.end(), {"--env", one});
  const fs::path file = scripts / script;
  command.insert(command.end(),
                 {"--read", file.parent_path().string(), "--read", (scripts / "zygote").string(), "--",
                  python.string(), "-B", "-s", file.string()});
  return command;
}

Installation find_installation() {
  Installation found;
  const fs::path home = find_home(marker);
  if (home.empty() || !fs::exists(home / marker))
    throw UserError("the recorder's files are not beside trl-worker",
                    "set TRL_HOME to the folder that holds verifier/");
  // The sandbox binds each folder at its own path, which must not contain `..`.
  found.scripts = fs::canonical(home / "verifier");
  const std::string python = environment("TRL_PYTHON");
  found.python = fs::absolute(python.empty() ? home / ".venv/bin/python" : fs::path(python));
  found.sandbox = executable_folder() / "trl-sandbox";
  if (!fs::exists(found.sandbox)) found.sandbox = home / "bin/trl-sandbox";
  if (!fs::exists(found.sandbox))
    throw UserError("trl-sandbox is not beside trl-worker",
                    "build the target trl-sandbox, or install the package again");
  found.runner = executable_folder() / "trl-runner";
  found.executor = found.sandbox.parent_path() / "trl-executor";
  found.kernel_check = found.sandbox.parent_path() / "trl-kernel-check";
  if (!fs::exists(found.python))
    throw UserError("there is no Python at " + found.python.string(),
                    "run ./trl once, or set TRL_PYTHON to a Python with torch and triton");

  const nlohmann::json answer = ask_python(found.python, found.scripts / "recorder/importable.txt");
  std::set<std::string> folders;
  for (const std::string path : answer.at("read"))
    if (path.size() > 1 && fs::exists(path) && !inside(path, "/usr") && !inside(path, "/lib"))
      folders.insert(path);
  answer.at("versions").get_to(found.versions);
  std::string python_path;
  for (const std::string path : answer.at("path")) python_path += (python_path.empty() ? "" : ":") + path;
  found.environment.push_back("PYTHONPATH=" + python_path);
  // On some machines, torch's libraries are only found by LD_LIBRARY_PATH.
  if (const std::string libraries = environment("LD_LIBRARY_PATH"); !libraries.empty()) {
    found.environment.push_back("LD_LIBRARY_PATH=" + libraries);
    std::istringstream parts(libraries);
    for (std::string part; std::getline(parts, part, ':');)
      if (part.size() > 1 && part[0] == '/' && fs::exists(part) && !inside(part, "/usr"))
        folders.insert(part);
  }
  found.read.assign(folders.begin(), folders.end());
  return found;
}

}  // namespace trl::runtime
