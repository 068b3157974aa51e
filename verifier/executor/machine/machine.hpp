#pragma once
// Runs programs of a launch, one after another. Internal; callers use run() of executor.hpp.
#include <memory>
#include <set>
#include <vector>

#include "verifier/executor/access/access.hpp"
#include "verifier/executor/program/ir.hpp"
#include "verifier/executor/values/lowering.hpp"

namespace trl::executor {

class Tracer;

/// The interface by which the running program lets the launch's other programs run.
class Others {
 public:
  virtual ~Others() = default;
  /// Suspends the running program until memory that it has read changes; other programs run meanwhile.
  /// Returns false when the launch must end.
  virtual bool wait() = 0;
  /// Suspends the running program once, so that other programs may run. Returns false when the launch must
  /// end.
  virtual bool give_way() = 0;
  /// Called after each atomic. Acts as give_way() in some calls, chosen at random, and otherwise returns
  /// true. If programs are interleaved (Options::interleaved), every call acts as give_way(). With a clock
  /// (Options::clock), a call acts as give_way() if `asks` is true: the program uses the atomic's result.
  virtual bool after_atomic(bool asks) = 0;
  /// Called after each load of memory that the launch may write. Acts as give_way() if programs are
  /// interleaved (Options::interleaved), and otherwise returns true.
  virtual bool after_load() = 0;
};

class Machine {
 public:
  Machine(const ir::Program& program, const ir::Function& kernel, const Launch& launch, MemoryView& places,
          const Options& options, Access::Tracking tracking, Report& report);
  ~Machine();

  /// Checks the grid, the size of the blocks and the arguments. Returns false after reporting a finding.
  bool begin();
  /// Runs one program; `number` is its index in the grid's order. Returns false when the launch must end.
  bool run_program(std::uint64_t number);
  /// Sets the object that lets other programs run when a program waits; there is none at first.
  void set_others(Others* others) { others_ = others; }
  /// Makes this machine leave out of its counters the operations whose result is the same in all programs:
  /// another machine has already counted them.
  void count_invariants_as_known() { counts_invariants_ = false; }
  /// The number of bytes of all blocks that are alive at once in one program of the launch.
  static std::uint64_t block_bytes(const ir::Program& program);

 private:
  friend class Tracer;
  enum class Flow { next, ended, stopped };
  /// A program's counters at an earlier iteration of a loop, to be compared with the present counters.
  struct Turn {
    std::uint64_t changes = 0, turns = 0, polls = 0;
  };

  /// The stored elements of a value. `n` is their number: 1 when all elements of the value are equal.
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
    const ir::Operation* last = nullptr;              // the terminator of the block that ran last
    std::vector<std::vector<std::uint32_t>> origins;  // for the tracer: one list of origins per value
  };

 public:
  /// The state of a program that runs alternately with other programs.
  struct Context {
    std::vector<std::unique_ptr<Frame>> frames;
    std::uint32_t at[3] = {0, 0, 0};
    bool first_program = true, counts_invariants = false;
    std::uint64_t turns = 0;
    ProgramWork work;  // the work of the program so far
    Access::InFlight in_flight;
  };
  /// Gives a context storage for its blocks, and the kernel's arguments. With `first`, the context counts the
  /// operations that compute the same in all programs.
  void prepare_context(Context& context, bool first);
  /// Swaps the state of the current program with the state in `other`. The machine continues with the program
  /// whose state was in `other`.
  void exchange(Context& other);
  const Access& access() const { return access_; }
  /// The operations that had undefined results so far.
  using Operations = std::set<const ir::Operation*>;
  const Operations& undefined() const { return undefined_; }
  void add_undefined(const Operations& operations) {
    undefined_.insert(operations.begin(), operations.end());
  }
  /// Describes at most 16 of the operations in `undefined`, by their positions in the text.
  std::vector<UndefinedResult> undefined_results() const;
  /// The work of the current program until now.
  ProgramWork work() const;
  void refuse(Kind kind, int location, std::string message);
  /// Records the time, in microseconds by the modelled clock, at which a program ended.
  void ends_at(double us);

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
  /// Returns all elements of a value. When only one element is stored, the copies of it are in `spread`.
  const std::byte* full(Frame& frame, int value, std::vector<std::byte>& spread);
  std::int64_t integer(Frame& frame, int value) { return integer_at(slot(frame, value), 0); }
  static std::int64_t integer_at(const Slot& from, std::int64_t i);
  bool charge(std::uint64_t work, int location);
  Flow execute(Frame& frame, const ir::Operation& op);
  Flow carry_out(Frame& frame, const ir::Operation& op);
  Flow elementwise(Frame& frame, const ir::Operation& op);
  Flow memory_access(Frame& frame, const ir::Operation& op);
  bool shares(const Frame& frame, const ir::Operation& op) const;

  // hints.cpp
  static std::int64_t number_at(const Slot& from, const Type& type, std::int64_t i);
  bool divides(std::int64_t divisor, int parameter);
  void check_hints(Frame& frame, const ir::Operation& op);

  // choices.cpp
  bool chooses(const ir::Operation& op) const;
  Operands factors(Frame& frame, const ir::Operation& op);
  bool note_undefined(const ir::Operation& op, std::int64_t count);
  void look_for_undefined(const ir::Operation& op, const Operands& in, std::byte* out, std::int64_t n);
  void reorder(const ir::Operation& op, std::byte* data, std::int64_t count, std::int64_t size);

  // control.cpp
  Flow run_function(Frame& frame);
  /// Runs a graph of blocks, beginning with the first block, until a terminator is no branch; frame.last is
  /// then that terminator.
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
  /// The elements of the blocks that a reduction or scan joins.
  struct Running;
  std::vector<Running> running(Frame& frame, const ir::Operation& op);
  Flow join(Frame& frame, const ir::Operation& op, std::vector<Running>& blocks, std::int64_t lanes);
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
  const Lowering lowering_;
  Report& report_;
  Findings findings_;
  Access access_;
  std::vector<std::unique_ptr<Frame>> frames_;
  Operations undefined_;
  std::unique_ptr<Tracer> tracer_;
  std::vector<std::uint8_t>* ways_ = nullptr;  // one byte per decision (Options::ways); null: not recorded
  std::uint32_t at_[3] = {0, 0, 0};
  bool first_program_ = true;
  bool counts_invariants_ = true;
  Others* others_ = nullptr;
  ProgramWork work_;                 // the work of the current program before it was last suspended
  ProgramWork before_;               // the launch's work when the current program began or was resumed
  std::uint64_t turns_ = 0;          // iterations of all loops of the current program
  std::uint64_t next_question_ = 0;  // the number of operations at which limits.cancelled is called again
};

}  // namespace trl::executor
