#include "verifier/corpus/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/formula.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

/// The value that masked lanes must have for an operator along an axis.
const char* neutral_of(Operator op) {
  using enum Operator;
  if (op == amax || op == softmax || op == log_softmax || op == logsumexp) return "-float(\"inf\")";
  return op == amin || op == softmin ? "float(\"inf\")" : "0.0";
}

class Writer {
 public:
  Writer(const Task& task, Layout layout, const Style& style, Flaw flaw)
      : task_(task),
        layout_(layout),
        style_(style),
        flaw_(flaw),
        domain_(domain_of(task)),
        axis_(axis_of(task.value)) {
    if (domain_.size() != 2) beyond("its values are no matrix");
    uses_left_.resize(task.inputs.size());
    count(task.value);
    masked_ = flaw != Flaw::MissingMask;
    block_ = style.long_names ? "BLOCK_SIZE" : "BLOCK";
    offs_ = style.long_names ? "offsets" : "offs";
  }

  Kernel write(const std::string& name) {
    body_indent_ = "    ";
    prologue();
    const std::string result = emit(task_.value);
    store(result);
    signature(name);
    return std::move(kernel_);
  }

 private:
  bool across() const { return axis_.value_or(1) == 1; }  // whether operators run along rows
  bool one_line() const { return layout_ == Layout::Line; }

  void count(const Expression& node) {
    if (node.kind == Expression::Kind::Input) ++uses_left_[node.input];
    for (const Expression& argument : node.args) count(argument);
  }

  void line(const std::string& text) { body_.push_back(body_indent_ + text); }
  void need(const std::string& size) { sizes_.insert(size); }

  void prologue() {
    switch (layout_) {
      case Layout::Flat:
        line(fmt::format("{} = tl.program_id(0) * {} + tl.arange(0, {})", offs_, block_, block_));
        if (masked_) line(fmt::format("mask = {} < n", offs_));
        need("n");
        break;
      case Layout::Tile:
      case Layout::Product:
        line("rows = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]");
        line("cols = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]");
        if (layout_ == Layout::Product) break;
        tile_offsets();
        break;
      case Layout::Line:
        line(across() ? "row = tl.program_id(0)" : "col = tl.program_id(0)");
        line(fmt::format("{} = tl.arange(0, {})", across() ? "cols" : "rows", block_));
        if (masked_) line(across() ? "mask = cols < N" : "mask = rows < M");
        line(fmt::format("{} = {}", offs_, across() ? "row * N + cols" : "rows * N + col"));
        need("N");
        if (!across() && masked_) need("M");
        break;
      case Layout::Lines:
        line(across() ? "rows = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]"
                      : fmt::format("rows = tl.arange(0, {})[:, None]", block_));
        line(across() ? fmt::format("cols = tl.arange(0, {})[None, :]", block_)
                      : "cols = tl.program_id(0) * BN + tl.arange(0, BN)[None, :]");
        tile_offsets();
        break;
    }
  }

  void tile_offsets() {
    if (masked_) {
      line("mask = (rows < M) & (cols < N)");
      need("M");
    }
    line(fmt::format("{} = rows * N + cols", offs_));
    need("N");
  }

  std::string name_of(const TaskInput& input) const {
    static const std::set<std::string> reserved = {"offs", "offsets", "mask", "rows", "cols", "row",   "col",
                                                   "ks",   "k",       "tl",   "out",  "m",    "n",     "M",
                                                   "N",    "K",       "BM",   "BN",   "BK",   "BLOCK", "s"};
    return reserved.contains(input.name) ? "in_" + input.name : input.name;
  }

  /// Loads an input where it is first used. `padding` is the value that masked lanes must have; empty if any
  /// value will do.
  std::string load(std::size_t index, const std::string& padding) {
    const TaskInput& input = task_.inputs[index];
    const std::string name = name_of(input);
    if (!loaded_.insert(index).second) return name;
    kernel_.tensors.push_back(input.name);
    taken_.insert(name);
    const Spread spread = spread_of(input.shape, domain_);
    if (spread == Spread::Full && kernel_.flat_input.empty()) kernel_.flat_input = input.name;
    std::string at, mask;
    place(spread, at, mask);
    std::string arguments = name + "_ptr" + (at.empty() ? "" : " + " + at);
    if (masked_ && !mask.empty()) {
      arguments += ", mask=" + mask;
      if (!padding.empty()) arguments += ", other=" + padding;
    }
    const bool upcast = input.dtype != temporary_dtype && flaw_ != Flaw::NoUpcast;
    load_lines_.push_back(body_.size());
    line(fmt::format("{} = tl.load({}){}", name, arguments, upcast ? ".to(tl.float32)" : ""));
    return name;
  }

  void place(Spread spread, std::string& at, std::string& mask) {
    const bool confused = flaw_ == Flaw::WrongAxis && !find_form(task_.value, Form::Matmul);
    const bool row = spread == Spread::Row ? !confused : confused;
    if (spread == Spread::Scalar) return;
    if (spread == Spread::Full) {
      at = offs_;
      mask = "mask";
    } else if (layout_ == Layout::Flat) {
      at = offs_ + (row ? " % N" : " // N");
      mask = "mask";
      need("N");
    } else if (one_line()) {
      at = row ? (across() ? "cols" : "col") : (across() ? "row" : "rows");
      if (row == across()) mask = "mask";
    } else {
      at = row ? "cols" : "rows";
      mask = row ? "cols < N" : "rows < M";
      if (masked_) need(row ? "N" : "M");
    }
  }

  std::string emit(const Expression& node, const std::string& padding = "") {
    if (node.kind == Expression::Kind::Constant) return python_float(node.constant);
    if (node.kind == Expression::Kind::Input) return load(node.input, padding);
    switch (form_of(node.op)) {
      case Form::Matmul:
        return product(node);
      case Form::Transpose:
        if (&node != &task_.value) beyond("a transposition that isn't the last operator");
        return emit(node.args[0]);
      case Form::Stated:
        beyond(runtime::name_of(node.op));
      case Form::Reduction:
      case Form::Along:
        return along(node);
      case Form::Binary: {
        // The product is written first, since it defines the offsets that loads of other inputs need.
        const bool product_second = find_form(node.args[1], Form::Matmul) != nullptr;
        std::string x, y;
        if (product_second) y = emit(node.args[1]);
        x = emit(node.args[0]);
        if (!product_second) y = emit(node.args[1]);
        return formula(node, {x, y});
      }
      case Form::Elementwise:
        break;
    }
    return formula(node, {emit(node.args[0])});
  }

  /// Returns the variable of a node's value, as in the prompt: the variable of the first argument that isn't
  /// a constant, or a new one if that argument is an input used again later.
  std::string result_name(const Expression& node, const std::vector<std::string>& args) {
    for (const Expression& argument : node.args)
      if (argument.kind == Expression::Kind::Input) --uses_left_[argument.input];
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (node.args[i].kind == Expression::Kind::Constant) continue;
      if (node.args[i].kind == Expression::Kind::Operator || uses_left_[node.args[i].input] == 0)
        return args[i];
      break;
    }
    for (int i = 0;; ++i)
      if (const std::string name = fmt::format("t{}", i); taken_.insert(name).second) return name;
  }

  std::string formula(const Expression& node, const std::vector<std::string>& args) {
    const std::string result = result_name(node, args);
    const std::vector<std::string> lines = filled(triton_formula(node).text, node, args, python_float);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) line(lines[i]);
    line(fmt::format("{} = {}", result, lines.back()));
    return result;
  }

  std::string product(const Expression& node) {
    const Expression &x = node.args[0], &w = node.args[1];
    if (layout_ != Layout::Product || x.kind != Expression::Kind::Input ||
        w.kind != Expression::Kind::Input || x.input == w.input)
      beyond("a matrix product of something computed");
    for (const std::size_t index : {x.input, w.input}) {
      kernel_.tensors.push_back(task_.inputs[index].name);
      loaded_.insert(index);
      if (--uses_left_[index] > 0) beyond("a factor of a matrix product used twice");
    }
    const std::string left = name_of(task_.inputs[x.input]), right = name_of(task_.inputs[w.input]);
    const auto load = [&](const std::string& name, const std::string& at, const std::string& mask) {
      load_lines_.push_back(body_.size());
      line(fmt::format("{0}k = tl.load({0}_ptr + {1}{2})", name, at,
                       masked_ ? ", mask=" + mask + ", other=0.0" : ""));
    };
    // The product takes the first factor's name, as in the prompt.
    line(fmt::format("{} = tl.zeros((BM, BN), dtype=tl.float32)", left));
    line("for k in range(0, K, BK):");
    body_indent_ += "    ";
    line("ks = k + tl.arange(0, BK)");
    load(left, "rows * K + ks[None, :]", "(rows < M) & (ks[None, :] < K)");
    load(right, flaw_ == Flaw::WrongAxis ? "cols * K + ks[:, None]" : "ks[:, None] * N + cols",
         "(ks[:, None] < K) & (cols < N)");
    line(fmt::format("{0} += tl.dot({0}k, {1}k, input_precision=\"ieee\")", left, right));
    body_indent_.resize(4);
    for (const char* size : {"M", "N", "K"}) need(size);
    taken_.insert(left);
    tile_offsets();
    return left;
  }

  std::string reduce(const char* function, const std::string& value) const {
    if (one_line()) return fmt::format("tl.{}({}, axis=0)", function, value);
    return fmt::format("tl.{}({}, axis={}, keep_dims=True)", function, value, *axis_);
  }

  std::string along(const Expression& node) {
    const std::string neutral = neutral_of(node.op);
    const Expression& before = node.args[0];
    const bool direct = before.kind == Expression::Kind::Input && !loaded_.contains(before.input) &&
                        spread_of(before.shape, domain_) == Spread::Full;
    const bool forgets = flaw_ == Flaw::OtherPad;
    const std::string x = emit(before, direct ? (forgets ? "0.0" : neutral) : "");
    const std::string r = result_name(node, {x});
    std::string v = x;
    if (!direct && masked_ && !forgets) {
      line(fmt::format("{} = tl.where(mask, {}, {})", r, x, neutral));
      v = r;
    }
    const std::string length = across() ? "N" : "M";
    const auto set = [&](const std::string& value) { line(fmt::format("{} = {}", r, value)); };
    const auto total = [&](const std::string& of) { return reduce("sum", of); };
    const auto of_squares = [&](const std::string& of) { return total(fmt::format("{0} * {0}", of)); };
    const auto centre = [&] {
      const std::string centred = fmt::format("{} - {} / {}", v, total(v), length);
      set(masked_ && !forgets ? fmt::format("tl.where(mask, {}, 0.0)", centred) : centred);
    };
    const auto eps = [&] { return python_float(attribute(node, "eps")); };
    const auto over_root = [&](const std::string& of) {
      set(fmt::format("{} * tl.rsqrt({} / {} + {})", of, of_squares(of), length, eps()));
    };
    const auto variance = [&] { return fmt::format("{} / ({} - 1)", of_squares(r), length); };
    switch (node.op) {
      case Operator::amax:
        set(reduce("max", v));
        return r;
      case Operator::amin:
        set(reduce("min", v));
        return r;
      case Operator::logsumexp:
        line(fmt::format("m = {}", reduce("max", v)));
        set(fmt::format("m + tl.log({})", total(fmt::format("tl.exp({} - m)", v))));
        return r;
      case Operator::mean:
        set(fmt::format("{} / {}", total(v), length));
        need(length);
        return r;
      case Operator::std:
        centre();
        set(fmt::format("tl.sqrt({})", variance()));
        need(length);
        return r;
      case Operator::sum:
        set(total(v));
        return r;
      case Operator::var:
        centre();
        set(variance());
        need(length);
        return r;
      case Operator::vector_norm:
        set(fmt::format("tl.sqrt({})", of_squares(v)));
        return r;
      case Operator::cumsum:
        set(fmt::format("tl.cumsum({}, axis={})", v, one_line() ? 0 : *axis_));
        return r;
      case Operator::layer_norm:
        centre();
        over_root(r);
        need(length);
        return r;
      case Operator::log_softmax:
        set(fmt::format("{} - {}", v, reduce("max", v)));
        set(fmt::format("{} - tl.log({})", r, total(fmt::format("tl.exp({})", r))));
        return r;
      case Operator::normalize:
        set(fmt::format("{} / tl.maximum(tl.sqrt({}), {})", v, of_squares(v), eps()));
        return r;
      case Operator::rms_norm:
        over_root(v);
        need(length);
        return r;
      case Operator::softmax:
        set(fmt::format("tl.exp({} - {})", v, reduce("max", v)));
        set(fmt::format("{} / {}", r, total(r)));
        return r;
      case Operator::softmin:
        set(fmt::format("tl.exp({} - {})", reduce("min", v), v));
        set(fmt::format("{} / {}", r, total(r)));
        return r;
#define TRL_ELEMENT(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
        break;
    }
    beyond(runtime::name_of(node.op));
  }

  void store(const std::string& result) {
    std::string at = offs_, mask = "mask";
    if (is_operator(task_.value, Form::Transpose)) {
      if (layout_ != Layout::Tile && layout_ != Layout::Product) beyond("a transposition outside tiles");
      at = "cols * M + rows";
      need("M");
    } else if (task_.value.shape != domain_) {
      at = across() ? (one_line() ? "row" : "rows") : (one_line() ? "col" : "cols");
      mask = one_line() ? "" : across() ? "rows < M" : "cols < N";
      if (!mask.empty() && masked_) need(across() ? "M" : "N");
    }
    line(fmt::format("tl.store(out_ptr + {}, {}{})", at, result,
                     masked_ && !mask.empty() ? ", mask=" + mask : ""));
  }

  void signature(const std::string& name) {
    if (flaw_ == Flaw::MissingLoad && !load_lines_.empty())
      body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(load_lines_.back()));
    std::string parameters;
    for (const std::string& tensor : kernel_.tensors) {
      const auto input = std::find_if(task_.inputs.begin(), task_.inputs.end(),
                                      [&](const TaskInput& i) { return i.name == tensor; });
      parameters += name_of(*input) + "_ptr, ";
    }
    parameters += "out_ptr";
    for (const char* size : {"n", "M", "N", "K"})
      if (sizes_.contains(size)) {
        kernel_.sizes.emplace_back(size);
        parameters += std::string(", ") + size;
      }
    std::vector<std::string> constants;
    launch(constants);
    for (const std::string& constant : constants) parameters += ", " + constant + ": tl.constexpr";
    kernel_.lines.push_back("@triton.jit");
    kernel_.lines.push_back(fmt::format("def {}({}):", name, parameters));
    kernel_.lines.insert(kernel_.lines.end(), body_.begin(), body_.end());
  }

  void launch(std::vector<std::string>& constants) {
    const bool floors = flaw_ == Flaw::FloorGrid;
    const auto blocks = [&](const char* size, int block) {
      return fmt::format(fmt::runtime(floors ? "{} // {}" : "triton.cdiv({}, {})"), size, block);
    };
    const auto constant = [&](const std::string& name, const std::string& value) {
      constants.push_back(name);
      kernel_.constants.push_back(name + "=" + value);
    };
    const std::string line_block = fmt::format("triton.next_power_of_2({})", across() ? "N" : "M");
    switch (layout_) {
      case Layout::Flat:
        kernel_.grid = fmt::format("({},)", blocks("n", style_.block));
        constant(block_, std::to_string(style_.block));
        break;
      case Layout::Tile:
      case Layout::Product:
        kernel_.grid = fmt::format("({}, {})", blocks("M", style_.tile), blocks("N", style_.tile));
        constant("BM", std::to_string(style_.tile));
        constant("BN", std::to_string(style_.tile));
        if (layout_ == Layout::Product) constant("BK", std::to_string(style_.depth));
        break;
      case Layout::Line:
        kernel_.grid = across() ? "(M,)" : "(N,)";
        constant(block_, line_block);
        break;
      case Layout::Lines: {
        // Neighbouring columns are read together, so a program takes more of them.
        const int lines = across() ? style_.lines : style_.lines * 4;
        kernel_.grid = fmt::format("({},)", blocks(across() ? "M" : "N", lines));
        constant(across() ? "BM" : "BN", std::to_string(lines));
        constant(block_, line_block);
        break;
      }
    }
  }

  const Task& task_;
  Layout layout_;
  const Style& style_;
  Flaw flaw_;
  Shape domain_;
  std::optional<int> axis_;
  bool masked_ = true;
  std::string block_, offs_, body_indent_;
  std::vector<std::string> body_;
  std::vector<std::size_t> load_lines_;
  std::vector<int> uses_left_;
  std::set<std::size_t> loaded_;
  std::set<std::string> taken_, sizes_;
  Kernel kernel_;
};

}  // namespace

Kernel write_kernel(const Task& task, const std::string& name, Layout layout, const Style& style, Flaw flaw) {
  return Writer(task, layout, style, flaw).write(name);
}

}  // namespace trl::runtime
