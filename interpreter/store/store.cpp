#include "interpreter/store/store.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

fs::path ready_root(const fs::path& root) {
  std::error_code error;
  fs::create_directories(root / "stages", error);
  if (error)
    throw UserError("cannot create the store " + root.string() + ": " + error.message(),
                    "Choose another place with --store DIR.");
  return fs::absolute(root).lexically_normal();
}

std::string random_secret() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw UserError("the system gave no random bytes for the store's secret");
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

[[noreturn]] void damaged(const fs::path& result, const std::string& how) {
  throw UserError("the store's result " + result.string() + " is damaged: " + how,
                  "Remove that folder; `trl run` makes it anew.");
}

bool is_secret(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

bool Store::has(const std::string& key) const { return fs::exists(folder(key) / "stage.json"); }

fs::path Store::folder(const std::string& key) const { return root_ / "stages" / key.substr(0, 2) / key; }

nlohmann::json Store::stage(const std::string& key) const {
  auto made = nlohmann::json::parse(read_text(file(key, "stage.json")), nullptr, false);
  if (!made.is_object()) damaged(folder(key), "stage.json isn't JSON");
  return made;
}

fs::path Store::file(const std::string& key, const std::string& name) const {
  const auto file = folder(key) / name;
  if (!fs::exists(file)) damaged(folder(key), "it has no " + name);
  return file;
}

StoreWriter::StoreWriter(const fs::path& root, OnStep on_step)
    : Store(ready_root(root)), on_step_(std::move(on_step)) {
  lock_ = std::make_unique<Lock>(this->root() / "lock");
  remove_leftovers();
  open_secret();
  mend_index();
}

void StoreWriter::remove_leftovers() {
  for (const auto& entry : fs::directory_iterator(root()))
    if (entry.path().filename().string().starts_with("tmp-")) fs::remove_all(entry.path());
}

void StoreWriter::open_secret() {
  const fs::path file = root() / "secret";
  if (!fs::exists(file)) {
    const fs::path beside = root() / "tmp-secret";
    const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) throw UserError("cannot create " + beside.string() + ": " + std::strerror(errno));
    const std::string text = random_secret();
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::fsync(descriptor);
    ::close(descriptor);
    if (!written) throw UserError("cannot write " + beside.string());
    step("secret written");
    fs::rename(beside, file);
    sync_path(root());
  }
  secret_ = read_text(file);
  while (!secret_.empty() && secret_.back() == '\n') secret_.pop_back();
  if (!is_secret(secret_))
    throw UserError("the store's secret " + file.string() + " is damaged",
                    "Verdicts depend on it. Put its backup back, or begin a new store with --store DIR.");
}

void StoreWriter::mend_index() {
  index_.emplace(Index::open(root() / "index.sqlite"));
  step("index opened");
  std::set<std::string> indexed, present;
  for (const auto& entry : index_->entries()) indexed.insert(entry.key);
  for (const auto& shelf : fs::directory_iterator(root() / "stages"))
    for (const auto& entry : fs::directory_iterator(shelf.path())) {
      const auto key = entry.path().filename().string();
      present.insert(key);
      if (indexed.contains(key)) continue;
      const auto made = stage(key);
      index_->put({key, made.value("kind", ""), made.value("slot", ""), made.value("seconds", 0.0)});
    }
  for (const auto& key : indexed)
    if (!present.contains(key)) index_->remove(key);
}

fs::path StoreWriter::begin(const Stage& stage) {
  const fs::path made = root() / ("tmp-" + stage.key);
  fs::remove_all(made);
  fs::create_directory(made);
  step("begun");
  return made;
}

void StoreWriter::commit(const Stage& stage, const fs::path& made, const nlohmann::json& summary,
                         double seconds) {
  write_text(made / "stage.json", nlohmann::json{{"key", stage.key},
                                                 {"kind", stage.kind},
                                                 {"implementation", stage.implementation},
                                                 {"tool_chain", tool_chain()},
                                                 {"spec", stage.spec},
                                                 {"inputs", stage.inputs},
                                                 {"slot", stage.slot},
                                                 {"summary", summary},
                                                 {"seconds", seconds}}
                                          .dump(1) +
                                      "\n");
  step("described");
  sync_tree(made);
  step("synced");
  const fs::path place = folder(stage.key);
  if (fs::create_directory(place.parent_path())) sync_path(root() / "stages");
  step("shelf made");
  fs::rename(made, place);
  step("renamed");
  sync_path(place.parent_path());
  step("rename synced");
  index_->put({stage.key, stage.kind, stage.slot, seconds});
  step("indexed");
}

void StoreWriter::abandon(const fs::path& made) {
  std::error_code ignored;
  fs::remove_all(made, ignored);
}

void StoreWriter::log(const std::string& event) { index_->log(event); }

}  // namespace trl::interpreter
