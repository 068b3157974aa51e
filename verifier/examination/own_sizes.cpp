// Judges a candidate at the task's own sizes, where these are too large to be carried out as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/examination/modelled_time.hpp"
#include "verifier/examination/steps.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/task_parts.hpp"

namespace trl::runtime {
namespace {

// Limits of a launch: the number of its programs that run, and the operations of one of them; roughly, the
// operations of a launch and of all launches.
constexpr std::size_t most_programs = 64;
constexpr std::uint64_t program_operations = 200'000'000, launch_operations = 250'000'000,
                        plan_operations = 1'000'000'000;
// The most elements of inputs and results that are computed for expected values: for one part, and together.
constexpr double most_part = 1 << 23, most_parts = 1 << 23;

// Returns the number of the view's element that begins at a byte of its buffer; nothing if no element does,
// or if it isn't known.
std::optional<std::size_t> element_at(const BufferView& view, std::int64_t offset) {
  const std::int64_t width = bytes_of(view.type);
  offset -= view.offset;
  if (offset < 0 || offset % width != 0) return std::nullopt;
  std::int64_t left = offset / width;
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < view.shape.size(); ++d)
    if (view.shape[d] != 1) axes.push_back(d);
  std::sort(axes.begin(), axes.end(),
            [&](std::size_t a, std::size_t b) { return view.strides[a] > view.strides[b]; });
  std::vector<std::int64_t> index(view.shape.size(), 0);
  for (const std::size_t d : axes) {
    if (view.strides[d] == 0) return std::nullopt;
    index[d] = left / view.strides[d];
    if (index[d] >= view.shape[d]) return std::nullopt;
    left %= view.strides[d];
  }
  if (left != 0) return std::nullopt;
  std::size_t number = 0;
  for (std::size_t d = 0; d < index.size(); ++d)
    number = number * static_cast<std::size_t>(view.shape[d]) + static_cast<std::size_t>(index[d]);
  return number;
}

// Values of the output that one program has stored, with the elements' numbers in all outputs together.
struct Stored {
  std::array<std::uint64_t, 3> program{};
  int line = 0;
  std::vector<std::size_t> elements;
  std::vector<double> values;
};

std::set<int> buffers_of(const Step& step) {
  std::set<int> buffers;
  if (const auto* fill = std::get_if<FillStep>(&step)) {
    buffers.insert(fill->to.buffer);
  } else if (const auto* copy = std::get_if<CopyStep>(&step)) {
    buffers = {copy->to.buffer, copy->from.buffer};
  } else if (const auto* address = std::get_if<AddressStep>(&step)) {
    buffers.insert(address->to.buffer);
  } else {
    for (const PlanArgument& argument : std::get<LaunchStep>(step).args)
      if (const auto* buffer = std::get_if<BufferArgument>(&argument)) buffers.insert(buffer->buffer);
  }
  return buffers;
}

// Whether no other launch and no later step touches the memory that the launch may write. Then a value that
// one of its programs has stored is the plan's result.
bool is_last_word(const Plan& plan, std::size_t step) {
  std::set<int> own = buffers_of(plan.steps[step]);
  std::erase_if(own, [&](int buffer) { return plan.buffers[static_cast<std::size_t>(buffer)].input >= 0; });
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (std::holds_alternative<AddressStep>(plan.steps[i])) return false;
    if (i == step || (i < step && !std::holds_alternative<LaunchStep>(plan.steps[i]))) continue;
    const std::set<int> other = buffers_of(plan.steps[i]);
    if (std::any_of(own.begin(), own.end(), [&](int buffer) { return other.contains(buffer); })) return false;
  }
  return true;
}

std::array<std::uint64_t, 3> place_in_grid(const Plan& plan, const SampledProgram& ran) {
  const auto& grid = std::get<LaunchStep>(plan.steps[static_cast<std::size_t>(ran.step)]).grid;
  return {ran.program % grid[0], ran.program / grid[0] % grid[1], ran.program / grid[0] / grid[1]};
}

int line_of(const Plan& plan, const SampledProgram& ran) {
  return std::get<LaunchStep>(plan.steps[static_cast<std::size_t>(ran.step)]).line;
}

std::string program_text(const std::array<std::uint64_t, 3>& program) {
  return fmt::format("[{}, {}, {}]", program[0], program[1], program[2]);
}

// Calls `visit` with each program that ran and, for each run that it stored, with the run and its bytes.
template <typename Begin, typename Visit>
void for_each_stored(const ReplayResult& result, Begin begin, Visit visit) {
  std::size_t run = 0, byte = 0;
  for (const SampledProgram& ran : result.sampled) {
    begin(ran);
    for (std::int64_t i = 0; i < ran.runs; ++i, ++run) {
      visit(ran, result.stored[run], result.stored_bytes.data() + byte);
      byte += static_cast<std::size_t>(result.stored[run].bytes);
    }
  }
}

// Returns the values that programs stored without using anything that other programs write.
std::vector<Stored> stored_values(const Plan& plan, const ReplayResult& result) {
  std::vector<Stored> all;
  std::map<std::int64_t, bool> last;
  const auto counts = [&](const SampledProgram& ran) {
    if (!last.contains(ran.step)) last[ran.step] = is_last_word(plan, static_cast<std::size_t>(ran.step));
    return ran.alone != 0 && last[ran.step];
  };
  for_each_stored(
      result,
      [&](const SampledProgram& ran) {
        all.push_back({place_in_grid(plan, ran), line_of(plan, ran), {}, {}});
      },
      [&](const SampledProgram& ran, const executor::StoredRun& run, const std::byte* bytes) {
        if (!counts(ran)) return;
        std::size_t before = 0;
        for (const BufferView& view : plan.outputs) {
          if (view.buffer == run.buffer) {
            const std::int64_t width = bytes_of(view.type);
            const std::int64_t skipped = ((view.offset - run.offset) % width + width) % width;
            for (std::int64_t at = skipped; at + width <= run.bytes; at += width)
              if (const auto element = element_at(view, run.offset + at)) {
                all.back().elements.push_back(before + *element);
                all.back().values.push_back(load_element(view.type, bytes + at));
              }
          }
          before += static_cast<std::size_t>(view.elements());
        }
      });
  std::erase_if(all, [](const Stored& one) { return one.elements.empty(); });
  return all;
}

// Finds two programs of a launch that store different bytes in one place.
std::optional<ReplayFinding> find_overlap(const Plan& plan, const ReplayResult& result) {
  struct Run {
    executor::StoredRun run;
    const SampledProgram* by;
    const std::byte* bytes;
  };
  std::vector<Run> runs;
  for_each_stored(
      result, [](const SampledProgram&) {},
      [&](const SampledProgram& ran, const executor::StoredRun& run, const std::byte* bytes) {
        if (ran.alone != 0) runs.push_back({run, &ran, bytes});
      });
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::tie(a.by->step, a.run.buffer, a.run.offset) <
           std::tie(b.by->step, b.run.buffer, b.run.offset);
  });
  const Run* before = nullptr;  // the run that reaches farthest
  for (const Run& one : runs) {
    const bool same =
        before != nullptr && before->by->step == one.by->step && before->run.buffer == one.run.buffer;
    if (same && before->by != one.by) {
      const std::int64_t both =
          std::min(before->run.offset + before->run.bytes, one.run.offset + one.run.bytes) - one.run.offset;
      if (both > 0 && std::memcmp(before->bytes + (one.run.offset - before->run.offset), one.bytes,
                                  static_cast<std::size_t>(both)) != 0)
        return ReplayFinding{
            "race",
            fmt::format("programs {} and {} store other numbers at offset {} of {}",
                        program_text(place_in_grid(plan, *before->by)),
                        program_text(place_in_grid(plan, *one.by)), one.run.offset,
                        plan.returns(static_cast<int>(one.run.buffer)) ? "the output" : "a temporary"),
            line_of(plan, *one.by), true};
    }
    if (!same || one.run.offset + one.run.bytes > before->run.offset + before->run.bytes) before = &one;
  }
  return std::nullopt;
}

// Compares values with the values that a part of the task gives. Returns a finding that describes a wrong
// value; nothing if all are right.
std::optional<ReplayFinding> compare(const Plan& plan, const TaskPart& part, const Expected& expected,
                                     const Stored& stored) {
  std::size_t wrong = 0, first = 0, got = 0;
  for (std::size_t i = 0; i < stored.elements.size(); ++i) {
    const std::size_t number = part.number_of(stored.elements[i]);
    if (expected.accepts(number, stored.values[i])) continue;
    if (wrong++ == 0) first = number, got = i;
  }
  if (wrong == 0) return std::nullopt;
  return ReplayFinding{
      "wrong_values",
      fmt::format("{} of {} values that program {} stores are wrong; at {} it is {} instead of {}", wrong,
                  stored.elements.size(), program_text(stored.program), plan.place_of(stored.elements[got]),
                  text_of(stored.values[got]), text_of(expected.values[first])),
      stored.line};
}

struct Compared {
  std::set<std::size_t> elements;
  std::optional<ReplayFinding> wrong;
};

Compared compare_values(const Question& question, const TestCase& own, const Plan& plan,
                        const std::vector<InputData>& inputs, const std::vector<Stored>& stored) {
  Compared compared;
  const std::vector<bool> cuttable = cuttable_dims(question.task);
  if (std::none_of(cuttable.begin(), cuttable.end(), [](bool can) { return can; })) return compared;
  const auto judge = [&](const TaskPart& part, const std::vector<Stored>& ones) {
    const Expected expected = part.expect(own.variation, inputs, question.protocol.precision);
    for (const Stored& one : ones) {
      if (!compared.wrong) compared.wrong = compare(plan, part, expected, one);
      compared.elements.insert(one.elements.begin(), one.elements.end());
    }
  };
  // Tolerances depend on typical values, so programs are compared together if this costs no more.
  std::vector<std::size_t> all;
  std::vector<Stored> some;
  double apart = 0;
  for (const Stored& one : stored) {
    const double cost = TaskPart(question.task, one.elements).elements();
    if (cost > most_part || apart + cost > most_parts) continue;
    apart += cost;
    some.push_back(one);
    all.insert(all.end(), one.elements.begin(), one.elements.end());
  }
  if (some.empty()) return compared;
  constexpr double more = 1.5;
  if (const TaskPart together(question.task, all); together.elements() <= more * apart) {
    judge(together, some);
    return compared;
  }
  for (const Stored& one : some) {
    judge(TaskPart(question.task, one.elements), {one});
    if (compared.wrong) break;
  }
  return compared;
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

// "64 of 1,572,864 programs, addresses checked, 65,536 of 1,610,612,736 values compared"
std::string seen_text(const OwnSizes& seen) {
  return fmt::format("{} of {} programs, addresses checked, {} of {} values compared",
                     with_commas(seen.programs), with_commas(seen.all_programs), with_commas(seen.values),
                     with_commas(seen.all_values));
}

// Whether a program that ran has stored the last element of each output.
bool reaches_end(const Plan& plan, const ReplayResult& result) {
  return std::all_of(plan.outputs.begin(), plan.outputs.end(), [&](const BufferView& view) {
    const std::int64_t last = offset_of(view, static_cast<std::size_t>(view.elements() - 1));
    return std::any_of(result.stored.begin(), result.stored.end(), [&](const executor::StoredRun& run) {
      return run.buffer == view.buffer && run.offset <= last && last < run.offset + run.bytes;
    });
  });
}

// Whether as many sectors are stored as the outputs have, supposing that the other programs store as many as
// the programs that ran. A grid that is too small would otherwise look fast.
bool covers_output(const Plan& plan, const ReplayResult& result) {
  constexpr double sector = 32, enough = 0.9;
  double stored = 0, output = 0;
  for (const executor::Counters& launch : result.per_launch)
    stored += sector * static_cast<double>(launch.sectors_written_first);
  for (const BufferView& view : plan.outputs)
    output += static_cast<double>(view.elements() * bytes_of(view.type));
  return stored >= enough * output;
}

// A finding stands if it doesn't depend on the memory that other programs would have written: with other
// contents there, the same line accesses the same address.
void confirm(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options,
             Execution& execution, std::vector<ReplayFinding>& findings) {
  if (findings.empty()) return;
  constexpr std::uint8_t other = 0x3F;  // in f32 0.75, as an index beyond everything
  options.missing = other;
  const std::vector<ReplayFinding> again = execution.replay(plan, inputs, options).findings;
  std::erase_if(findings, [&](const ReplayFinding& one) {
    return std::none_of(again.begin(), again.end(), [&](const ReplayFinding& two) {
      return one.kind == two.kind && one.line == two.line && one.message == two.message;
    });
  });
}

}  // namespace

bool try_own_sizes(const Question& question, const Services& services, const TestCases& test_cases,
                   const Recording& recording, Progress& progress) {
  if (!test_cases.own_sizes || !question.protocol.executor) return true;
  const TestCase& own = *test_cases.own_sizes;
  const Plan& plan = recording.plans[own.plan];
  Verdict& verdict = progress.verdict;
  ExaminedStep& now = *std::find_if(progress.steps.begin(), progress.steps.end(),
                                    [](const ExaminedStep& one) { return one.variation == own_sizes_label; });
  now.launches = launches_of(recording, plan, progress);
  const auto fail = [&](const ReplayFinding& finding) {
    const bool fails = !finding.memory || question.protocol.memory_errors_fail();
    progress.note(now, fails ? ExaminedStep::Outcome::failed : ExaminedStep::Outcome::passed, finding);
    if (fails && verdict.failed.empty()) {
      progress.fail("full", finding);
      verdict.variation = own_sizes_label;
    }
    return finding.memory;
  };
  if (const auto wrong = check_form(plan, question.task, own.variation)) return fail(*wrong);
  Progress apart(question.protocol.budget, progress.cancelled);
  Execution execution(services.executor, services.threads, apart);
  if (const auto wrong = execution.parse(recording, false)) return fail(*wrong);
  const Stopwatch watch(verdict.timings, Work::execute);
  const std::vector<InputData> inputs =
      large_inputs(question.task, own.variation, question.secret, recording.commitment);
  ReplayOptions options =
      execution.options(program_order(question, recording.commitment, own.variation, "own order"),
                        question.task, own.variation);
  options.sample = program_order(question, recording.commitment, own.variation, "own programs");
  options.sampled_programs = most_programs;
  options.launch_operations = program_operations;
  options.plan_operations = plan_operations;
  options.sampled_operations =
      std::min(launch_operations, plan_operations / static_cast<std::uint64_t>(std::max(1, plan.launches())));
  ReplayResult result = execution.replay(plan, inputs, options);
  if (progress.cancelled && progress.cancelled()) throw Cancelled();
  // A candidate isn't wrong because one of its programs takes too long at such a size.
  if (std::any_of(result.findings.begin(), result.findings.end(),
                  [](const ReplayFinding& one) { return one.kind == "timeout"; })) {
    now.message = "single programs at these sizes take longer than the executor's limits";
    return true;
  }
  const std::vector<ReplayFinding> found = result.findings;
  confirm(plan, inputs, options, execution, result.findings);
  if (progress.cancelled && progress.cancelled()) throw Cancelled();

  OwnSizes seen;
  seen.all_values = plan.output_elements();
  std::map<std::int64_t, std::uint64_t> programs;
  for (const SampledProgram& ran : result.sampled) {
    seen.programs += ran.ended != 0;
    programs[ran.step] = ran.of;
  }
  for (const auto& [step, count] : programs) seen.all_programs += count;
  std::optional<ReplayFinding> finding;
  if (!result.findings.empty()) {
    finding = most_telling(result.findings);
  } else {
    finding = find_overlap(plan, result);
    Compared compared = compare_values(question, own, plan, inputs, stored_values(plan, result));
    seen.values = compared.elements.size();
    if (compared.wrong) finding = compared.wrong;
  }
  verdict.own_sizes = seen;
  if (finding) {
    finding->message = fmt::format("{} ({})", finding->message, seen_text(seen));
    if (!fail(*finding)) return false;
  } else {
    passed(now);
  }
  const bool covers = covers_output(plan, result);
  if (now.message.empty()) {
    now.message = seen_text(seen);
    if (seen.programs < result.sampled.size())
      now.message += fmt::format("; {} more weren't done within the executor's limits",
                                 result.sampled.size() - seen.programs);
    if (!found.empty())
      now.message += fmt::format("; uncertain, since it depends on what other programs write: {}",
                                 found.front().message);
    if (!covers) now.message += "; programs that store as much as these don't fill the output";
    if (!reaches_end(plan, result)) now.message += "; none of these stores its last element";
  }
  // If nothing shows that the kernels compute the whole output at these sizes, a time there would reward
  // kernels that don't. The time then stays the time at the smaller sizes.
  const bool all_ended = seen.programs == result.sampled.size();
  if (seen.values > 0 && all_ended && covers) {
    verdict.counters = result.per_launch;
    verdict.time_us = modelled_time_us(verdict.counters, question.protocol.gpu);
    verdict.reference_us = modelled_reference_us(question.task, own.variation, question.protocol.gpu);
  }
  return true;
}

}  // namespace trl::runtime
