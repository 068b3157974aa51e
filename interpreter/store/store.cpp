#include "interpreter/store/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <system_error>

#include "base/contract/stages/kinds.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "base/support/reading.hpp"
#include "interpreter/failpoint.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr auto hexadecimal = "0123456789abcdef";

fs::path ready_root(const fs::path& root) {
  std::error_code error;
  if (fs::create_directories(root / "stages", error)) sync_path(root);
  if (error) throw DiskError("create the store", root, error.value());
  return fs::absolute(root).lexically_normal();
}

bool is_digest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of(hexadecimal) == std::string::npos;
}

IndexEntry entry_of(const std::string& key, const json& made) {
  return {key, made.value("kind", ""), made.value("slot", ""), made.value("seconds", 0.0)};
}

}  // namespace

bool Store::has(const std::string& key) const {
  return is_digest(key) && fs::exists(folder(key) / "stage.json");
}

fs::path Store::folder(const std::string& key) const {
  if (!is_digest(key))
    throw UserError(root_.string() + " names a stage " + json(key).dump() + ", which is no key",
                    "The store was changed by hand: a key has 64 digits, 0 to 9 and a to f.");
  return root_ / "stages" / key.substr(0, 2) / key;
}

fs::path Store::checkpoint_folder(const std::string& key) const { return root_ / "checkpoints" / key; }

std::vector<std::string> Store::checkpoints() const {
  std::vector<std::string> keys;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root_ / "checkpoints", none))
    if (auto key = entry.path().filename().string(); is_digest(key)) keys.push_back(std::move(key));
  std::sort(keys.begin(), keys.end());
  return keys;
}

Result Store::result(const std::string& key) const {
  const std::lock_guard lock(caches_);
  auto& record = records_[key];
  if (!record) record = std::make_shared<Result::Record>();
  return Result(folder(key), record);
}

void Store::forget(const std::string& key) const {
  const std::lock_guard lock(caches_);
  records_.erase(key);
  checked_.erase(key);
}

json Store::stage(const std::string& key) const { return result(key).description(); }

fs::path Store::checked_folder(const std::string& key) const {
  const auto stored = result(key);
  auto identity = stored.identity();
  const auto known = [&] {
    const std::lock_guard lock(caches_);
    return checked_[key] == identity;
  };
  if (!known()) {
    stored.check(Check::contents);
    const std::lock_guard lock(caches_);
    checked_[key] = std::move(identity);
  }
  return stored.folder();
}

std::optional<std::string> Store::damage(const std::string& key, Check check) const {
  return fs::exists(folder(key)) ? result(key).damage(check) : std::nullopt;
}

std::vector<std::string> Store::keys() const {
  std::vector<std::string> keys;
  std::error_code none;
  for (const auto& shard : fs::directory_iterator(root_ / "stages", none)) {
    if (!shard.is_directory(none)) continue;
    for (const auto& entry : fs::directory_iterator(shard.path(), none))
      if (auto key = entry.path().filename().string();
          is_digest(key) && entry.is_directory(none) && shard.path().filename() == key.substr(0, 2))
        keys.push_back(std::move(key));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::string Store::read_secret() const {
  const auto file = root_ / "secret";
  auto secret = read_text(file, {.within = root_, .most = 1024});
  while (!secret.empty() && (secret.back() == '\n' || secret.back() == ' ')) secret.pop_back();
  if (!is_digest(secret))
    throw UserError(
        "the store's secret " + file.string() + " is damaged",
        "Verdicts depend on it. Restore it from a backup, or begin a new store with --store DIR.");
  return secret;
}

StoreWriter::StoreWriter(const fs::path& root, OnStep on_step, AccessOptions access)
    : Store(ready_root(root)), on_step_(std::move(on_step)) {
  access_ = std::make_unique<StoreAccess>(this->root(), std::move(access));
  step("locked");
  remove_leftovers();
  open_secret();
  repair_index();
  access_->opened();
}

std::optional<StageClaim> StoreWriter::claim(const Stage& stage) {
  make_folder(root() / "claims");
  auto lock = FileLock::take(root() / "claims" / stage.key, FileLock::Mode::exclusive);
  if (!lock) return std::nullopt;
  StageClaim claim(std::move(*lock));
  claim.describe({{"stage", stage.slot}});
  step("claimed");
  return claim;
}

std::optional<Holder> StoreWriter::maker(const std::string& key) const {
  return FileLock::holder(root() / "claims" / key);
}

bool StoreWriter::has_others() const {
  const auto users = store_users(root());
  return std::any_of(users.begin(), users.end(),
                     [this](const StoreUser& user) { return user.number != number(); });
}

fs::path StoreWriter::worker_log(std::size_t seat) const {
  return root() / ("worker" + (number() <= 1 ? "" : "-" + std::to_string(number())) +
                   (seat == 0 ? "" : "." + std::to_string(seat)) + ".log");
}

void StoreWriter::step(const char* name) const {
  const std::lock_guard lock(writing_);
  passed(name);
}

void StoreWriter::passed(const char* name) const {
  if (on_step_) on_step_(name);
  failpoint(name);
}

fs::path StoreWriter::temporary(const std::string& name) {
  const std::lock_guard lock(writing_);
  return root() / ("tmp-run" + std::to_string(number()) + "-" + std::to_string(++temporaries_) + "-" + name);
}

void StoreWriter::remove_leftovers() {
  std::set<int> alive;
  for (const auto& user : store_users(root()))
    if (user.number != number()) alive.insert(user.number);
  for (const auto& entry : fs::directory_iterator(root())) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("tmp-") && !alive.contains(run_of_temporary(name).value_or(0)))
      remove_tree(entry.path());
  }
  for (const auto& key : checkpoints()) {
    if (!has(key)) continue;
    std::error_code kept;  // ignored: the folder may be another user's, and only takes space
    fs::remove_all(checkpoint_folder(key), kept);
  }
  // No other run can start meanwhile. So if no other run is alive, nobody holds a claim.
  if (alive.empty()) remove_tree(root() / "claims");
  step("left-overs removed");
}

void StoreWriter::open_secret() {
  const fs::path file = root() / "secret";
  if (!fs::exists(file)) {
    const fs::path beside = temporary("secret");
    const auto text = random_secret();
    const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) throw DiskError("create", beside, errno);
    step("secret begun");
    errno = ENOSPC;
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                         ::fsync(descriptor) == 0;
    const int reason = errno;
    ::close(descriptor);
    if (!written) {
      ::unlink(beside.c_str());
      throw DiskError("write", file, reason, text.size());
    }
    step("secret written");
    move_path(beside, file);
    step("secret renamed");
    sync_path(root());
  }
  secret_ = read_secret();
}

void StoreWriter::repair_index() {
  index_.emplace(Index::open(root() / "index.sqlite"));
  step("index opened");
  // The index is read before the folders: a result that another run adds in between is then in both, or only
  // in the folders.
  std::set<std::string> indexed;
  for (const auto& entry : index_->entries()) indexed.insert(entry.key);
  const auto present = keys();
  std::vector<IndexEntry> added;
  std::vector<std::string> gone;
  for (const auto& key : present) {
    if (indexed.erase(key)) continue;
    const auto how = damage(key, Check::sizes);
    if (how)
      notices_.push_back("the result " + key + " is damaged: " + *how + "; it is moved to " +
                         put_aside(key).string());
    else
      added.push_back(entry_of(key, stage(key)));
  }
  gone.assign(indexed.begin(), indexed.end());
  if (!added.empty() || !gone.empty()) index_->change(added, gone);
  step("index repaired");
  const auto results = [](std::size_t count) { return counted(count, "result"); };
  if (index_->was_broken())
    notices_.push_back("the store's index was damaged and is rebuilt from " + results(added.size()) +
                       "; the old one is index.sqlite.broken");
  else if (index_->created() && !added.empty())
    notices_.push_back("the store had no index; it is rebuilt from " + results(added.size()));
  else if ((!added.empty() || !gone.empty()) && !has_others())
    notices_.push_back("the store's index is corrected: " + results(added.size()) + " added, " +
                       std::to_string(gone.size()) + " removed that no longer exist");
}

fs::path StoreWriter::begin(const Stage& stage) {
  const fs::path made = temporary(stage.key);
  make_folder(made);
  if (contract::keeps_checkpoints(stage.kind)) make_folder(root() / "checkpoints");
  step("begun");
  return made;
}

void StoreWriter::commit(const Stage& stage, const fs::path& made, const json& summary, double seconds,
                         const std::optional<contract::MadeOn>& made_on) {
  json described = {{"key", stage.key},
                    {"kind", stage.kind},
                    {"implementation", stage.implementation},
                    {"tool_chain", tool_chain_of(stage.kind)},
                    {"spec", stage.spec},
                    {"inputs", stage.inputs},
                    {"slot", stage.slot},
                    {"summary", summary},
                    {"seconds", seconds}};
  if (made_on) described["made_on"] = made_on->write();
  describe_result(made, std::move(described));
  step("described");
  sync_tree(made);
  step("synced");
  const std::lock_guard lock(writing_);
  const fs::path place = folder(stage.key);
  if (make_folder(place.parent_path())) sync_path(root() / "stages");
  passed("shard made");
  if (fs::exists(place)) move_aside(stage.key);
  move_path(made, place);
  forget(stage.key);
  passed("renamed");
  sync_path(place.parent_path());
  passed("rename synced");
  index_->put({stage.key, stage.kind, stage.slot, seconds});
  passed("indexed");
  std::error_code later;  // a file that can't be removed now is removed by the next run
  if (fs::remove_all(checkpoint_folder(stage.key), later) > 0) passed("checkpoint removed");
}

void StoreWriter::abandon(const fs::path& made) {
  std::error_code ignored;
  fs::remove_all(made, ignored);
}

fs::path StoreWriter::put_aside(const std::string& key) {
  const std::lock_guard lock(writing_);
  return move_aside(key);
}

fs::path StoreWriter::move_aside(const std::string& key) {
  make_folder(root() / "damaged");
  fs::path place = root() / "damaged" / key;
  for (int number = 2; fs::exists(place); ++number)
    place = root() / "damaged" / (key + "." + std::to_string(number));
  move_path(folder(key), place);
  forget(key);
  passed("put aside");
  sync_path(folder(key).parent_path());
  index_->remove(key);
  return place;
}

void StoreWriter::discard(const std::vector<std::string>& keys) {
  if (keys.empty()) return;
  const fs::path beside = temporary("discarded");
  make_folder(beside);
  std::set<fs::path> shards;
  for (const auto& key : keys) {
    move_path(folder(key), beside / key);
    forget(key);
    shards.insert(folder(key).parent_path());
    step("discarded");
  }
  for (const auto& shard : shards) sync_path(shard);
  index_->change({}, keys);
  step("discarded from the index");
  remove_tree(beside);
  step("discarded for good");
}

void StoreWriter::log(const std::string& event) {
  const std::lock_guard lock(writing_);
  index_->log(event);
  passed("logged");
}

void StoreWriter::log_failure(const std::string& event) noexcept {
  const std::lock_guard lock(writing_);
  try {
    index_->log(event);
  } catch (const std::exception&) {
  }
}

double seconds_of(const json& stage) {
  const auto summary = stage.value("summary", json::object());
  return summary.contains("seconds") && summary["seconds"].is_number() ? summary["seconds"].get<double>()
                                                                       : stage.at("seconds").get<double>();
}

}  // namespace trl::interpreter
