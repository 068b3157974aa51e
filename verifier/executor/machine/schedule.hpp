#pragma once
// Runs the programs of a launch that may wait for each other: one at a time, but where one waits, another
// continues.
#include <cstdint>
#include <memory>
#include <vector>

#include "verifier/executor/launch/program_order.hpp"
#include "verifier/executor/machine/fiber.hpp"
#include "verifier/executor/machine/launch.hpp"
#include "verifier/executor/machine/machine.hpp"

namespace trl::executor {

/// Deterministic in the launch, the memory and the options' order. Programs run in that order; where one
/// waits, or sometimes after an atomic, another one is chosen by the same seed.
///
/// For how long programs may wait for each other follows from what GPUs guarantee in practice: blocks begin
/// in the grid's order, and at least `resident` run at once, one on each multiprocessor. So once a program
/// waits, only the first `resident` programs of the grid that haven't ended may begin. When all of these
/// wait, none can continue: a deadlock.
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
  bool after_atomic() override;

 private:
  enum class State { idle, runs, waits, gives_way };
  struct Flight {
    Machine::Context context;
    std::unique_ptr<Fiber> fiber;
    std::uint32_t number = 0;
    State state = State::idle;
    bool going = true;
  };

  Flight* choose();
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
  bool suspend(State state);
  std::uint64_t random();

  Machine& machine_;
  const ProgramOrder& order_;
  const std::uint64_t programs_;
  const bool shuffles_;
  std::uint64_t random_ = 0, begun_ = 0;
  std::size_t stack_bytes_ = 0, most_flights_ = 1, in_flight_ = 0;
  std::vector<std::unique_ptr<Flight>> flights_;
  Flight* current_ = nullptr;
  bool stopping_ = false;

  // State after the first wait: the programs of the grid up to `reached_` have been admitted, and this many
  // of them haven't ended; `window_` holds the admitted ones that haven't begun.
  bool waited_ = false;
  std::uint64_t reached_ = 0, unfinished_ = 0;
  std::vector<std::uint32_t> window_;
  std::vector<bool> has_begun_, has_ended_;
};

}  // namespace trl::executor
