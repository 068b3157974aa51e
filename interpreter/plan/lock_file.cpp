#include "interpreter/plan/lock_file.hpp"

#include <algorithm>
#include <utility>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/stages/served.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "interpreter/plan/data_files.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/stage/stage.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int format = 1;
constexpr std::string_view library = "stdlib:";

std::string shortened(const json& digest) { return digest.get<std::string>().substr(0, 12); }

/// A call in the document as text: "path("folder")".
std::string call_text(const json& call) {
  if (!call.is_object() || !call.contains("call")) return call.dump();
  std::string arguments;
  const auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
  for (const auto& argument : call.value("args", json::array())) add(argument.dump());
  const json named = call.value("named", json::object());
  for (const auto& [name, argument] : named.items()) add(name + " = " + argument.dump());
  return call["call"].get<std::string>() + (arguments.empty() ? "" : "(" + arguments + ")");
}

/// Returns the versions of the kinds of stages that plans can have. Kinds that only a server stores are left
/// out.
std::map<std::string, int> planned_versions() {
  auto versions = implementation_versions();
  versions.erase(contract::ServedSpec::kind);
  return versions;
}

/// Compares entries by name: digests of files or versions of implementations.
void compare(const std::string& what, const json& locked, const json& now, std::vector<std::string>& out) {
  for (const auto& [name, value] : now.items()) {
    const auto was = locked.find(name);
    if (was == locked.end())
      out.push_back(what + name + " is not in the lock file");
    else if (*was != value)
      out.push_back(value.is_string()
                        ? what + name + " is " + shortened(value) + "…, in the lock file " + shortened(*was) +
                              "…"
                        : what + name + " is version " + value.dump() + ", in the lock file " + was->dump());
  }
  for (const auto& [name, value] : locked.items())
    if (!now.contains(name)) out.push_back(what + name + " is in the lock file, but not here");
}

/// Adds a digest for each call of kernelbook in a value: of the rows that the call names. Throws UserError if
/// rows are missing.
void add_rows(const json& value, const LockRequest& request, json& out) {
  if (value.is_object() && value.value("call", json()) == "kernelbook" && !value.at("args").empty()) {
    const json& from = value["args"][0];
    out["rows of " + call_text(from)] =
        find_rows(from, request.program.parent_path(), "", FileDigests(request.store)).key;
  }
  if (value.is_structured())
    for (const json& part : value) add_rows(part, request, out);
}

/// The problems of KernelBench in an experiment's exam.
std::vector<Problem> exam_problems(const json& document, const json& experiment) {
  std::vector<Problem> problems;
  const json exam = experiment.value("evaluate", json());
  if (!exam.is_object()) return problems;
  for (const auto& key : exam.at("split").at("tasks")) {
    const json& task = document.at("tasks").at(key.get<std::string>());
    if (const auto problem = problem_of(task, task.at("id"))) problems.push_back(*problem);
  }
  return problems;
}

/// Adds the digests of the results that an experiment's tables import. Throws UserError if some are missing.
void add_results(const std::string& experiment, const LockRequest& request, json& out) {
  const json tables = request.document.value("tables", json::object());
  for (const auto& [name, table] : tables.items()) {
    if (table.value("of", "") != experiment) continue;
    for (const auto& call : imported_calls(table.value("rows", json()))) {
      const auto found =
          find_results(call, request.program.parent_path(),
                       exam_problems(request.document, request.document.at("experiments").at(experiment)));
      out["results of " + call.named.at("name").get<std::string>() + ", " + call_text(call.args.at(0))] =
          found.key;
      for (const auto& [argument, key] : {std::pair{"baseline", found.baseline_key},
                                          std::pair{"compiled_baseline", found.compiled_baseline_key}})
        if (!key.empty()) out["times of " + call_text(call.named.at(argument))] = key;
    }
  }
}

/// Adds digests, by suite, of the tasks whose modules were read from where they are stored.
void add_suites(const json& tasks, json& out) {
  std::map<std::string, std::string> texts;
  for (const auto& [id, task] : tasks.items())
    if (task.contains("module")) texts[task.at("suite")] += id + task["module"].value("code", "");
  for (const auto& [suite, text] : texts) out["tasks of " + suite] = sha256_hex(text);
}

}  // namespace

fs::path lock_path(const fs::path& program) { return program.string() + ".lock"; }

std::string lock_text(const json& contents) { return contents.dump(1) + "\n"; }

LockFile make_lock(const LockRequest& request) {
  LockFile lock;
  json& out = lock.contents;
  out = {{"lock", format},
         {"tool_chain", tool_chain()},
         {"importable", importable()},
         {"implementations", planned_versions()},
         {"library", json::object()},
         {"imports", json::object()},
         {"experiments", json::object()}};
  const fs::path folder = request.program.parent_path();
  for (const auto& [path, text] : request.files) {
    if (path == request.program.string()) continue;
    if (path.starts_with(library))
      out["library"][path.substr(library.size())] = sha256_hex(text);
    else
      out["imports"][fs::path(path).lexically_relative(folder).generic_string()] = sha256_hex(text);
  }
  for (const std::string& name : request.experiments) {
    const json& model = request.document.at("experiments").at(name).at("model");
    const json& weights = model.at("weights");
    json entry = {{"model", model.value("name", "")}, {"weights", call_text(weights)}};
    if (const auto asked = contract::declared_endpoint(weights, "")) {
      // Nobody here can know which weights a server has, so the declaration that identifies its model is
      // recorded instead.
      entry["weights"] = "endpoint " + asked->model.write().dump();
    } else if (weights.value("call", "") == "generations") {
      try {
        const json& from = weights.at("args").at(0);
        entry["files"] = {{"answers of " + call_text(from), find_generations(from, folder).key}};
      } catch (const UserError& error) {
        lock.left_out.push_back(name + ": " + error.what());
        continue;
      }
    } else if (weights.value("call", "") != "random") {
      // Random weights have no files; the program's file determines them.
      try {
        entry["files"] = find_model(weights, request.home, folder, FileDigests(request.store)).files;
      } catch (const UserError& error) {
        lock.left_out.push_back(name + ": " + error.what());
        continue;
      }
    }
    json data = json::object();
    try {
      add_rows(request.document.at("experiments").at(name), request, data);
      add_results(name, request, data);
    } catch (const UserError& error) {
      lock.left_out.push_back(name + ": " + error.what());
      continue;
    }
    add_suites(request.document.value("tasks", json::object()), data);
    if (!data.empty()) entry["data"] = std::move(data);
    out["experiments"][name] = std::move(entry);
  }
  return lock;
}

std::vector<std::string> lock_differences(const json& locked, const json& now) {
  std::vector<std::string> out;
  const json none = json::object();
  const auto part = [&](const json& of, const char* name) {
    return of.contains(name) && of[name].is_object() ? of[name] : none;
  };
  if (!locked.is_object() || locked.value("lock", json()) != format)
    return {"it isn't a lock file of this version"};
  for (const auto& [name, what] :
       {std::pair{"tool_chain", "the tool chain is "}, std::pair{"importable", "candidates can import "}})
    if (const std::string was = locked.value(name, "unknown"), is = now.value(name, "unknown"); was != is)
      out.push_back(what + is + ", in the lock file " + was);
  compare("stage ", part(locked, "implementations"), part(now, "implementations"), out);
  compare("stdlib/", part(locked, "library"), part(now, "library"), out);
  compare("", part(locked, "imports"), part(now, "imports"), out);
  const json experiments = part(now, "experiments"), known = part(locked, "experiments");
  for (const auto& [name, entry] : experiments.items()) {
    const std::string model = "model " + entry.value("model", "") + " of " + name;
    if (!known.contains(name)) {
      out.push_back(name + " is not in the lock file");
      continue;
    }
    const json& was = known[name];
    const std::string weights = entry.value("weights", ""), before = was.value("weights", "");
    if (weights != before) {
      out.push_back(model + " is " + weights + ", in the lock file " + before);
      continue;
    }
    compare(model + ": ", part(was, "files"), part(entry, "files"), out);
    compare(name + ": ", part(was, "data"), part(entry, "data"), out);
  }
  return out;
}

}  // namespace trl::interpreter
