#include "verifier/executor/access/order.hpp"

#include <stdexcept>

namespace trl::executor {

Order::Segment Order::add(std::uint32_t timeline, std::uint32_t time) {
  if (segments_.size() >= most_segments)
    throw std::runtime_error("the launch's programs synchronise more often than it can follow");
  segments_.push_back({timeline, time});
  return static_cast<Segment>(segments_.size() - 1);
}

Order::Segment Order::segment(Progress& progress, bool by_block) {
  if (by_block) {
    if (progress.block == 0) progress.block = add(block_line(progress), ++progress.block_time);
    return progress.block;
  }
  if (progress.leader == 0) {
    progress.leader = add(leader_line(progress), ++progress.leader_time);
    learn(progress, leader_line(progress), progress.leader_time);
  }
  return progress.leader;
}

void Order::barrier(Progress& progress) {
  if (progress.block == 0) return;
  learn(progress, block_line(progress), progress.block_time);
  progress.block = 0;
}

void Order::acquire(Progress& progress, ClockPool::Id clock) {
  progress.known = Clock(clocks_, clocks_.join(progress.known.id(), clock));
}

ClockPool::Id Order::release(Progress& progress, ClockPool::Id clock, bool by_block) {
  if (by_block) barrier(progress);
  progress.leader = 0;
  return clocks_.join(progress.known.id(), clock);
}

}  // namespace trl::executor
