// Control flow: blocks, branches, loops and calls.
#include "verifier/executor/machine/machine.hpp"

#include <cstring>

#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {

Machine::Flow Machine::run_function(Frame& frame) { return run_graph(frame, frame.function->body.blocks); }

Machine::Flow Machine::run_graph(Frame& frame, const std::vector<ir::Block>& blocks) {
  std::size_t at = 0;
  Turn last_turn = first_turn();
  while (true) {
    if (run_block(frame, blocks[at]) == Flow::stopped) return Flow::stopped;
    const ir::Operation& last = *frame.last;
    if (last.code != Code::branch && last.code != Code::branch_if) return Flow::ended;
    std::size_t choice = 0;
    if (last.code == Code::branch_if) choice = *slot(frame, last.operands[0]).data != std::byte{0} ? 0 : 1;
    const ir::Successor& next = last.successors[choice];
    if (static_cast<std::size_t>(next.block) <= at && turn(last_turn, false) == Flow::stopped)
      return Flow::stopped;
    at = static_cast<std::size_t>(next.block);
    assign(frame, blocks[at].arguments.data(), frame, next.operands.data(), next.operands.size());
  }
}

Machine::Flow Machine::run_block(Frame& frame, const ir::Block& block) {
  for (const ir::Operation& op : block.operations) {
    if (op.once) {
      if (run_invariant(frame, op) == Flow::stopped) return Flow::stopped;
      continue;
    }
    if (execute(frame, op) == Flow::stopped || findings_.full()) return Flow::stopped;
  }
  frame.last = &block.operations.back();
  return Flow::ended;
}

/// Runs an operation whose results are the same in every program. Its work is counted once for the launch,
/// and for no program.
Machine::Flow Machine::run_invariant(Frame& frame, const ir::Operation& op) {
  if (first_program_) {
    const Counters before = report_.counters;
    if (execute(frame, op) == Flow::stopped || findings_.full()) return Flow::stopped;
    if (counts_invariants_) {
      ProgramWork own = work_of(report_.counters);
      own -= work_of(before);
      before_ += own;
      return Flow::next;
    }
    report_.counters = before;
  }
  ++report_.counters.operations;  // thousands of these operations in millions of programs are work, too
  return Flow::next;
}

Machine::Flow Machine::if_(Frame& frame, const ir::Operation& op) {
  const bool holds = *slot(frame, op.operands[0]).data != std::byte{0};
  const ir::Region& region = op.regions[holds ? 0 : 1];
  if (region.blocks.empty()) return Flow::next;
  if (run_block(frame, region.blocks[0]) == Flow::stopped) return Flow::stopped;
  assign(frame, op.results.data(), frame, frame.last->operands.data(), op.results.size());
  return Flow::next;
}

Machine::Flow Machine::for_(Frame& frame, const ir::Operation& op) {
  const std::int64_t low = integer(frame, op.operands[0]);
  const std::int64_t high = integer(frame, op.operands[1]);
  const std::int64_t step = integer(frame, op.operands[2]);
  const ir::Block& body = op.regions[0].blocks[0];
  const std::size_t carried = op.results.size();
  const int* const arguments = body.arguments.data() + 1;
  if (step <= 0) {
    refuse(Kind::unsupported, op.location, "a loop's step must be positive, but is " + std::to_string(step));
    return Flow::stopped;
  }
  const int shift = 64 - bits(op.scalar);
  std::uint64_t rounds = 0;
  const auto unsigned_low = static_cast<std::uint64_t>(low) << shift >> shift;
  const auto unsigned_high = static_cast<std::uint64_t>(high) << shift >> shift;
  if (op.is_unsigned ? unsigned_low < unsigned_high : low < high) {
    const std::uint64_t distance = op.is_unsigned
                                       ? unsigned_high - unsigned_low
                                       : static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    rounds = (distance - 1) / static_cast<std::uint64_t>(step) + 1;
  }
  assign(frame, arguments, frame, op.operands.data() + 3, carried);
  Turn last_turn = first_turn();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (round > 0 && turn(last_turn, false) == Flow::stopped) return Flow::stopped;
    const auto counter = static_cast<std::uint64_t>(low) + round * static_cast<std::uint64_t>(step);
    std::memcpy(prepare(frame, body.arguments[0], 1), &counter, as_size(storage_bytes(op.scalar)));
    if (!charge(1, op.location) || run_block(frame, body) == Flow::stopped) return Flow::stopped;
    assign(frame, arguments, frame, frame.last->operands.data(), carried);
  }
  assign(frame, op.results.data(), frame, arguments, carried);
  return Flow::next;
}

Machine::Flow Machine::while_(Frame& frame, const ir::Operation& op) {
  const ir::Block& before = op.regions[0].blocks[0];
  const ir::Block& after = op.regions[1].blocks[0];
  assign(frame, before.arguments.data(), frame, op.operands.data(), op.operands.size());
  Turn last_turn = first_turn();
  while (true) {
    if (!charge(1, op.location) || run_block(frame, before) == Flow::stopped) return Flow::stopped;
    const ir::Operation& condition = *frame.last;
    const int* const values = condition.operands.data() + 1;
    if (*slot(frame, condition.operands[0]).data == std::byte{0}) {
      assign(frame, op.results.data(), frame, values, op.results.size());
      return Flow::next;
    }
    assign(frame, after.arguments.data(), frame, values, after.arguments.size());
    if (run_block(frame, after) == Flow::stopped) return Flow::stopped;
    if (others_ != nullptr &&
        turn(last_turn, holds(frame, before.arguments, frame.last->operands.data())) == Flow::stopped)
      return Flow::stopped;
    assign(frame, before.arguments.data(), frame, frame.last->operands.data(), before.arguments.size());
  }
}

/// Whether `values` already equal the values at `from`, which are about to be assigned to them.
bool Machine::holds(Frame& frame, const std::vector<int>& values, const int* from) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Slot& now = slot(frame, values[i]);
    const Slot& next = slot(frame, from[i]);
    if (now.n != next.n || std::memcmp(now.data, next.data, as_size(now.n * now.size)) != 0) return false;
  }
  return true;
}

Machine::Turn Machine::first_turn() {
  if (others_ == nullptr) return {};
  access_.forget_watched();
  return {access_.in_flight().changes, ++turns_, access_.in_flight().polls};
}

/// Called when a loop begins its next iteration. Suppose that the last iteration read memory, changed none
/// and left the loop's values unchanged. Then all following iterations will be the same until another program
/// changes what was read, so the program waits. A loop that polls memory but changes something lets other
/// programs run from time to time.
Machine::Flow Machine::turn(Turn& last, bool as_before) {
  if (others_ == nullptr) return Flow::next;
  constexpr std::uint64_t polls_between = 64;
  const Access::InFlight& now = access_.in_flight();
  const bool innermost = turns_ == last.turns;
  bool going = true;
  if (innermost && as_before && now.changes == last.changes && now.watches_all && !now.watched.empty()) {
    ++report_.counters.asks;
    going = others_->wait();
  } else if (now.polls - last.polls >= polls_between) {
    last.polls = now.polls;
    going = others_->give_way();
  }
  access_.forget_watched();
  last.changes = now.changes;
  last.turns = ++turns_;
  return going ? Flow::next : Flow::stopped;
}

Machine::Flow Machine::call(Frame& frame, const ir::Operation& op) {
  Frame& callee = frame_of(static_cast<int>(op.number));
  assign(callee, callee.function->parameters.data(), frame, op.operands.data(), op.operands.size());
  if (run_function(callee) == Flow::stopped) return Flow::stopped;
  assign(frame, op.results.data(), callee, callee.last->operands.data(), op.results.size());
  return Flow::next;
}

}  // namespace trl::executor
