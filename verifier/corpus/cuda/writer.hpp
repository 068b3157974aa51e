// The class that writes a CUDA kernel. Its functions for each layout are in a .cpp file of their own.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "verifier/corpus/coverage.hpp"
#include "verifier/corpus/cuda/kernel.hpp"

namespace trl::runtime::cuda {

/// Writes one kernel. `write` may be called only once.
class Writer {
 public:
  Writer(const Task& task, bool makes_temporary, Layout layout, const Style& style,
         const CudaStyle& cuda_style, Flaw flaw)
      : task_(task),
        makes_temporary_(makes_temporary),
        layout_(layout),
        style_(style),
        cuda_style_(cuda_style),
        flaw_(flaw),
        domain_(domain_of(task)),
        axis_(axis_of(task.value)),
        guarded_(flaw != Flaw::MissingMask) {
    if (domain_.size() != 2) beyond("its values are no matrix");
    for (const TaskInput& input : task.inputs) taken_.insert(variable_of(input.name));
  }

  Kernel write(const std::string& name);

 private:
  /// Whether operators along an axis run along rows.
  bool across() const { return axis_.value_or(1) == 1; }
  bool confused() const { return flaw_ == Flaw::WrongAxis && !has_product(task_.value); }

  // These functions write text.

  void line(const std::string& text) { body_.push_back(indent_ + text); }
  /// Begins a block of C++, whose end `close` writes.
  void open(const std::string& head);
  void close();
  void need(const std::string& size) { sizes_.insert(size); }

  /// Begins code that runs only for elements inside the matrix; `end_guard` ends it. `inside` and `outside`
  /// are C++ conditions.
  void guard(const std::string& inside, const std::string& outside);
  void end_guard();
  void guard_element();

  /// Returns the C++ expression of ⌈size / block⌉, or of ⌊size / block⌋ for Flaw::FloorGrid.
  std::string blocks(const std::string& size, int block) const;

  // These functions write the value of an element.

  /// Begins the code that computes the value of one element: resets the state of the element.
  void enter(const Expression& value);
  /// Counts how often each input is used in the expression `node`.
  void count(const Expression& node);

  /// Writes an assignment to a variable. The first assignment for an element also declares the variable.
  void assign(const std::string& variable, const std::string& value);
  /// Adds an input to the parameters of the kernel.
  void use(const TaskInput& input);

  std::string load(std::size_t index);
  std::string place(Spread spread);

  /// Writes the statements that compute a node's value at the present element. Returns the variable or number
  /// that holds the value.
  std::string element(const Expression& node);
  std::string element_along(const Expression& node);

  /// Returns the variable that receives a node's value. As in the prompt, this is the variable of the first
  /// argument, or a new variable if the argument is used again later.
  std::string result_name(const Expression& node, const std::vector<std::string>& args);
  void store(const std::string& at, const std::string& value);

  void element_and_store(const std::string& at);

  /// Returns the C++ expression of the output index at which an element's value is stored.
  std::string target();

  // These functions write elementwise kernels.

  /// Returns the inputs that the kernel reads, in the order of the task, if a thread can load four elements
  /// of each input at once; otherwise nothing.
  std::vector<const TaskInput*> inputs_by_fours() const;
  void flat_by_fours(const std::vector<const TaskInput*>& inputs);

  void flat();
  void tile();

  void element_of_tile(int width, int height);
  void launch_tiles(int width, int height);

  /// The number of rows, and of columns, of a square tile of threads.
  int side() const { return style_.tile == 32 ? 32 : 16; }

  void tiled_transposition();

  // These functions write matrix products.

  /// Checks the two factors of the matrix product and chooses their names.
  void begin_product();
  std::string right_factor(const std::string& down) const;
  void product();

  void tiled_product();

  // These functions write operators along an axis.

  void lines_of_matrix();

  Sizes dims() const { return {task_.dims.begin(), task_.dims.end()}; }

  /// Begins the loop over the elements of a line (a row or column).
  void begin_loop(const Expression& value);
  static const Expression* find_scan(const Expression& node);

  /// Writes the totals of every operator along the axis in the expression, beginning with the innermost
  /// operator.
  void totals(const Expression& node);
  /// Writes code that combines the threads' partial totals into the total of the line.
  void finish(const Total& total, const Expression& node, const std::string& name);

  /// Returns `wanted`, or `wanted` with a number if that name is in use.
  std::string unused(const std::string& wanted);
  /// Replaces the placeholders, such as {v}, in a formula of an Along.
  std::string filled(const std::string& pattern, const Expression& node, const std::string& value,
                     const std::string& whole) const;

  // These functions write the whole kernel.

  std::string type_of(const TaskInput& input) const;
  std::string type_name() const;
  void assemble(const std::string& name);

  const Task& task_;
  bool makes_temporary_;
  Layout layout_;
  const Style& style_;
  const CudaStyle& cuda_style_;
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
  std::set<std::string> taken_, fixed_, sizes_;  // taken_: names in use; fixed_: variables to which no
                                                 // operator may assign; sizes_: size parameters
  // These members belong to the element that is being written.
  std::vector<int> uses_left_;
  std::set<std::size_t> loaded_;
  std::set<std::string> declared_;
  Kernel kernel_;
};

}  // namespace trl::runtime::cuda
