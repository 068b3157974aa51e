#include "verifier/executor/access/findings.hpp"

#include <algorithm>

namespace trl::executor {

Source Findings::source(int location) const {
  if (location < 0) return {};
  const ir::Location& place = program_.locations[static_cast<std::size_t>(location)];
  if (place.line <= 0) return {};
  return {program_.files[static_cast<std::size_t>(place.file)], place.line, place.column};
}

Finding* Findings::add(Kind kind, int location, std::string message, int buffer, std::int64_t offset,
                       std::int64_t bytes) {
  const bool fatal = !is_memory_error(kind), first_fatal = fatal && !fatal_;
  fatal_ = fatal_ || fatal;
  if (options_.strict || fatal) report_.ok = false;
  if (!seen_.insert({kind, location}).second) return nullptr;
  const auto limit = static_cast<std::size_t>(std::max(options_.max_findings, 1));
  Finding* listed = nullptr;
  // A finding that fails a candidate is listed even after the maximum number of memory errors.
  if (report_.findings.size() < limit || first_fatal) {
    listed = &report_.findings.emplace_back();
    listed->kind = kind;
    listed->message = std::move(message);
    const Source place = source(location);
    listed->file = place.file;
    listed->line = place.line;
    listed->column = place.column;
    std::copy(at_.begin(), at_.end(), listed->program);
    listed->buffer = buffer;
    listed->offset = offset;
    listed->bytes = bytes;
  }
  if (options_.strict && report_.findings.size() >= limit) full_ = true;
  return listed;
}

}  // namespace trl::executor
