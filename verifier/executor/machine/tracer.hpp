#pragma once
// Traces NaN and infinities through a machine's values. For each element of a value, the tracer keeps the
// number of an entry in Trace: the operation that made the element NaN or infinite. The number is 0 for
// finite elements.
#include <string>
#include <vector>

#include "verifier/executor/launch/trace.hpp"
#include "verifier/executor/machine/machine.hpp"

namespace trl::executor {

class Tracer {
 public:
  Tracer(Machine& machine, Trace& trace) : machine_(machine), trace_(trace) {}

  using Frame = Machine::Frame;
  // The origins of a value's stored elements: one number per element, or a single number for all elements.
  // Empty if no element has an origin.
  using Origins = std::vector<std::uint32_t>;

  /// Called after an operation has computed its results.
  void after(Frame& frame, const ir::Operation& op);
  /// Called before the values `from` are assigned to the values `to`: copies their origins. The assignments
  /// count as simultaneous.
  void assign(Frame& to_frame, const int* to, Frame& from_frame, const int* from, std::size_t count);
  /// Turns recording off and on. It is off while a reduction's region runs on parts of blocks.
  void pause(bool paused) { paused_ = paused; }

 private:
  void elementwise(Frame& frame, const ir::Operation& op);
  void constant(Frame& frame, const ir::Operation& op);
  void mapped(Frame& frame, const ir::Operation& op);
  void moved(Frame& frame, const ir::Operation& op);
  void load(Frame& frame, const ir::Operation& op);
  void store(Frame& frame, const ir::Operation& op);
  void along_axis(Frame& frame, const ir::Operation& op);
  void dot(Frame& frame, const ir::Operation& op);

  Origins& origins(Frame& frame, int value);
  std::uint32_t origin(Frame& frame, int value, std::int64_t element);
  bool real(const Frame& frame, int value) const;
  double number(Frame& frame, int value, std::int64_t element);
  const std::byte* raw(Frame& frame, int value, std::int64_t element);
  bool holds(Frame& frame, int value, std::int64_t element) {
    return *raw(frame, value, element) != std::byte{0};
  }
  std::uint32_t add(const ir::Operation& op, std::string what, std::uint32_t cause = 0);
  /// Finds the operand element that explains a result that isn't finite: the first NaN, else the first
  /// infinity.
  struct Search {
    bool nan = false, inf = false;
    std::uint32_t origin = 0;
    void see(double element, std::uint32_t number);
  };
  /// Records `find(index, element)` as the origin of each element of `result` that isn't finite. A result
  /// that isn't a float gets no origins.
  template <class Find>
  void note(Frame& frame, int result, Find find);
  /// Returns the origin that the search found, if it explains `value`; otherwise adds a new origin with the
  /// text `what()`, whose cause is the origin that the search found.
  template <class What>
  std::uint32_t explain(const ir::Operation& op, const Search& search, double value, What what);
  std::string expression(Frame& frame, const ir::Operation& op, std::int64_t element);
  std::uint32_t loaded(Frame& frame, const ir::Operation& op, std::int64_t element, double value);

  Machine& machine_;
  Trace& trace_;
  bool paused_ = false;
};

}  // namespace trl::executor
