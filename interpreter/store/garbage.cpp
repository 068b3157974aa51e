#include "interpreter/store/garbage.hpp"

#include <algorithm>
#include <system_error>

#include "base/contract/asked.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

std::string description(const Store& store, const std::string& key) {
  try {
    const auto made = store.stage(key);
    return made.value("kind", "?") + "  " + made.value("slot", "");
  } catch (const std::exception&) {
    return "a damaged result";
  }
}

}  // namespace

std::uint64_t bytes_under(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) {
    const auto bytes = fs::file_size(path, error);
    return error ? 0 : bytes;
  }
  std::uint64_t sum = 0;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_regular_file(error) && !entry->is_symlink(error)) {
      const auto bytes = entry->file_size(error);
      if (!error) sum += bytes;
    }
  return sum;
}

Garbage find_garbage(const Store& store, const std::set<std::string>& needed) {
  Garbage garbage;
  for (const auto& key : store.keys()) {
    const auto path = store.folder(key);
    const auto bytes = bytes_under(path);
    if (needed.contains(key))
      ++garbage.kept, garbage.kept_bytes += bytes;
    else
      garbage.results.push_back({path, bytes, key, description(store, key)});
  }
  std::stable_sort(garbage.results.begin(), garbage.results.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  for (const auto& key : store.checkpoints())
    if (const auto path = store.checkpoint_folder(key); !needed.contains(key) && !store.has(key))
      garbage.checkpoints.push_back({path, bytes_under(path), "",
                                     fs::exists(path / contract::journal_file)
                                         ? "a server's answers to an unfinished stage"
                                         : "a checkpoint of an unfinished stage"});
  garbage.leftovers = find_leftovers(store);
  return garbage;
}

std::vector<StoredThing> find_leftovers(const Store& store) {
  std::vector<StoredThing> found;
  const auto add = [&](const fs::path& path, const char* what) {
    found.push_back({path, bytes_under(path), "", what});
  };
  std::error_code none;
  std::set<int> running;
  for (const auto& user : store_users(store.root())) running.insert(user.number);
  for (const auto& entry : fs::directory_iterator(store.root(), none)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("tmp-") && !running.contains(run_of_temporary(name).value_or(0)))
      add(entry.path(), "left by a run that was killed");
    if (name == "index.sqlite.broken") add(entry.path(), "a damaged index");
  }
  for (const auto& entry : fs::directory_iterator(store.root() / "damaged", none))
    add(entry.path(), "a damaged result");
  for (const auto& key : store.checkpoints())
    if (store.has(key)) add(store.checkpoint_folder(key), "the checkpoint of a finished stage");
  return found;
}

}  // namespace trl::interpreter
