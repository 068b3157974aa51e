#include "interpreter/store/index.hpp"

#include <sqlite3.h>

#include "interpreter/error.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr int schema_version = 1;

/// One prepared statement; a failure is a UserError with SQLite's words.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) : database_(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) fail();
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
    if (status != SQLITE_DONE) fail();
    return false;
  }
  std::string text(int column) const {
    const auto* bytes = sqlite3_column_text(statement_, column);
    return bytes ? reinterpret_cast<const char*>(bytes) : "";
  }
  double number(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  [[noreturn]] void fail() const {
    throw UserError(std::string("the store's index: ") + sqlite3_errmsg(database_));
  }
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

sqlite3* open_file(const fs::path& file, int flags) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(file.c_str(), &database, flags, nullptr) != SQLITE_OK) {
    sqlite3_close(database);
    return nullptr;
  }
  sqlite3_busy_timeout(database, 5000);
  return database;
}

bool run(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

void Index::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

bool Index::whole() const {
  try {
    Statement version(database_.get(), "PRAGMA user_version");
    if (!version.step() || static_cast<int>(version.number(0)) != schema_version) return false;
    Statement check(database_.get(), "PRAGMA quick_check");
    return check.step() && check.text(0) == "ok";
  } catch (const UserError&) {
    return false;
  }
}

Index Index::create(const fs::path& file) {
  Index index(open_file(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  if (!index.database_) throw UserError("cannot open " + file.string());
  const auto set_up =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "BEGIN;"
      "CREATE TABLE stages (key TEXT PRIMARY KEY, kind TEXT, slot TEXT, seconds REAL);"
      "CREATE TABLE events (id INTEGER PRIMARY KEY, time TEXT DEFAULT CURRENT_TIMESTAMP, text TEXT);"
      "PRAGMA user_version = " +
      std::to_string(schema_version) + "; COMMIT;";
  if (!run(index.database_.get(), set_up.c_str()))
    throw UserError("cannot create " + file.string() + ": " + sqlite3_errmsg(index.database_.get()));
  index.created_ = true;
  return index;
}

Index Index::open(const fs::path& file) {
  if (fs::exists(file)) {
    Index index(open_file(file, SQLITE_OPEN_READWRITE));
    if (index.database_ && index.whole() && run(index.database_.get(), "PRAGMA synchronous = FULL"))
      return index;
    index.database_.reset();
    fs::rename(file, file.string() + ".broken");
  }
  for (const char* rest : {"-wal", "-shm"}) fs::remove(file.string() + rest);
  return create(file);
}

std::unique_ptr<Index> Index::open_to_read(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  std::unique_ptr<Index> index(new Index(open_file(file, SQLITE_OPEN_READWRITE)));
  if (!index->database_ || !index->whole()) return nullptr;
  return index;
}

void Index::put(const IndexEntry& entry) {
  Statement statement(database_.get(), "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?)");
  statement.bind(1, entry.key).bind(2, entry.kind).bind(3, entry.slot).bind(4, entry.seconds).step();
}

void Index::remove(const std::string& key) {
  Statement(database_.get(), "DELETE FROM stages WHERE key = ?").bind(1, key).step();
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

std::vector<Event> Index::last_events(int count) const {
  std::vector<Event> events;
  Statement statement(database_.get(),
                      "SELECT time, text FROM (SELECT * FROM events ORDER BY id DESC LIMIT ?) ORDER BY id");
  statement.bind(1, count);
  while (statement.step()) events.push_back({statement.text(0), statement.text(1)});
  return events;
}

}  // namespace trl::interpreter
