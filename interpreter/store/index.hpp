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
  /// Opens or creates. A file that isn't a whole database is put aside as index.sqlite.broken; `was_broken`
  /// says so. Throws DiskError.
  static Index open(const std::filesystem::path& file);
  /// Opens for reading; null when there is no usable index.
  static std::unique_ptr<Index> open_to_read(const std::filesystem::path& file);

  void put(const IndexEntry& entry);
  void remove(const std::string& key);
  /// Both at once, as one transaction.
  void change(const std::vector<IndexEntry>& put, const std::vector<std::string>& removed);
  void log(const std::string& text);
  std::vector<IndexEntry> entries() const;
  /// Keys of the results of a kind at a slot, or where there is none of the kind anywhere; at most `count`,
  /// the latest first.
  std::vector<std::string> keys_of(const std::string& kind, const std::string& slot, int count) const;
  std::vector<Event> last_events(int count) const;
  /// Forgets all but the last events.
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
