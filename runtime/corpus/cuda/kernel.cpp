#include "runtime/corpus/cuda/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "runtime/corpus/coverage.hpp"
#include "runtime/corpus/cuda/reductions.hpp"

namespace trl::runtime::cuda {
namespace {

/// Longest line, at the task's own sizes, that is kept in shared memory: half again as long still fits in 48
/// KiB.
constexpr std::int64_t longest_kept = 8000;

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

  Kernel write(const std::string& name) {
    switch (layout_) {
      case Layout::Flat:
        flat();
        break;
      case Layout::Tile:
        is_operator(task_.value, Form::Transpose) && manner_.tiled ? tiled_transposition() : tile();
        break;
      case Layout::Product:
        manner_.tiled ? tiled_product() : product();
        break;
      case Layout::Block:
      case Layout::Warp:
      case Layout::Thread:
        lines_of_matrix();
        break;
    }
    assemble(name);
    return std::move(kernel_);
  }

 private:
  bool across() const { return axis_.value_or(1) == 1; }  // rows are what an operator runs along
  bool confused() const { return flaw_ == Flaw::WrongAxis && !has_product(task_.value); }

  // Text.

  void line(const std::string& text) { body_.push_back(indent_ + text); }
  void open(const std::string& head) {
    line(head + " {");
    indent_ += "    ";
  }
  void close() {
    indent_.resize(indent_.size() - 4);
    line("}");
  }
  void need(const std::string& size) { sizes_.insert(size); }

  /// What follows is for elements of the matrix alone; closed by end_guard.
  void guard(const std::string& inside, const std::string& outside) {
    nested_ = false;
    if (!guarded_) return;
    nested_ = !manner_.early_return;
    if (nested_)
      open(fmt::format("if ({})", inside));
    else
      line(fmt::format("if ({}) return;", outside));
  }
  void end_guard() {
    if (nested_) close();
  }
  void guard_element() {
    guard("row < M && col < N", "row >= M || col >= N");
    if (guarded_) need("M"), need("N");
  }

  /// ⌈size / block⌉, or what forgets to round up.
  std::string blocks(const std::string& size, int block) const {
    if (flaw_ == Flaw::FloorGrid) return fmt::format("{} / {}", size, block);
    return fmt::format("({} + {}) / {}", size, block - 1, block);
  }

  // Elements.

  /// Begins the text of one element's value.
  void enter(const Expression& value) {
    uses_left_.assign(task_.inputs.size(), 0);
    loaded_.clear();
    declared_.clear();
    count(value);
  }

  void count(const Expression& node) {
    if (&node == kept_ || is_operator(node, Form::Reduction) || is_operator(node, Form::Matmul)) return;
    if (node.kind == Expression::Kind::Input) ++uses_left_[node.input];
    for (const Expression& argument : node.args) count(argument);
  }

  void assign(const std::string& variable, const std::string& value) {
    line(fmt::format("{}{} = {};", declared_.insert(variable).second ? "float " : "", variable, value));
  }

  void use(const TaskInput& input) {
    if (std::find(kernel_.inputs.begin(), kernel_.inputs.end(), input.name) == kernel_.inputs.end())
      kernel_.inputs.push_back(input.name);
  }

  std::string load(std::size_t index) {
    const TaskInput& input = task_.inputs[index];
    const std::string variable = variable_of(input.name);
    if (!loaded_.insert(index).second) return variable;
    use(input);
    const Spread spread = spread_of(input.shape, domain_);
    if (spread == Spread::Full && kernel_.flat_input.empty()) kernel_.flat_input = input.name;
    load_lines_.push_back(body_.size());
    const std::string value = kernel_.takes_four ? fmt::format("{}_four.v[k]", variable)
                                                 : fmt::format("{}_ptr[{}]", variable, place(spread));
    assign(variable, manner_.casts ? fmt::format("static_cast<float>({})", value) : value);
    return variable;
  }

  std::string place(Spread spread) {
    const bool flat = layout_ == Layout::Flat;
    if (spread == Spread::Scalar) return "0";
    if (spread == Spread::Full) {
      if (!flat) need("N");
      return flat ? "i" : "row * N + col";
    }
    const bool by_column = (spread == Spread::Row) != confused();
    if (flat) need("N");
    return by_column ? (flat ? "i % N" : "col") : (flat ? "i / N" : "row");
  }

  /// Writes what gives a node's value at this element; the name or number that it has then.
  std::string element(const Expression& node) {
    if (&node == kept_) {
      assign("v", fmt::format("line[{}]", across() ? "col" : "row"));
      return "v";
    }
    if (node.kind == Expression::Kind::Constant) return literal(node.constant);
    if (node.kind == Expression::Kind::Input) return load(node.input);
    switch (form_of(node.op)) {
      case Form::Matmul:
        if (layout_ != Layout::Product) beyond("a matrix product of something computed");
        return product_name_;
      case Form::Transpose:
        if (&node != &task_.value) beyond("a transposition that isn't the last operator");
        return element(node.args[0]);
      case Form::Stated:
        beyond(node.op);
      case Form::Reduction:
        return totals_.at(&node).back();
      case Form::Along:
        return element_along(node);
      case Form::Binary:
      case Form::Elementwise:
        break;
    }
    std::vector<std::string> args;
    for (const Expression& argument : node.args) args.push_back(element(argument));
    const std::string result = result_name(node, args);
    assign(result, elementwise(node, args));
    return result;
  }

  std::string element_along(const Expression& node) {
    const std::string x = element(node.args[0]);
    if (node.op == "cumsum") {
      line(fmt::format("running += {};", x));
      const std::string result = result_name(node, {x});
      assign(result, "running");
      return result;
    }
    const std::string result = result_name(node, {x});
    assign(result, filled(along(node.op).value, node, x, ""));
    return result;
  }

  /// As in the prompt: the first argument's name, unless that is needed again.
  std::string result_name(const Expression& node, const std::vector<std::string>& args) {
    for (const Expression& argument : node.args)
      if (argument.kind == Expression::Kind::Input) --uses_left_[argument.input];
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (node.args[i].kind == Expression::Kind::Constant || fixed_.contains(args[i])) continue;
      if (node.args[i].kind == Expression::Kind::Operator || uses_left_[node.args[i].input] == 0)
        return args[i];
      break;
    }
    for (int i = 0;; ++i) {
      const std::string name = fmt::format("t{}", i);
      if (!taken_.contains(name) && !declared_.contains(name)) return name;
    }
  }

  void store(const std::string& at, const std::string& value) {
    const bool cast = manner_.casts && !makes_temporary_;
    line(fmt::format("out[{}] = {};", at,
                     cast ? fmt::format("static_cast<{}>({})", type_name(), value) : value));
  }

  void element_and_store(const std::string& at) {
    enter(task_.value);
    if (layout_ == Layout::Product) declared_.insert(product_name_);
    const std::string value = element(task_.value);
    store(at, value);
  }

  /// Where an element of the domain goes.
  std::string target() {
    need("N");
    if (!is_operator(task_.value, Form::Transpose)) return "row * N + col";
    need("M");
    return "col * M + row";
  }

  // Elementwise kernels.

  /// Every input, in the order of the task, if threads can take four elements of each at once; none where
  /// they can't.
  std::vector<const TaskInput*> inputs_by_fours() const {
    const bool simple = guarded_ && flaw_ != Flaw::FloorGrid && flaw_ != Flaw::MissingLoad &&
                        flaw_ != Flaw::TinyBlocks && !confused();
    std::vector<const TaskInput*> inputs;
    std::vector<const Expression*> left = {&task_.value};
    while (manner_.vectorised && simple && !left.empty()) {
      const Expression& node = *left.back();
      left.pop_back();
      for (const Expression& argument : node.args) left.push_back(&argument);
      if (node.kind != Expression::Kind::Input) continue;
      const TaskInput* input = &task_.inputs[node.input];
      if (spread_of(input->shape, domain_) != Spread::Full) return {};
      if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
    }
    std::sort(inputs.begin(), inputs.end());
    return inputs;
  }

  void flat_by_fours(const std::vector<const TaskInput*>& inputs) {
    kernel_.takes_four = true;
    kernel_.threads = style_.block;
    kernel_.block = std::to_string(kernel_.threads);
    kernel_.grid = blocks("n", 4 * kernel_.threads);
    need("n");
    const std::string out_type = makes_temporary_ ? "float" : type_name();
    line("int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);");
    for (const TaskInput* input : inputs)
      line(fmt::format("Four<{}> {}_four;", type_of(*input), variable_of(input->name)));
    line(fmt::format("Four<{}> out_four;", out_type));
    open("if (i + 3 < n)");
    for (const TaskInput* input : inputs)
      line(fmt::format("{0}_four = reinterpret_cast<const Four<{1}>*>({0}_ptr)[i / 4];",
                       variable_of(input->name), type_of(*input)));
    indent_.resize(indent_.size() - 4);
    open("} else");
    open("for (int k = 0; i + k < n; ++k)");
    for (const TaskInput* input : inputs)
      line(fmt::format("{0}_four.v[k] = {0}_ptr[i + k];", variable_of(input->name)));
    close();
    close();
    open("for (int k = 0; k < 4; ++k)");
    enter(task_.value);
    const std::string value = element(task_.value);
    line(fmt::format("out_four.v[k] = {};", value));
    close();
    line(fmt::format("if (i + 3 < n) reinterpret_cast<Four<{}>*>(out)[i / 4] = out_four;", out_type));
    line("else for (int k = 0; i + k < n; ++k) out[i + k] = out_four.v[k];");
  }

  void flat() {
    if (const auto inputs = inputs_by_fours(); !inputs.empty()) return flat_by_fours(inputs);
    const int threads = kernel_.threads = style_.block;
    kernel_.block = std::to_string(threads);
    kernel_.grid = blocks("n", threads);
    need("n");
    const std::string first = "int i = blockIdx.x * blockDim.x + threadIdx.x";
    const bool strides = manner_.grid_stride && guarded_ && flaw_ != Flaw::FloorGrid;
    if (strides) {
      kernel_.grid = fmt::format("std::min({}, 1056)", kernel_.grid);
      open(fmt::format("for ({}; i < n; i += gridDim.x * blockDim.x)", first));
    } else {
      line(first + ";");
      guard("i < n", "i >= n");
    }
    element_and_store("i");
    strides ? close() : end_guard();
  }

  void tile() {
    const int width = style_.tile, height = width == 16 ? 16 : width == 32 ? 8 : 4;
    launch_tiles(width, height);
    element_of_tile(width, height);
    guard_element();
    element_and_store(target());
    end_guard();
  }

  void element_of_tile(int width, int height) {
    line(fmt::format("int col = blockIdx.x * {} + threadIdx.x;", width));
    line(fmt::format("int row = blockIdx.y * {} + threadIdx.y;", height));
  }

  void launch_tiles(int width, int height) {
    kernel_.threads = width * height;
    kernel_.block = fmt::format("dim3({}, {})", width, height);
    kernel_.grid = fmt::format("dim3({}, {})", blocks("N", width), blocks("M", height));
  }

  /// Side of a square tile of threads.
  int side() const { return style_.tile == 32 ? 32 : 16; }

  void tiled_transposition() {
    const int width = side();
    launch_tiles(width, width);
    // A column more than are used keeps threads of a warp on different banks.
    line(fmt::format("__shared__ float tile[{}][{}];", width,
                     flaw_ == Flaw::SharedSize ? width / 2 : width + 1));
    element_of_tile(width, width);
    const auto if_inside = [&] {
      if (guarded_) open("if (row < M && col < N)");
    };
    if_inside();
    enter(task_.value);
    const std::string value = element(task_.value);
    line(fmt::format("tile[threadIdx.y][threadIdx.x] = {};", value));
    if (guarded_) close();
    if (flaw_ != Flaw::MissingSync) line("__syncthreads();");
    line(fmt::format("col = blockIdx.x * {} + threadIdx.y;", width));
    line(fmt::format("row = blockIdx.y * {} + threadIdx.x;", width));
    if_inside();
    store(target(), "tile[threadIdx.x][threadIdx.y]");
    if (guarded_) close();
  }

  // Matrix products.

  void begin_product() {
    const Expression& node = *find_form(task_.value, Form::Matmul);
    const Expression &x = node.args[0], &w = node.args[1];
    if (x.kind != Expression::Kind::Input || w.kind != Expression::Kind::Input || x.input == w.input)
      beyond("a matrix product of something computed");
    enter(task_.value);
    for (const std::size_t index : {x.input, w.input}) {
      if (uses_left_[index] > 0) beyond("a factor of a matrix product used twice");
      use(task_.inputs[index]);
    }
    // The product goes on under the first factor's name, as in the prompt.
    product_name_ = variable_of(task_.inputs[x.input].name);
    second_factor_ = variable_of(task_.inputs[w.input].name);
    launch_tiles(side(), side());
    for (const char* size : {"M", "N", "K"}) need(size);
  }

  std::string right_factor(const std::string& down) const {
    return fmt::format(
        fmt::runtime(flaw_ == Flaw::WrongAxis ? "{0}_ptr[col * K + {1}]" : "{0}_ptr[{1} * N + col]"),
        second_factor_, down);
  }

  void product() {
    begin_product();
    element_of_tile(side(), side());
    guard_element();
    line(fmt::format("float {} = 0.0f;", product_name_));
    line("for (int k = 0; k < K; ++k)");
    line(fmt::format("    {0} += float({0}_ptr[row * K + k]) * float({1});", product_name_,
                     right_factor("k")));
    element_and_store(target());
    end_guard();
  }

  void tiled_product() {
    begin_product();
    const int width = side();
    const std::string &x = product_name_, &w = second_factor_;
    line(fmt::format("__shared__ float {0}_tile[{2}][{2}], {1}_tile[{2}][{3}];", x, w, width,
                     flaw_ == Flaw::SharedSize ? width / 2 : width));
    element_of_tile(width, width);
    line(fmt::format("float {} = 0.0f;", x));
    open(fmt::format("for (int first = 0; first < K; first += {})", width));
    line("int k_x = first + threadIdx.x, k_y = first + threadIdx.y;");
    const auto fill = [&](const std::string& name, const std::string& inside, const std::string& value) {
      load_lines_.push_back(body_.size());
      line(fmt::format("{}_tile[threadIdx.y][threadIdx.x] = {};", name,
                       guarded_ ? fmt::format("{} ? float({}) : 0.0f", inside, value) : value));
    };
    fill(x, "row < M && k_x < K", fmt::format("{}_ptr[row * K + k_x]", x));
    fill(w, "k_y < K && col < N", right_factor("k_y"));
    if (flaw_ != Flaw::MissingSync) line("__syncthreads();");
    line(fmt::format("for (int k = 0; k < {}; ++k)", width));
    line(fmt::format("    {0} += {0}_tile[threadIdx.y][k] * {1}_tile[k][threadIdx.x];", x, w));
    line("__syncthreads();");
    close();
    guard_element();
    element_and_store(target());
    end_guard();
  }

  // Operators along an axis.

  void lines_of_matrix() {
    const std::string own = across() ? "row" : "col", count = across() ? "M" : "N";
    const std::string inner = across() ? "col" : "row";
    length_ = std::string(1, across() ? 'N' : 'M');
    need(length_);
    switch (layout_) {
      case Layout::Block:
        kernel_.threads = style_.block;
        kernel_.grid = count;
        kernel_.block = std::to_string(kernel_.threads);
        line(fmt::format("int {} = blockIdx.x;", own));
        loop_ = fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x)", inner, length_);
        keeps_ = manner_.keeps_line && domain_[across() ? 1 : 0].at(dims()) <= longest_kept;
        break;
      case Layout::Warp:
        kernel_.threads = 32 * style_.lines;
        kernel_.grid = blocks(count, style_.lines);
        kernel_.block = fmt::format("dim3(32, {})", style_.lines);
        line(fmt::format("int {} = blockIdx.x * {} + threadIdx.y;", own, style_.lines));
        loop_ = fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += 32)", inner, length_);
        break;
      default:
        // Few, since there are only as many as rows or columns.
        kernel_.threads = std::min(16 * style_.lines, 64);
        kernel_.grid = blocks(count, kernel_.threads);
        kernel_.block = std::to_string(kernel_.threads);
        line(fmt::format("int {} = blockIdx.x * {} + threadIdx.x;", own, kernel_.threads));
        loop_ = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", inner, length_);
    }
    if (layout_ != Layout::Block && guarded_) {
      line(fmt::format("if ({} >= {}) return;", own, count));
      need(count);
    }
    const std::size_t before = body_.size();
    totals(task_.value);
    if (kept_ != nullptr) {
      body_.insert(body_.begin() + static_cast<std::ptrdiff_t>(before),
                   "    extern __shared__ float line[];");
      for (std::size_t& place : load_lines_) ++place;
      kernel_.shared = length_ + " * sizeof(float)";
    }
    if (task_.value.shape == domain_ || is_operator(task_.value, Form::Transpose)) {
      begin_loop(task_.value);
      element_and_store(target());
      close();
      return;
    }
    const bool one_thread = layout_ == Layout::Thread;
    if (!one_thread) open("if (threadIdx.x == 0)");
    element_and_store(own);
    if (!one_thread) close();
  }

  Sizes dims() const { return {task_.dims.begin(), task_.dims.end()}; }

  void begin_loop(const Expression& value) {
    const Expression* scan = find_scan(value);
    if (scan != nullptr) {
      line(fmt::format("{}running = 0.0f;", fixed_.insert("running").second ? "float " : ""));
      taken_.insert("running");
    }
    open(loop_);
  }

  static const Expression* find_scan(const Expression& node) {
    if (node.kind == Expression::Kind::Operator && node.op == "cumsum") return &node;
    for (const Expression& argument : node.args)
      if (const Expression* found = find_scan(argument)) return found;
    return nullptr;
  }

  /// Writes the totals of every operator along the axis, the innermost first.
  void totals(const Expression& node) {
    for (const Expression& argument : node.args) totals(argument);
    if (!is_along(node)) return;
    const Along& how = along(node.op);
    const Expression& of = node.args[0];
    const bool again = how.totals.size() + (is_operator(node, Form::Along) ? 1 : 0) > 1;
    const bool keeps = keeps_ && kept_ == nullptr && again && of.kind == Expression::Kind::Operator &&
                       !has_along(of) && spread_of(of.shape, domain_) == Spread::Full;
    for (const Total& total : how.totals) {
      const std::string name = unused(total.name);
      line(fmt::format("float {} = {};", name, first_of(total.combination)));
      begin_loop(of);
      enter(of);
      const std::string x = element(of);
      if (keeps && kept_ == nullptr) {
        line(fmt::format("line[{}] = {};", across() ? "col" : "row", x));
        keep_next_ = &of;
      }
      const std::string adds = filled(total.of, node, x, "");
      line(total.combination == Combination::sum
               ? fmt::format("{} += {};", name, adds)
               : fmt::format("{} = {};", name, combined(total.combination, name, adds)));
      close();
      finish(total, node, name);
      totals_[&node].push_back(name);
      if (keep_next_ != nullptr) kept_ = std::exchange(keep_next_, nullptr);
    }
  }

  void finish(const Total& total, const Expression& node, const std::string& name) {
    std::string whole = name;
    if (layout_ != Layout::Thread) {
      kernel_.reductions.insert(total.combination);
      whole = fmt::format("{}_{}({})", layout_ == Layout::Block ? "block" : "warp",
                          name_of(total.combination), name);
    }
    const std::string value = filled(total.finish, node, "", whole);
    if (value != name) line(fmt::format("{} = {};", name, value));
  }

  std::string unused(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; fixed_.contains(name) || taken_.contains(name); ++i)
      name = fmt::format("{}{}", wanted, i);
    fixed_.insert(name);
    taken_.insert(name);
    return name;
  }

  std::string filled(const std::string& pattern, const Expression& node, const std::string& value,
                     const std::string& whole) const {
    const auto found = totals_.find(&node);
    const auto total = [&](std::size_t i) {
      return found != totals_.end() && i < found->second.size() ? found->second[i] : std::string();
    };
    return fmt::format(fmt::runtime(pattern), fmt::arg("v", value), fmt::arg("r", whole),
                       fmt::arg("a", total(0)), fmt::arg("b", total(1)), fmt::arg("L", length_),
                       fmt::arg("eps", literal(attribute(node, "eps"))));
  }

  // The whole.

  std::string type_of(const TaskInput& input) const {
    return input.dtype == temporary_dtype ? "float" : type_name();
  }

  std::string type_name() const {
    return flaw_ == Flaw::FloatOnly ? "float" : style_.long_names ? "scalar_t" : "T";
  }

  void assemble(const std::string& name) {
    if (flaw_ == Flaw::MissingLoad && !load_lines_.empty())
      body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(load_lines_.back()));
    const char* star = manner_.restricted ? "* __restrict__ " : "* ";
    std::string parameters;
    for (const std::string& tensor : kernel_.inputs) {
      const auto input = std::find_if(task_.inputs.begin(), task_.inputs.end(),
                                      [&](const TaskInput& i) { return i.name == tensor; });
      parameters += fmt::format("const {}{}{}_ptr, ", type_of(*input), star, variable_of(tensor));
    }
    parameters += fmt::format("{}{}out", makes_temporary_ ? "float" : type_name(), star);
    for (const char* size : {"n", "M", "N", "K"})
      if (sizes_.contains(size)) {
        kernel_.sizes.emplace_back(size);
        parameters += fmt::format(", int {}", size);
      }
    if (flaw_ != Flaw::FloatOnly) kernel_.lines.push_back(fmt::format("template <typename {}>", type_name()));
    kernel_.lines.push_back(fmt::format("__global__ void {}({}) {{", name, parameters));
    kernel_.lines.insert(kernel_.lines.end(), body_.begin(), body_.end());
    kernel_.lines.emplace_back("}");
  }

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

}  // namespace

std::string variable_of(const std::string& input) {
  static const std::set<std::string> reserved = {
      "i",       "row",       "col",       "out",    "n",        "M",        "N",        "K",
      "k",       "k_x",       "k_y",       "first",  "line",     "tile",     "part",     "lane",
      "T",       "scalar_t",  "grid",      "ext",    "kernel",   "torch",    "at",       "std",
      "top",     "low",       "total",     "mean",   "norm",     "scale",    "spread",   "self",
      "auto",    "bool",      "break",     "case",   "char",     "class",    "const",    "continue",
      "default", "delete",    "do",        "double", "else",     "enum",     "explicit", "export",
      "extern",  "false",     "float",     "for",    "friend",   "goto",     "if",       "inline",
      "int",     "long",      "namespace", "new",    "operator", "private",  "public",   "register",
      "return",  "short",     "signed",    "sizeof", "static",   "struct",   "switch",   "template",
      "this",    "throw",     "true",      "try",    "typedef",  "typename", "union",    "unsigned",
      "using",   "v",         "virtual",   "void",   "volatile", "while",    "asm",      "catch",
      "mutable", "protected", "running"};
  return reserved.contains(input) ? "in_" + input : input;
}

Kernel write_kernel(const Task& task, const std::string& name, bool makes_temporary, Layout layout,
                    const Style& style, const Manner& manner, Flaw flaw) {
  return Writer(task, makes_temporary, layout, style, manner, flaw).write(name);
}

}  // namespace trl::runtime::cuda
