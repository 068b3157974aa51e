#include "interpreter/serve/repeated.hpp"

#include <utility>

namespace trl::interpreter {

RepeatedRequests::Found RepeatedRequests::ask(const std::string& key, const std::string& digest, Take take) {
  const auto [found, added] = entries_.try_emplace(key);
  Entry& entry = found->second;
  if (added) {
    entry.digest = digest;
    entry.waiting.push_back(std::move(take));
    return Found::fresh;
  }
  if (entry.digest != digest) return Found::conflict;
  if (entry.answer)
    take(*entry.answer);
  else
    entry.waiting.push_back(std::move(take));
  return Found::known;
}

void RepeatedRequests::settle(const std::string& key, const Answer& answer) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  const auto waiting = std::exchange(found->second.waiting, {});
  if (answer.status == 200) {
    found->second.answer = answer;
    settled_.push_back(key);
    for (; settled_.size() > most_; settled_.pop_front()) entries_.erase(settled_.front());
  } else {
    entries_.erase(found);
  }
  for (const Take& take : waiting) take(answer);
}

}  // namespace trl::interpreter
