#include "verifier/executor/machine/schedule.hpp"

#include <algorithm>

#include "verifier/executor/launch/model_time.hpp"

namespace trl::executor {
namespace {

/// The depth of regions and calls around the innermost operation.
int deepest(const ir::Program& program, const ir::Region& region) {
  int depth = 0;
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations) {
      if (op.code == Code::call)
        depth = std::max(depth,
                         1 + deepest(program, program.functions[static_cast<std::size_t>(op.number)].body));
      for (const ir::Region& inner : op.regions) depth = std::max(depth, 1 + deepest(program, inner));
    }
  return depth;
}

constexpr std::size_t stack_base = 128 << 10, stack_of_a_level = 8 << 10;
constexpr std::uint64_t atomics_between = 8;  // on average, before another program is chosen
// The maximum number of programs that are suspended for that reason.
constexpr std::size_t most_taken_over = 4;

}  // namespace

Schedule::Schedule(const LaunchOf& of, Machine& machine, const ProgramOrder& order, std::uint64_t programs)
    : machine_(machine),
      order_(order),
      programs_(programs),
      interleaves_(of.options.interleaved && of.options.clock == nullptr),
      shuffles_(of.options.order != 0 && of.options.clock == nullptr && !interleaves_),
      clock_(of.options.clock),
      random_(of.options.order) {
  int depth = 0;
  for (const ir::Function& function : of.program.functions)
    depth = std::max(depth, deepest(of.program, function.body));
  stack_bytes_ = stack_base + static_cast<std::size_t>(depth) * stack_of_a_level;
  const std::uint64_t each = Machine::block_bytes(of.program) + stack_bytes_;
  const std::uint64_t affordable = of.options.limits.max_block_bytes / each;
  most_flights_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(affordable, 1, resident + 1));
  machine_.set_others(this);
}

Schedule::~Schedule() {
  // Suspended programs are resumed to unwind their stacks, so that objects there are destroyed.
  stopping_ = true;
  for (const auto& flight : flights_) {
    while (flight->state != State::idle) {
      try {
        resume(*flight);
      } catch (...) {
      }
    }
  }
  machine_.set_others(nullptr);
}

void Schedule::run() {
  while (begun_ < programs_ || in_flight_ > 0) {
    Flight* const next = choose();
    if (next == nullptr) {
      report_deadlock();
      return;
    }
    resume(*next);
    if (!next->going) return;
  }
}

// ---- which program is next ----

Schedule::Flight* Schedule::choose() {
  std::vector<Flight*> ready;
  for (const auto& flight : flights_) {
    const bool goes_on =
        flight->state == State::gives_way ||
        (flight->state == State::waits && !machine_.access().holds(flight->context.in_flight));
    if (goes_on) ready.push_back(flight.get());
  }
  const bool begins = can_begin();
  if (clock_ != nullptr) return choose_by_clock(ready, begins);
  if (!shuffles_) {
    // A program that waited for a change goes first. A program that only gave way goes last.
    const auto waited =
        std::find_if(ready.begin(), ready.end(), [](Flight* one) { return one->state == State::waits; });
    if (waited != ready.end()) return *waited;
    if (begins) return start(next_program());
    if (ready.empty()) return nullptr;
    std::rotate(flights_.begin(), flights_.begin() + 1, flights_.end());
    return *std::max_element(ready.begin(), ready.end(),
                             [](const Flight* a, const Flight* b) { return a->turn < b->turn; });
  }
  const std::uint64_t choices = ready.size() + (begins ? 1 : 0);
  if (choices == 0) return nullptr;
  const std::uint64_t choice = choices == 1 ? 0 : random() % choices;
  return choice < ready.size() ? ready[static_cast<std::size_t>(choice)] : start(next_program());
}

double Schedule::now(const Flight& flight) const {
  return flight.since_us + model_program_us(flight.context.work, *clock_);
}

/// When the next program begins: at once if a multiprocessor has room for it, else when another program has
/// ended.
double Schedule::next_begins() const {
  const auto places = static_cast<std::uint64_t>(clock_->multiprocessors * clock_->programs_each);
  return begun_ < places || ends_.empty() ? 0 : ends_.top();
}

Schedule::Flight* Schedule::choose_by_clock(const std::vector<Flight*>& ready, bool begins) {
  // The program that ran last has changed the value for which a program waited.
  for (Flight* flight : ready)
    if (flight->state == State::waits) {
      flight->since_us += std::max(0.0, last_ran_us_ - now(*flight));
      flight->state = State::gives_way;
    }
  const auto first = std::min_element(ready.begin(), ready.end(),
                                      [this](const Flight* a, const Flight* b) { return now(*a) < now(*b); });
  const double begin = next_begins();
  if (!begins || (first != ready.end() && now(**first) <= begin))
    return first == ready.end() ? nullptr : *first;
  Flight* const flight = start(next_program());
  flight->since_us = begin;
  if (begin > 0) ends_.pop();
  return flight;
}

bool Schedule::room() const { return in_flight_ < most_flights_; }

bool Schedule::can_begin() {
  if (begun_ == programs_ || !room()) return false;
  return !waited_ || !window_.empty();
}

std::uint32_t Schedule::next_program() {
  if (!waited_) return static_cast<std::uint32_t>(order_(begun_));
  const auto at = static_cast<std::ptrdiff_t>(!shuffles_ ? 0 : random() % window_.size());
  const std::uint32_t number = window_[static_cast<std::size_t>(at)];
  window_.erase(window_.begin() + at);
  return number;
}

Schedule::Flight* Schedule::start(std::uint32_t number) {
  ++begun_;
  if (waited_) has_begun_[number] = true;
  Flight* flight = idle_flight();
  flight->number = number;
  flight->going = true;
  flight->state = State::runs;
  ++in_flight_;
  flight->fiber->start([this, flight] { flight->going = machine_.run_program(flight->number); });
  return flight;
}

Schedule::Flight* Schedule::idle_flight() {
  for (const auto& flight : flights_)
    if (flight->state == State::idle) return flight.get();
  Flight& flight = *flights_.emplace_back(std::make_unique<Flight>());
  flight.fiber = std::make_unique<Fiber>(stack_bytes_);
  machine_.prepare_context(flight.context, flights_.size() == 1);
  return &flight;
}

void Schedule::resume(Flight& flight) {
  current_ = &flight;
  flight.state = State::runs;
  machine_.exchange(flight.context);
  try {
    flight.fiber->resume();
  } catch (...) {
    flight.state = State::idle;
    flight.going = false;
    --in_flight_;
    machine_.exchange(flight.context);
    throw;
  }
  machine_.exchange(flight.context);
  if (clock_ != nullptr) last_ran_us_ = now(flight);
  if (!flight.fiber->ended()) return;
  if (clock_ != nullptr) {
    ends_.push(last_ran_us_);
    machine_.ends_at(last_ran_us_);
  }
  flight.state = State::idle;
  --in_flight_;
  ended(flight);
}

// ---- programs that others may wait for ----

void Schedule::open_window() {
  waited_ = true;
  has_begun_.assign(programs_, false);
  for (std::uint64_t i = 0; i < begun_; ++i) has_begun_[order_(i)] = true;
  has_ended_ = has_begun_;
  for (const auto& flight : flights_)
    if (flight->state != State::idle) has_ended_[flight->number] = false;
  fill_window();
}

void Schedule::fill_window() {
  for (; reached_ < programs_ && unfinished_ < resident; ++reached_) {
    if (has_ended_[reached_]) continue;
    ++unfinished_;
    if (!has_begun_[reached_]) window_.push_back(static_cast<std::uint32_t>(reached_));
  }
}

void Schedule::ended(const Flight& flight) {
  if (!waited_) return;
  has_ended_[flight.number] = true;
  if (flight.number < reached_) --unfinished_;
  fill_window();
}

void Schedule::report_deadlock() {
  Flight* first = nullptr;
  for (const auto& flight : flights_)
    if (flight->state == State::waits && (first == nullptr || flight->number < first->number))
      first = flight.get();
  if (first == nullptr) return;
  machine_.exchange(first->context);
  const Access::InFlight& waiting = machine_.access().in_flight();
  const std::string what = "program " + machine_.access().program_name(first->number) + " waits for " +
                           machine_.access().describe_watched(waiting) + " to change, and ";
  const int location = waiting.watched.empty() ? -1 : waiting.watched.back().location;
  if (!room() && begun_ < programs_) {
    machine_.refuse(Kind::unsupported, location,
                    what + "so many programs wait that the executor has no room for another");
  } else if (begun_ < programs_) {
    machine_.refuse(Kind::deadlock, location,
                    what + "all programs that a GPU surely runs at once (the first " +
                        std::to_string(resident) + " of the grid that haven't ended) wait too");
  } else {
    machine_.refuse(Kind::deadlock, location, what + "every other program has ended or waits too");
  }
  machine_.exchange(first->context);
}

// ---- called by the running program ----

bool Schedule::suspend(State state, std::uint64_t turn) {
  if (stopping_) return false;
  Flight& flight = *current_;
  flight.state = state;
  flight.turn = turn;
  flight.fiber->suspend();
  return !stopping_;
}

bool Schedule::wait() {
  if (!waited_ && !stopping_) open_window();
  return suspend(State::waits);
}

bool Schedule::give_way() {
  if (!waited_ && !stopping_) open_window();
  return suspend(State::gives_way);
}

bool Schedule::after_load() { return !interleaves_ || suspend(State::gives_way, ++turns_); }

bool Schedule::after_atomic(bool asks) {
  if (clock_ != nullptr) return !asks || suspend(State::gives_way);
  if (interleaves_) return suspend(State::gives_way, ++turns_);
  if (!shuffles_ || in_flight_ >= most_taken_over || !room() || random() % atomics_between != 0) return true;
  return suspend(State::gives_way);
}

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Schedule::random() {
  std::uint64_t z = random_ += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

}  // namespace trl::executor
