// A queue that serves its clients in turn.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace trl::interpreter {

/// A queue that serves its clients in turn: after a client was served, every other waiting client is served
/// before it is served again. The items of one client keep their order. Used by one thread at a time.
template <class Item>
class FairQueue {
 public:
  void push(const std::string& client, Item item) {
    line_of(client).push_back(std::move(item));
    ++size_;
  }

  /// Puts an item before the client's other items, and the client before the other clients.
  void push_front(const std::string& client, Item item) {
    line_of(client).push_front(std::move(item));
    turns_.remove(client);
    turns_.push_front(client);
    ++size_;
  }

  /// Removes and returns the next item; nothing if the queue is empty.
  std::optional<Item> pop() {
    if (turns_.empty()) return std::nullopt;
    const std::string client = turns_.front();
    turns_.pop_front();
    auto& line = lines_.at(client);
    std::optional<Item> item(std::move(line.front()));
    line.pop_front();
    --size_;
    if (line.empty())
      lines_.erase(client);
    else
      turns_.push_back(client);
    return item;
  }

  /// Removes an item of a client. Returns whether it was there.
  bool remove(const std::string& client, const Item& item) {
    const auto found = lines_.find(client);
    if (found == lines_.end()) return false;
    auto& line = found->second;
    for (auto place = line.begin(); place != line.end(); ++place) {
      if (!(*place == item)) continue;
      line.erase(place);
      --size_;
      if (line.empty()) {
        lines_.erase(found);
        turns_.remove(client);
      }
      return true;
    }
    return false;
  }

  std::size_t size() const { return size_; }
  /// The number of items of a client.
  std::size_t size_of(const std::string& client) const {
    const auto found = lines_.find(client);
    return found == lines_.end() ? 0 : found->second.size();
  }

 private:
  std::deque<Item>& line_of(const std::string& client) {
    const auto [found, added] = lines_.try_emplace(client);
    if (added) turns_.push_back(client);
    return found->second;
  }

  std::map<std::string, std::deque<Item>> lines_;  // none is empty
  std::list<std::string> turns_;                   // the clients of `lines_`, the next one first
  std::size_t size_ = 0;
};

}  // namespace trl::interpreter
