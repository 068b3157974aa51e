// What writes a kernel: one class, whose layouts are a file each.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/corpus/coverage.hpp"
#include "runtime/corpus/cuda/kernel.hpp"

namespace trl::runtime::cuda {

/// Writes one kernel: `write` is called once.
class Writer {
 public:
  Writer(const Task& task, bool makes_temporary, Layout layout, const Style& style, const Manner& manner,
         Flaw flaw)
      : task_(task),
        makes_temporary_(makes_temporary),
        layout_(layout),
        style_(style),
        manner_(manner),
        flaw_(flaw),
        domain_(domain_of(task)),
        axis_(axis_of(task.value)),
        guarded_(flaw != Flaw::MissingMask) {
    if (domain_.size() != 2) beyond("its values are no matrix");
    for (const TaskInput& input : task.inputs) taken_.insert(variable_of(input.name));
  }

  Kernel write(const std::string& name);

 private:
  /// Are rows what an operator runs along?
  bool across() const { return axis_.value_or(1) == 1; }
  bool confused() const { return flaw_ == Flaw::WrongAxis && !has_product(task_.value); }

  // Text.

  void line(const std::string& text) { body_.push_back(indent_ + text); }
  /// Begins a block; `close` ends it.
  void open(const std::string& head);
  void close();
  void need(const std::string& size) { sizes_.insert(size); }

  /// What follows is for elements of the matrix alone; closed by end_guard.
  void guard(const std::string& inside, const std::string& outside);
  void end_guard();
  void guard_element();

  /// ⌈size / block⌉, or what forgets to round up.
  std::string blocks(const std::string& size, int block) const;

  // Elements.

  /// Begins the text of one element's value.
  void enter(const Expression& value);
  /// How often each input is used below a node.
  void count(const Expression& node);

  /// Sets a variable, declared where it is new to the element.
  void assign(const std::string& variable, const std::string& value);
  /// Makes an input a parameter.
  void use(const TaskInput& input);

  std::string load(std::size_t index);
  std::string place(Spread spread);

  /// Writes what gives a node's value at this element; the name or number that it has then.
  std::string element(const Expression& node);
  std::string element_along(const Expression& node);

  /// As in the prompt: the first argument's name, unless that is needed again.
  std::string result_name(const Expression& node, const std::vector<std::string>& args);
  void store(const std::string& at, const std::string& value);

  void element_and_store(const std::string& at);

  /// Where an element of the domain goes.
  std::string target();

  // Elementwise kernels.

  /// Every input, in the order of the task, if threads can take four elements of each at once; none where
  /// they can't.
  std::vector<const TaskInput*> inputs_by_fours() const;
  void flat_by_fours(const std::vector<const TaskInput*>& inputs);

  void flat();
  void tile();

  void element_of_tile(int width, int height);
  void launch_tiles(int width, int height);

  /// Side of a square tile of threads.
  int side() const { return style_.tile == 32 ? 32 : 16; }

  void tiled_transposition();

  // Matrix products.

  /// Checks and names the factors.
  void begin_product();
  std::string right_factor(const std::string& down) const;
  void product();

  void tiled_product();

  // Operators along an axis.

  void lines_of_matrix();

  Sizes dims() const { return {task_.dims.begin(), task_.dims.end()}; }

  /// Begins the loop over a line's elements.
  void begin_loop(const Expression& value);
  static const Expression* find_scan(const Expression& node);

  /// Writes the totals of every operator along the axis, the innermost first.
  void totals(const Expression& node);
  /// Makes a thread's part of a total the line's.
  void finish(const Total& total, const Expression& node, const std::string& name);

  /// A new name for a total.
  std::string unused(const std::string& wanted);
  /// The pattern of an Along with its names in place.
  std::string filled(const std::string& pattern, const Expression& node, const std::string& value,
                     const std::string& whole) const;

  // The whole.

  std::string type_of(const TaskInput& input) const;
  std::string type_name() const;
  void assemble(const std::string& name);

  const Task& task_;
  bool makes_temporary_;
  Layout layout_;
  const Style& style_;
  const Manner& manner_;
  Flaw flaw_;
  Shape domain_;
  std::optional<int> axis_;
  bool guarded_, nested_ = false, keeps_ = false;
  std::string indent_ = "    ";
  std::vector<std::string> body_;
  std::vector<std::size_t> load_lines_;
  std::string product_name_, second_factor_, length_, loop_;
  const Expression *kept_ = nullptr, *keep_next_ = nullptr;
  std::map<const Expression*, std::vector<std::string>> totals_;
  std::set<std::string> taken_, fixed_, sizes_;  // names in use; those that no operator may change
  // Of the element being written.
  std::vector<int> uses_left_;
  std::set<std::size_t> loaded_;
  std::set<std::string> declared_;
  Kernel kernel_;
};

}  // namespace trl::runtime::cuda
