#include "verifier/examination/epilogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "verifier/examination/epilogue_forms.hpp"
#include "verifier/tasks/costs.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr double most_at_full = 0.25, most_at_other = 0.5, most_at_tiny = 1.5;
constexpr double most_beside_kernels = 1.0 / 3;  // a quarter of the work of both
constexpr std::int64_t elements_of_a_program = 1024;
constexpr double sector = 32;
constexpr std::size_t rank = 4;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

struct FormLine {
  std::vector<std::string> words;  // one of these words must occur; empty: the line is part of every kernel
  std::string text;
};

/// One form of kernels: elementwise, or a reduction.
struct EpilogueForm {
  bool reduces = false;
  std::vector<std::string> operations;
  std::vector<FormLine> lines;
};

struct EpilogueForms {
  std::vector<EpilogueForm> forms;
  std::vector<std::string> tiles;
};

// Reads recorder/epilogue.ttir, whose header comment describes it.
EpilogueForms read_forms() {
  EpilogueForms read;
  std::istringstream in(epilogue_forms::embedded().at("epilogue.ttir"));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//! ")) {
      std::vector<std::string> words = split(line.substr(4), ' ');
      const std::string kind = words.front();
      words.erase(words.begin());
      if (kind == "tiles")
        read.tiles = std::move(words);
      else
        read.forms.push_back({kind == "reduce", std::move(words), {}});
    } else if (!line.starts_with("//") && !read.forms.empty()) {
      FormLine one;
      if (const std::size_t end = line.find(']'); line.starts_with("[") && end != std::string::npos) {
        one.words = split(line.substr(1, end - 1), ' ');
        line.erase(0, end + 1);
      }
      one.text = line + "\n";
      read.forms.back().lines.push_back(std::move(one));
    }
  }
  return read;
}

const EpilogueForms& all_forms() {
  static const EpilogueForms forms = read_forms();
  return forms;
}

bool among(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_half(const std::string& type) { return type == "f16" || type == "bf16"; }

/// The parts of a kernel's name.
struct EpilogueKernel {
  const EpilogueForm* form = nullptr;
  std::string operation, a, b, out;  // element types; b is "number", too, and empty for a reduction
  std::int64_t rows = 0, columns = 0;

  std::int64_t bytes(const std::string& type) const { return bytes_of(element_type(type).value()); }
};

std::optional<EpilogueKernel> parse_name(const std::string& name) {
  if (!name.starts_with(epilogue_prefix)) return std::nullopt;
  const std::vector<std::string> parts = split(name.substr(epilogue_prefix.size()), '_');
  if (parts.size() != 4) return std::nullopt;
  EpilogueKernel kernel;
  kernel.operation = parts[0];
  for (const EpilogueForm& form : all_forms().forms)
    if (among(form.operations, kernel.operation)) kernel.form = &form;
  if (kernel.form == nullptr) return std::nullopt;
  const auto computes = [](const std::string& type) { return type == "f32" || is_half(type); };
  kernel.a = parts[1];
  if (kernel.form->reduces) {
    kernel.out = parts[2];
    if (!among(all_forms().tiles, parts[3])) return std::nullopt;
    const std::vector<std::string> tile = split(parts[3], 'x');
    kernel.rows = std::stoll(tile.at(0)), kernel.columns = std::stoll(tile.at(1));
  } else {
    kernel.b = parts[2], kernel.out = parts[3];
    if (kernel.b != "number" && !computes(kernel.b)) return std::nullopt;
  }
  if (!computes(kernel.a) || !computes(kernel.out)) return std::nullopt;
  return kernel;
}

std::string replace_all(std::string text, const std::string& name, const std::string& value) {
  const std::string wanted = "$" + name + "$";
  for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; at += value.size())
    text.replace(at, wanted.size(), value);
  return text;
}

std::string text_of_kernel(const std::string& name, const EpilogueKernel& kernel) {
  std::vector<std::string> holds = {kernel.operation};
  const auto add = [&](const std::string& operand, const std::string& type) {
    if (type.empty()) return;
    holds.push_back(operand + ":" + type);
    if (is_half(type)) holds.push_back(operand + ":half");
  };
  add("a", kernel.a), add("b", kernel.b), add("out", kernel.out);
  if (kernel.b != "number" && !kernel.b.empty()) holds.emplace_back("b:tensor");
  std::string text;
  for (const FormLine& line : kernel.form->lines)
    if (line.words.empty() || std::any_of(line.words.begin(), line.words.end(),
                                          [&](const std::string& word) { return among(holds, word); }))
      text += line.text;
  text = replace_all(replace_all(std::move(text), "NAME", name), "A", kernel.a);
  text = replace_all(replace_all(std::move(text), "B", kernel.b), "OUT", kernel.out);
  text = replace_all(std::move(text), "ROWS", std::to_string(kernel.rows));
  return replace_all(std::move(text), "COLUMNS", std::to_string(kernel.columns));
}

PlanError refuse(std::string reason, std::string message, int line) {
  return {std::move(reason), std::move(message), line, false};
}

PlanError unsound(const std::string& what, int line) {
  return refuse("bad_plan", "the launch plan is not sound: " + what, line);
}

const PlanKernel& kernel_of(const Recording& recording, const PlanLaunch& launch) {
  return recording.kernels[static_cast<std::size_t>(launch.kernel)];
}

/// The arguments of a marked launch as its kernel uses them.
struct EpilogueCall {
  EpilogueKernel kernel;
  int out = 0, a = 0, b = -1;                   // buffers; b is -1 for a number and for a reduction
  std::int64_t n = 0, k = 1;                    // elements of the result, and how many are reduced to each
  std::vector<std::int64_t> sizes, reduced;     // of the four dimensions
  std::vector<std::int64_t> of_a, of_b, inner;  // strides; `inner` has a's strides of the reduced dimensions

  /// Returns the largest number of different elements that dimensions with these strides can reach.
  static double distinct(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides) {
    double all = 1;
    for (std::size_t d = 0; d < rank; ++d)
      if (strides[d] != 0) all *= static_cast<double>(sizes[d]);
    return all;
  }

  /// Bytes moved and operations.
  double work() const {
    const auto size = [&](const std::string& type) { return static_cast<double>(kernel.bytes(type)); };
    const double reads_a = distinct(sizes, of_a) * (kernel.form->reduces ? distinct(reduced, inner) : 1);
    const double reads_b = b < 0 ? 0 : distinct(sizes, of_b) * size(kernel.b);
    return reads_a * size(kernel.a) + reads_b + static_cast<double>(n) * size(kernel.out) +
           static_cast<double>(n) * static_cast<double>(k);
  }
};

/// Takes the arguments of a marked launch one after another. An argument that is asked for must be there.
class Arguments {
 public:
  explicit Arguments(const std::vector<PlanArgument>& args) : args_(args) {}

  bool sound() const { return sound_ && next_ == args_.size(); }
  int buffer() {
    const auto* one = next<BufferArgument>();
    return one == nullptr ? 0 : one->buffer;
  }
  void number() { next<float>(); }
  std::int64_t integer(std::int64_t least) {
    const auto* one = next<std::int32_t>();
    if (one == nullptr || *one < least) sound_ = false;
    return sound_ ? *one : least;
  }
  /// `count` and the three sizes behind it: the sizes of all four dimensions.
  std::vector<std::int64_t> sizes(std::int64_t& count) {
    count = integer(0);
    std::vector<std::int64_t> all(rank, 1);
    std::int64_t behind = 1;
    for (std::size_t d = 1; d < rank; ++d) {
      all[d] = integer(1);
      behind = std::min(behind * all[d], std::int64_t{1} << 31);
    }
    all[0] = (count + behind - 1) / behind;
    return all;
  }
  std::vector<std::int64_t> strides() {
    std::vector<std::int64_t> all(rank);
    for (std::int64_t& one : all) one = integer(0);
    return all;
  }

 private:
  template <class T>
  const T* next() {
    const T* one = next_ < args_.size() ? std::get_if<T>(&args_[next_]) : nullptr;
    ++next_;
    if (one == nullptr) sound_ = false;
    return one;
  }

  const std::vector<PlanArgument>& args_;
  std::size_t next_ = 0;
  bool sound_ = true;
};

// Reads a marked launch. Returns nothing unless the launch's kernel is the one that its name promises, with
// that kernel's arguments.
std::optional<EpilogueCall> read_call(const Recording& recording, const LaunchStep& launch) {
  static const json options = {
      {"num_warps", 4}, {"num_stages", 3}, {"maxnreg", nullptr}, {"enable_fp_fusion", true}};
  const PlanKernel& kernel = kernel_of(recording, launch);
  const auto named = parse_name(kernel.name);
  if (!named || kernel.language != PlanKernel::Language::triton || kernel.options != options ||
      kernel.text != text_of_kernel(kernel.name, *named))
    return std::nullopt;
  if (!launch.alternatives.empty() || launch.grid[1] != 1 || launch.grid[2] != 1) return std::nullopt;
  EpilogueCall call;
  call.kernel = *named;
  const bool reduces = named->form->reduces;
  Arguments args(launch.args);
  call.out = args.buffer(), call.a = args.buffer();
  if (!reduces && named->b != "number")
    call.b = args.buffer();
  else
    args.number();
  call.sizes = args.sizes(call.n);
  if (reduces) call.reduced = args.sizes(call.k);
  if (call.b >= 0) call.of_b = args.strides();
  call.of_a = args.strides();
  if (reduces)
    call.inner = args.strides();
  else
    args.strides();
  const std::int64_t reached = std::int64_t{launch.grid[0]} * (reduces ? named->rows : elements_of_a_program);
  if (!args.sound() || call.n > reached) return std::nullopt;
  return call;
}

/// Follows through a plan's buffers which values the kernels and PyTorch compute.
class EpilogueFlow {
 public:
  EpilogueFlow(const Recording& recording, const Plan& plan) : recording_(recording), plan_(plan) {}

  std::optional<PlanError> check() {
    for (const Step& step : plan_.steps)
      if (auto wrong = std::visit([&](const auto& one) { return follow(one); }, step)) return wrong;
    return std::nullopt;
  }

 private:
  std::optional<PlanError> follow(const FillStep&) { return std::nullopt; }

  std::optional<PlanError> follow(const AddressStep& address) {
    pointees_[address.to.buffer].insert(address.of.buffer);
    return std::nullopt;
  }

  std::optional<PlanError> follow(const CopyStep& copy) {
    if (own_.contains(copy.from.buffer)) own_.insert(copy.to.buffer);
    if (finished_.contains(copy.from.buffer)) finished_.insert(copy.to.buffer);
    const std::set<int> to = pointees_[copy.from.buffer];
    pointees_[copy.to.buffer].insert(to.begin(), to.end());
    return std::nullopt;
  }

  std::optional<PlanError> follow(const LaunchStep& launch) {
    return launch.framework.empty() ? follow_own(launch) : follow_framework(launch);
  }

  std::optional<PlanError> follow_own(const LaunchStep& launch) {
    const auto reserved = [&](const PlanLaunch& one) {
      return kernel_of(recording_, one).name.starts_with(epilogue_prefix);
    };
    if (reserved(launch) || std::any_of(launch.alternatives.begin(), launch.alternatives.end(), reserved))
      return refuse("unsupported",
                    fmt::format("a kernel is called {}, and names that begin with {} are those of PyTorch's "
                                "own operations",
                                kernel_of(recording_, launch).name, epilogue_prefix),
                    launch.line);
    for (const int buffer : reach(launch)) {
      if (finished_.contains(buffer))
        return refuse(
            "framework_compute",
            fmt::format("PyTorch does more than an epilogue: `{}` goes on with what PyTorch computed, "
                        "and PyTorch may only finish what kernels computed",
                        kernel_of(recording_, launch).name),
            launch.line);
      if (!is_input(buffer)) own_.insert(buffer);
    }
    return std::nullopt;
  }

  std::optional<PlanError> follow_framework(const LaunchStep& launch) {
    const auto call = read_call(recording_, launch);
    if (!call)
      return unsound(fmt::format("a launch is marked as PyTorch's {} and is none", launch.framework),
                     launch.line);
    if (!own_.contains(call->a) && (call->b < 0 || !own_.contains(call->b)))
      return refuse(
          "framework_compute",
          fmt::format("PyTorch does more than an epilogue: its {} reads nothing that a kernel computed",
                      launch.framework),
          launch.line);
    if (is_input(call->out)) return unsound("PyTorch writes to an input", launch.line);
    own_.insert(call->out);
    finished_.insert(call->out);
    return std::nullopt;
  }

  /// Returns the numbers of the buffers that a launch may use, including the buffers of its tables of
  /// addresses.
  std::set<int> reach(const LaunchStep& launch) {
    std::vector<int> left;
    for (const PlanArgument& argument : launch.args)
      if (const auto* place = std::get_if<BufferArgument>(&argument))
        left.push_back(place->buffer);
      else if (const auto* whole = std::get_if<StructArgument>(&argument))
        for (const StructArgument::Address& address : whole->addresses) left.push_back(address.to.buffer);
    std::set<int> all;
    while (!left.empty()) {
      const int one = left.back();
      left.pop_back();
      if (!all.insert(one).second) continue;
      const std::set<int>& more = pointees_[one];
      left.insert(left.end(), more.begin(), more.end());
    }
    return all;
  }

  bool is_input(int buffer) const { return plan_.buffers[static_cast<std::size_t>(buffer)].input >= 0; }

  const Recording& recording_;
  const Plan& plan_;
  std::set<int> own_;       // buffers that the candidate's kernels may have written, or derived from these
  std::set<int> finished_;  // buffers that PyTorch computed
  std::map<int, std::set<int>> pointees_;  // the buffers to which a table of addresses points
};

double epilogue_work(const Recording& recording, const Plan& plan) {
  double all = 0;
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step); launch != nullptr && !launch->framework.empty())
      if (const auto call = read_call(recording, *launch)) all += call->work();
  return all;
}

const LaunchStep* first_marked(const Plan& plan) {
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step); launch != nullptr && !launch->framework.empty())
      return launch;
  return nullptr;
}

std::optional<PlanError> too_much_work(const Recording& recording, const Plan& plan, const Task& task,
                                       const Variation& variation, double most) {
  const double share = 1 - kernel_share(recording, plan, task, variation);
  if (share <= most) return std::nullopt;
  return refuse("framework_compute",
                fmt::format("PyTorch does more than an epilogue: its operations are {:.0f} % of the "
                            "reference's work{}, and may be {:.0f} %",
                            100 * share, variation.label() == "original" ? "" : " under " + variation.label(),
                            100 * most),
                first_marked(plan)->line);
}

/// An operation of PyTorch's, and how many elements it reduces to one.
struct EpilogueOperation {
  std::string name;
  std::int64_t reduced = 1;
};

std::vector<EpilogueOperation> operations_of(const Recording& recording, const Plan& plan) {
  std::vector<EpilogueOperation> all;
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step); launch != nullptr && !launch->framework.empty())
      if (const auto call = read_call(recording, *launch)) all.push_back({call->kernel.operation, call->k});
  return all;
}

// Whether all operations of `some` occur in `all` in the same order, each reducing at least as many elements
// as in `some`.
bool follows(const std::vector<EpilogueOperation>& some, const std::vector<EpilogueOperation>& all) {
  auto at = all.begin();
  for (const EpilogueOperation& one : some) {
    at = std::find_if(at, all.end(), [&](const EpilogueOperation& other) {
      return other.name == one.name && other.reduced >= one.reduced;
    });
    if (at++ == all.end()) return false;
  }
  return true;
}

std::optional<PlanError> check_plan(const Recording& recording, std::size_t number,
                                    const TestCases& test_cases, const Question& question) {
  const Plan& plan = recording.plans[number];
  const LaunchStep* marked = first_marked(plan);
  if (!question.protocol.epilogue) {
    if (marked == nullptr) return std::nullopt;
    return refuse("framework_compute",
                  fmt::format("the launch plan lets PyTorch compute ({}), and only kernels may compute",
                              marked->framework),
                  marked->line);
  }
  if (auto wrong = EpilogueFlow(recording, plan).check()) return wrong;
  if (marked == nullptr) return std::nullopt;
  const Task& task = question.task;
  if (number == 0)
    if (auto wrong = too_much_work(recording, plan, task, Variation{}, most_at_full)) return wrong;
  for (const TestCase& test_case : test_cases.all) {
    if (test_case.plan != number) continue;
    const bool tiny = test_case.variation.kind == Variation::Kind::Tiny;
    if (auto wrong =
            too_much_work(recording, plan, task, test_case.variation, tiny ? most_at_tiny : most_at_full))
      return wrong;
    if (tiny && !follows(operations_of(recording, plan), operations_of(recording, recording.plans[0])))
      return refuse(
          "framework_compute",
          "PyTorch does more than an epilogue: at small sizes it does what it doesn't do at the task's own",
          marked->line);
  }
  if (test_cases.other_sizes && test_cases.other_sizes->plan == number)
    return too_much_work(recording, plan, task, test_cases.other_sizes->variation, most_at_other);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> epilogue_kernel(const std::string& name) {
  const auto named = parse_name(name);
  if (!named) return std::nullopt;
  return text_of_kernel(name, *named);
}

std::optional<PlanError> check_epilogues(Recording& recording, const TestCases& test_cases,
                                         const Question& question) {
  for (std::size_t i = 0; i < recording.plans.size(); ++i) {
    Plan& plan = recording.plans[i];
    if (plan.error) continue;
    auto wrong = check_plan(recording, i, test_cases, question);
    if (!wrong) continue;
    if (i == 0) return wrong;
    Plan failed;
    failed.label = plan.label;
    failed.error = std::move(wrong);
    plan = std::move(failed);
  }
  return std::nullopt;
}

double kernel_share(const Recording& recording, const Plan& plan, const Task& task,
                    const Variation& variation) {
  const double finished = epilogue_work(recording, plan);
  if (finished == 0) return 1;
  const double all = single_pass_work(task, variation);
  return all > 0 ? 1 - finished / all : 0;
}

std::optional<ReplayFinding> check_against_kernels(const Recording& recording, const Plan& plan,
                                                   const std::vector<executor::Counters>& per_launch) {
  const LaunchStep* marked = first_marked(plan);
  if (marked == nullptr || per_launch.size() != plan.steps.size()) return std::nullopt;
  double own = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* launch = std::get_if<LaunchStep>(&plan.steps[i]);
    if (launch == nullptr || !launch->framework.empty()) continue;
    const executor::Counters& counted = per_launch[i];
    own += sector * static_cast<double>(counted.sectors_read + counted.sectors_written) +
           static_cast<double>(counted.flops) + static_cast<double>(counted.dot_flops);
  }
  const double finished = epilogue_work(recording, plan);
  if (finished <= most_beside_kernels * own) return std::nullopt;
  return ReplayFinding{
      "framework_compute",
      fmt::format("PyTorch does more than an epilogue: its operations are {:.0f} % of what it and "
                  "the kernels do, and may be {:.0f} %",
                  100 * finished / (finished + own), 100 * most_at_full),
      marked->line};
}

}  // namespace trl::runtime
