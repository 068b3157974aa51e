#include "interpreter/store/index.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr int schema_version = 1;

/// Thrown if the file isn't a valid index.
struct Damaged : UserError {
  using UserError::UserError;
};

/// Returns the errno value with which writing beside a file fails; 0 if writing works. SQLite has lost its
/// own error code when it has tried something else.
int obstacle(const fs::path& file) {
  const auto beside = file.parent_path() / ("tmp-" + std::to_string(::getpid()) + "-probe");
  int reason = 0;
  try {
    write_text(beside, std::string(4096, ' '));
    sync_path(beside);
  } catch (const DiskError& error) {
    // Another run that is starting may have removed it.
    if (error.code != ENOENT) reason = error.code;
  }
  ::unlink(beside.c_str());
  return reason;
}

/// Throws SQLite's last error as DiskError or Damaged.
[[noreturn]] void fail(sqlite3* database) {
  const int status = sqlite3_errcode(database) & 0xff;
  const std::string words = sqlite3_errmsg(database);
  const char* name = sqlite3_db_filename(database, "main");
  const fs::path file = name && *name ? name : "the store's index";
  switch (status) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: {
      const int reason = obstacle(file);
      throw DiskError("write", file, reason ? reason : status == SQLITE_FULL ? ENOSPC : EIO);
    }
    case SQLITE_PERM:
    case SQLITE_READONLY:
      throw DiskError("write", file, EROFS);
    case SQLITE_NOMEM:
      throw UserError("out of memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw UserError(file.string() + " is kept busy by another program", "Run the same command again.");
    default:
      throw Damaged(file.string() + " is damaged: " + words,
                    "Run the same command again: the index is rebuilt from the results.");
  }
}

/// A prepared statement.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) : database_(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) fail(database_);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int place, const std::string& text) {
    sqlite3_bind_text(statement_, place, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& bind(int place, double number) {
    sqlite3_bind_double(statement_, place, number);
    return *this;
  }
  Statement& bind(int place, int number) {
    sqlite3_bind_int(statement_, place, number);
    return *this;
  }
  bool step() {
    const int status = sqlite3_step(statement_);
    if (status == SQLITE_ROW) return true;
    if (status != SQLITE_DONE) fail(database_);
    return false;
  }
  std::string text(int column) const {
    const auto* bytes = sqlite3_column_text(statement_, column);
    return bytes ? reinterpret_cast<const char*>(bytes) : "";
  }
  double number(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// Returns null if SQLite can't open the file at all, as for a folder or an unreadable file.
sqlite3* open_file(const fs::path& file, int flags) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(file.c_str(), &database, flags, nullptr) != SQLITE_OK) {
    sqlite3_close(database);
    return nullptr;
  }
  // SQLite waits up to a minute while other runs write: each write takes as long as the disk needs to sync.
  sqlite3_busy_timeout(database, 60'000);
  return database;
}

void run(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database);
}

/// Renames a broken index, so that its events aren't lost.
void put_aside(const fs::path& file) {
  const fs::path broken = file.string() + ".broken";
  remove_tree(broken);
  move_path(file, broken);
}

}  // namespace

void Index::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

bool Index::whole() const {
  try {
    Statement version(database_.get(), "PRAGMA user_version");
    if (!version.step() || static_cast<int>(version.number(0)) != schema_version) return false;
    Statement check(database_.get(), "PRAGMA quick_check");
    if (!check.step() || check.text(0) != "ok") return false;
    Statement(database_.get(), "SELECT key, kind, slot, seconds FROM stages LIMIT 1").step();
    Statement(database_.get(), "SELECT id, time, text FROM events LIMIT 1").step();
    return true;
  } catch (const Damaged&) {
    return false;
  }
}

Index Index::create(const fs::path& file) {
  Index index(open_file(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  if (!index.database_) throw DiskError("create", file, errno ? errno : EACCES);
  const auto set_up =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "BEGIN;"
      "CREATE TABLE stages (key TEXT PRIMARY KEY, kind TEXT, slot TEXT, seconds REAL);"
      "CREATE TABLE events (id INTEGER PRIMARY KEY, time TEXT DEFAULT CURRENT_TIMESTAMP, text TEXT);"
      "PRAGMA user_version = " +
      std::to_string(schema_version) + "; COMMIT;";
  run(index.database_.get(), set_up.c_str());
  index.created_ = true;
  return index;
}

Index Index::open(const fs::path& file) {
  const bool there = fs::exists(file);
  if (there) {
    Index index(open_file(file, SQLITE_OPEN_READWRITE));
    if (index.database_ && index.whole()) {
      run(index.database_.get(), "PRAGMA synchronous = FULL");
      return index;
    }
    index.database_.reset();
    put_aside(file);
  }
  for (const char* rest : {"-wal", "-shm"}) remove_tree(file.string() + rest);
  auto index = create(file);
  index.was_broken_ = there;
  return index;
}

std::unique_ptr<Index> Index::open_to_read(const fs::path& file) {
  try {
    if (!fs::exists(file)) return nullptr;
    std::unique_ptr<Index> index(new Index(open_file(file, SQLITE_OPEN_READWRITE)));
    if (index->database_ && index->whole()) return index;
  } catch (const UserError&) {
    // The caller then reads the folders instead.
  }
  return nullptr;
}

void Index::put(const IndexEntry& entry) {
  Statement statement(database_.get(), "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?)");
  statement.bind(1, entry.key).bind(2, entry.kind).bind(3, entry.slot).bind(4, entry.seconds).step();
}

void Index::remove(const std::string& key) {
  Statement(database_.get(), "DELETE FROM stages WHERE key = ?").bind(1, key).step();
}

void Index::change(const std::vector<IndexEntry>& entries, const std::vector<std::string>& removed) {
  run(database_.get(), "BEGIN IMMEDIATE");
  try {
    for (const auto& entry : entries) put(entry);
    for (const auto& key : removed) remove(key);
    run(database_.get(), "COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Index::log(const std::string& text) {
  Statement(database_.get(), "INSERT INTO events (text) VALUES (?)").bind(1, text).step();
}

std::vector<IndexEntry> Index::entries() const {
  std::vector<IndexEntry> entries;
  Statement statement(database_.get(), "SELECT key, kind, slot, seconds FROM stages ORDER BY key");
  while (statement.step())
    entries.push_back({statement.text(0), statement.text(1), statement.text(2), statement.number(3)});
  return entries;
}

std::vector<std::string> Index::keys_of(const std::string& kind, const std::string& slot, int count) const {
  std::vector<std::string> keys;
  Statement at_slot(database_.get(),
                    "SELECT key FROM stages WHERE kind = ? AND slot = ? ORDER BY rowid DESC LIMIT ?");
  at_slot.bind(1, kind).bind(2, slot).bind(3, count);
  while (at_slot.step()) keys.push_back(at_slot.text(0));
  if (!keys.empty()) return keys;
  Statement anywhere(database_.get(), "SELECT key FROM stages WHERE kind = ? ORDER BY rowid DESC LIMIT ?");
  anywhere.bind(1, kind).bind(2, count);
  while (anywhere.step()) keys.push_back(anywhere.text(0));
  return keys;
}

void Index::keep_events(int count) {
  Statement(database_.get(),
            "DELETE FROM events WHERE id NOT IN (SELECT id FROM events ORDER BY id DESC LIMIT ?)")
      .bind(1, count)
      .step();
}

std::vector<Event> Index::last_events(int count) const {
  std::vector<Event> events;
  Statement statement(database_.get(),
                      "SELECT time, text FROM (SELECT * FROM events ORDER BY id DESC LIMIT ?) ORDER BY id");
  statement.bind(1, count);
  while (statement.step()) events.push_back({statement.text(0), statement.text(1)});
  return events;
}

}  // namespace trl::interpreter
