#pragma once
// Runs programs of a launch, one after another. Internal; callers use run() of executor.hpp.
#include <memory>
#include <vector>

#include "verifier/executor/access/access.hpp"
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

class Tracer;

/// The other programs of a launch, from the point of view of the running one.
class Others {
 public:
  virtual ~Others() = default;
  /// Lets other programs run until something that this program has read changes; give_way() lets them run
  /// once, and after_atomic() does so sometimes. Returns false when the launch is to end.
  virtual bool wait() = 0;
  virtual bool give_way() = 0;
  virtual bool after_atomic() = 0;
};

class Machine {
 public:
  Machine(const ir::Program& program, const ir::Function& kernel, const Launch& launch, MemoryView& places,
          const Options& options, Access::Tracking tracking, Report& report);
  ~Machine();

  /// Checks the grid, the blocks and the arguments. Returns false after reporting a finding.
  bool begin();
  /// Runs one program; `number` is its index in the grid's order. Returns false when the launch must end.
  bool run_program(std::uint32_t number);
  /// Sets the object that lets other programs run when a program waits; there is none at first.
  void set_others(Others* others) { others_ = others; }
  /// Tells that operations which are the same in all programs were counted by another machine.
  void count_invariants_as_known() { counts_invariants_ = false; }
  /// Bytes of all blocks that are alive at once.
  static std::uint64_t block_bytes(const ir::Program& program);

 private:
  friend class Tracer;
  enum class Flow { next, ended, stopped };
  /// The state of a loop after its last iteration.
  struct Turn {
    std::uint64_t changes = 0, turns = 0, polls = 0;
  };

  /// A value's elements: `n` is the number of elements, or 1 when all are equal.
  struct Slot {
    std::byte* data = nullptr;
    std::byte* own = nullptr;
    std::int64_t n = 1;
    std::int64_t capacity = 1;
    std::int64_t size = 1;  // bytes per element
  };
  struct Frame {
    const ir::Function* function = nullptr;
    std::vector<std::byte> arena;
    std::vector<Slot> slots;
    const ir::Operation* last = nullptr;              // the terminator that ended a block
    std::vector<std::vector<std::uint32_t>> origins;  // a tracer's origins, one list per value
  };

 public:
  /// The state of a program that takes turns with others.
  struct Context {
    std::vector<std::unique_ptr<Frame>> frames;
    std::uint32_t at[3] = {0, 0, 0};
    bool first_program = true, counts_invariants = false;
    std::uint64_t turns = 0;
    Access::InFlight in_flight;
  };
  /// Gives a context its blocks and arguments. With `first`, operations that are the same in all programs are
  /// counted.
  void prepare_context(Context& context, bool first);
  /// Saves the state of the current program in `other`, and continues with the state that was there.
  void exchange(Context& other);
  const Access& access() const { return access_; }
  void refuse(Kind kind, int location, std::string message);

 private:
  // arguments.cpp
  bool bind_arguments();

  // machine.cpp
  Frame& frame_of(int function);
  Slot& slot(Frame& frame, int value) { return frame.slots[static_cast<std::size_t>(value)]; }
  const ir::Value& value(const Frame& frame, int index) const {
    return frame.function->values[static_cast<std::size_t>(index)];
  }
  std::byte* prepare(Frame& frame, int value, std::int64_t n);
  void share(Frame& frame, int to, int from, std::int64_t n);
  void assign(Frame& to_frame, const int* to, Frame& from_frame, const int* from, std::size_t count);
  /// All elements of a value, copied to `spread` when it is held as a single element.
  const std::byte* full(Frame& frame, int value, std::vector<std::byte>& spread);
  std::int64_t integer(Frame& frame, int value);
  bool charge(std::uint64_t work, int location);
  Flow execute(Frame& frame, const ir::Operation& op);
  Flow carry_out(Frame& frame, const ir::Operation& op);
  Flow elementwise(Frame& frame, const ir::Operation& op);
  Flow memory_access(Frame& frame, const ir::Operation& op);
  bool shares(const Frame& frame, const ir::Operation& op) const;

  // control.cpp
  Flow run_function(Frame& frame);
  /// Runs a graph of blocks from the first to a terminator that is no branch, which becomes frame.last.
  Flow run_graph(Frame& frame, const std::vector<ir::Block>& blocks);
  Flow run_block(Frame& frame, const ir::Block& block);
  Flow run_invariant(Frame& frame, const ir::Operation& op);
  Flow if_(Frame& frame, const ir::Operation& op);
  Flow for_(Frame& frame, const ir::Operation& op);
  Flow while_(Frame& frame, const ir::Operation& op);
  Flow call(Frame& frame, const ir::Operation& op);
  Turn first_turn();
  Flow turn(Turn& last, bool as_before);
  bool holds(Frame& frame, const std::vector<int>& values, const int* from);

  // decisions.cpp
  void note_decision(Frame& frame, const ir::Operation& op);
  bool any_real(Frame& frame, const ir::Operation& op, std::vector<std::uint8_t> real);

  // dot.cpp
  Flow dot(Frame& frame, const ir::Operation& op);
  Flow dot_scaled(Frame& frame, const ir::Operation& op);
  std::vector<float> scaled_operand(Frame& frame, const ir::Operation& op, std::size_t side, bool in_f16);

  // map.cpp
  Flow map(Frame& frame, const ir::Operation& op);

  // axis.cpp
  Flow along_axis(Frame& frame, const ir::Operation& op);
  Flow reduce_with_region(Frame& frame, const ir::Operation& op, const Axis& axis);
  Flow scan_with_region(Frame& frame, const ir::Operation& op, const Axis& axis);
  Flow combine(Frame& frame, const ir::Operation& op, const std::vector<std::byte*>& left,
               const std::vector<std::byte*>& right, const std::vector<std::byte*>& out, std::int64_t lanes);
  Axis axis_of(const Frame& frame, const ir::Operation& op) const;

  // shapes.cpp
  void broadcast(Frame& frame, const ir::Operation& op);
  void trans(Frame& frame, const ir::Operation& op);
  void join(Frame& frame, const ir::Operation& op);
  void split(Frame& frame, const ir::Operation& op);
  void gather(Frame& frame, const ir::Operation& op);
  void histogram(Frame& frame, const ir::Operation& op);

  const ir::Program& program_;
  const ir::Function& kernel_;
  const Launch& launch_;
  MemoryView& places_;
  const Options& options_;
  Report& report_;
  Findings findings_;
  Access access_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::unique_ptr<Tracer> tracer_;
  std::vector<std::uint8_t>* ways_ = nullptr;  // for each decision of the program
  std::uint32_t at_[3] = {0, 0, 0};
  bool first_program_ = true;
  bool counts_invariants_ = true;
  Others* others_ = nullptr;
  std::uint64_t turns_ = 0;          // iterations of all loops of the current program
  std::uint64_t next_question_ = 0;  // when to call limits.cancelled again
};

}  // namespace trl::executor
