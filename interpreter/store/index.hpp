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

/// An SQLite database beside the stage folders (WAL, synchronous=FULL), with an entry for each stage and a
/// log of events. The folders are authoritative: the index can be rebuilt from them, except for the events.
class Index {
 public:
  /// Opens or creates an index. A file that isn't a valid database is renamed to index.sqlite.broken, and
  /// `was_broken` is set. Throws DiskError.
  static Index open(const std::filesystem::path& file);
  /// Opens an index for reading; null if the index doesn't exist or can't be used.
  static std::unique_ptr<Index> open_to_read(const std::filesystem::path& file);

  void put(const IndexEntry& entry);
  void remove(const std::string& key);
  /// Adds and removes entries in one transaction.
  void change(const std::vector<IndexEntry>& put, const std::vector<std::string>& removed);
  void log(const std::string& text);
  std::vector<IndexEntry> entries() const;
  /// The keys of results of this kind and slot or, if there are none, of this kind and any slot: at most
  /// `count`, the latest first.
  std::vector<std::string> keys_of(const std::string& kind, const std::string& slot, int count) const;
  std::vector<Event> last_events(int count) const;
  /// Deletes all but the last `count` events.
  void keep_events(int count);
  bool created() const { return created_; }
  bool was_broken() const { return was_broken_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Index(sqlite3* database) : database_(database) {}
  static Index create(const std::filesystem::path& file);
  bool whole() const;

  std::unique_ptr<sqlite3, Close> database_;
  bool created_ = false, was_broken_ = false;
};

}  // namespace trl::interpreter
