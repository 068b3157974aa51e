#include "verifier/executor/launch/pages.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace trl::executor {

Pages::Pages(std::int64_t bytes, std::int64_t most, Contents contents)
    : bytes_(bytes),
      most_(std::max<std::int64_t>(1, (std::min(bytes, most) + page - 1) / page)),
      contents_(std::move(contents)) {
  // Memory that nobody touches isn't taken.
  held_.reset(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(held_bytes()), 1)));
  written_.reset(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(held_bytes()), 1)));
  if (held_ == nullptr || written_ == nullptr) throw std::bad_alloc();
}

std::int64_t Pages::at(std::int64_t offset) {
  const std::int64_t number = offset / page, within = offset % page;
  if (number == last_page_) return last_frame_ + within;
  const auto [known, made] = frames_.try_emplace(number, static_cast<std::int64_t>(frames_.size()) * page);
  if (made && std::ssize(frames_) > most_) {
    frames_.erase(known);
    full_ = true;
    return most_ * page + within;
  }
  last_page_ = number;
  last_frame_ = known->second;
  if (made) {
    const std::int64_t count = std::min(page, bytes_ - number * page);
    const std::uint8_t mark =
        contents_(number * page, {held_.get() + last_frame_, static_cast<std::size_t>(count)});
    std::memset(written_.get() + last_frame_, mark, static_cast<std::size_t>(count));
  }
  return last_frame_ + within;
}

void Pages::forget() {
  frames_.clear();
  last_page_ = -1;
  full_ = false;
}

void Pages::forget(Contents contents) {
  contents_ = std::move(contents);
  forget();
}

}  // namespace trl::executor
