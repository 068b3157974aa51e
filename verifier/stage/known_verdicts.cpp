#include "verifier/stage/known_verdicts.hpp"

#include "base/support/digest.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {

std::string KnownVerdicts::key(const Task& task, const Source& source, const nlohmann::json& protocol,
                               const std::string& secret) {
  // The source is included as a hash, because JSON would write different invalid bytes in the same way.
  return sha256_hex(nlohmann::json{task.to_json(), sha256_hex(source.text), source.language, source.cut_off,
                                   protocol, secret}
                        .dump());
}

std::optional<KnownVerdicts::Entry> KnownVerdicts::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second);
}

void KnownVerdicts::keep(const std::string& key, const Entry& entry) {
  for (const char* limits : {"timeout", "memory", "crashed"})
    if (entry.verdict.reason == limits) return;
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = entry.plan ? entry.plan->size() : 0;
  if (entries_.size() >= limit || plan_bytes_ + bytes > limit_of_plans) {
    entries_.clear();
    plan_bytes_ = 0;
  }
  plan_bytes_ += bytes;
  entries_.insert_or_assign(key, entry);
}

}  // namespace trl::runtime
