#pragma once
// Runs the programs of a launch that may wait for each other. One program runs at a time; when it waits,
// another program continues.
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "verifier/executor/launch/program_order.hpp"
#include "verifier/executor/machine/fiber.hpp"
#include "verifier/executor/machine/launch.hpp"
#include "verifier/executor/machine/machine.hpp"

namespace trl::executor {

/// Programs begin in the order of the seed Options::order. When a program waits, and sometimes after an
/// atomic, the same seed chooses the program that runs next. So the result depends only on the launch, the
/// memory and the seed. With Options::interleaved, as many programs as fit begin before any of them
/// continues; then the program that was suspended last continues first. With Options::clock, the program with
/// the earliest modelled time continues.
///
/// Which programs may wait for each other follows from the behaviour of GPUs: blocks begin in the grid's
/// order, and at least `resident` blocks run at once, one on each multiprocessor. So once a program has
/// waited, only the first `resident` programs of the grid that haven't ended may begin. When all of these
/// programs wait, no program can continue: a deadlock.
class Schedule : public Others {
 public:
  /// The number of multiprocessors of an H200.
  static constexpr std::uint64_t resident = 132;

  Schedule(const LaunchOf& of, Machine& machine, const ProgramOrder& order, std::uint64_t programs);
  ~Schedule() override;

  /// Runs all programs, or ends earlier when the launch must end.
  void run();

  bool wait() override;
  bool give_way() override;
  bool after_atomic(bool asks) override;
  bool after_load() override;

 private:
  enum class State { idle, runs, waits, gives_way };
  struct Flight {
    Machine::Context context;
    std::unique_ptr<Fiber> fiber;
    std::uint32_t number = 0;
    State state = State::idle;
    std::uint64_t turn = 0;  // if several give way, the one with the largest number goes on first
    bool going = true;
    double since_us = 0;  // when the program began by the clock, and for how long it has waited since
  };

  Flight* choose();
  Flight* choose_by_clock(const std::vector<Flight*>& ready, bool begins);
  double now(const Flight& flight) const;
  double next_begins() const;
  Flight* start(std::uint32_t number);
  Flight* idle_flight();
  bool room() const;
  bool can_begin();
  std::uint32_t next_program();
  void resume(Flight& flight);
  void ended(const Flight& flight);
  void open_window();
  void fill_window();
  void report_deadlock();
  bool suspend(State state, std::uint64_t turn = 0);
  std::uint64_t random();

  Machine& machine_;
  const ProgramOrder& order_;
  const std::uint64_t programs_;
  const bool interleaves_, shuffles_;
  const GpuModel* const clock_;
  // With a clock: the times at which programs ended, of programs in whose places no others have begun yet.
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
  double last_ran_us_ = 0;  // the clock of the program that ran last
  std::uint64_t random_ = 0, begun_ = 0, turns_ = 0;
  std::size_t stack_bytes_ = 0, most_flights_ = 1, in_flight_ = 0;
  std::vector<std::unique_ptr<Flight>> flights_;
  Flight* current_ = nullptr;
  bool stopping_ = false;

  // State after the first wait. The programs of the grid below number `reached_` have been admitted; of these
  // `unfinished_` programs haven't ended, and `window_` lists the ones that haven't begun.
  bool waited_ = false;
  std::uint64_t reached_ = 0, unfinished_ = 0;
  std::vector<std::uint32_t> window_;
  std::vector<bool> has_begun_, has_ended_;
};

}  // namespace trl::executor
