#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace trl::interpreter {

struct IndexEntry {
  std::string key, kind, slot;
  double seconds = 0;
};

struct Event {
  std::string time;  ///< UTC, "2025-01-31 12:00:00"
  std::string text;
};

/// SQLite beside the stage folders (WAL, synchronous=FULL): which stages there are, and what happened when.
/// The folders are the truth; the index can be made anew from them, only the events are lost.
class Index {
 public:
  /// Opens or creates. A file that isn't a whole database is put aside as index.sqlite.broken; `rebuilt` says
  /// so.
  static Index open(const std::filesystem::path& file);
  /// Opens for reading; null when there is no usable index.
  static std::unique_ptr<Index> open_to_read(const std::filesystem::path& file);

  void put(const IndexEntry& entry);
  void remove(const std::string& key);
  void log(const std::string& text);
  std::vector<IndexEntry> entries() const;
  std::vector<Event> last_events(int count) const;
  bool created() const { return created_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Index(sqlite3* database) : database_(database) {}
  static Index create(const std::filesystem::path& file);
  bool whole() const;

  std::unique_ptr<sqlite3, Close> database_;
  bool created_ = false;
};

}  // namespace trl::interpreter
