#include "interpreter/schedule/progress_file.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "base/support/files.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

json number_or_null(const std::optional<double>& number) { return number ? json(*number) : json(); }

json as_json(const ProgressSnapshot& snapshot) {
  json text = {{"number", snapshot.number},
               {"total", snapshot.total},
               {"stage", snapshot.stage},
               {"done", snapshot.all > 0 ? json(snapshot.done) : json()},
               {"all", snapshot.all > 0 ? json(snapshot.all) : json()},
               {"unit", snapshot.unit.empty() ? json() : json(snapshot.unit)},
               {"seconds", snapshot.seconds},
               {"left", number_or_null(snapshot.left)},
               {"run_left", number_or_null(snapshot.run_left)},
               {"metrics", snapshot.metrics},
               {"waiting", snapshot.waiting.empty() ? json() : json(snapshot.waiting)}};
  if (!snapshot.key.empty()) text["key"] = snapshot.key;
  if (!snapshot.where.empty()) text["where"] = snapshot.where;
  for (const auto& [name, curve] : snapshot.curves) text["curves"][name] = curve.as_json();
  for (const auto& one : snapshot.running) text["running"].push_back(as_json(one));
  return text;
}

fs::path file_of(const fs::path& store, int number) {
  return store / "running" / (std::to_string(number) + ".json");
}

}  // namespace

ProgressFile::ProgressFile(const fs::path& store, int number) : file_(file_of(store, number)) {}

ProgressFile::~ProgressFile() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void ProgressFile::write(const ProgressSnapshot& snapshot) const {
  json text = as_json(snapshot);
  if (!snapshot.seats.empty()) text["seats"] = snapshot.seats;
  text["process"] = ::getpid();
  const auto temporary = file_.string() + ".new";
  std::error_code ignored;
  if (std::ofstream out(temporary); !(out << text.dump() << '\n' << std::flush)) {
    fs::remove(temporary, ignored);
    return;
  }
  fs::rename(temporary, file_, ignored);
}

std::optional<json> read_progress(const fs::path& store, int number, int process) {
  const auto text = text_if_there(file_of(store, number));
  if (!text) return std::nullopt;
  auto progress = json::parse(*text, nullptr, false);
  if (!progress.is_object() || progress.value("process", 0) != process) return std::nullopt;
  progress.erase("process");
  return progress;
}

}  // namespace trl::interpreter
