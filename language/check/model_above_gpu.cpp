#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/check/inspection.hpp"
#include "language/check/memory_question.hpp"

namespace trl::language {
DECLARE_RULE(model_above_gpu)
namespace {

/// "weights 14.2 GiB + adapter, gradient and moments 0.6 GiB + …"
std::string parts_of(const LeastNeed& need) {
  const LeastMemory& m = need.memory;
  auto text = "weights " + bytes_text(m.weights);
  if (m.trained > 0) text += " + what is trained, its gradient and Adam's moments " + bytes_text(m.trained);
  if (m.tokens > 0)
    text += need.training ? fmt::format(" + a sequence of {} tokens whose layers are all computed again {}",
                                        count_text(need.tokens), bytes_text(m.tokens))
                          : fmt::format(" + keys and values of two answers of {} tokens {}",
                                        count_text(need.tokens), bytes_text(m.tokens));
  return text;
}

/// Returns settings that would fit: "`quantize = int8` takes 7.6 GiB, `nf4` 4.6 GiB; 3000 tokens fit; a GPU
/// of 16.0 GiB".
std::string remedies(const LeastNeed& need, const std::vector<std::pair<std::string, double>>& smaller,
                     double room) {
  std::string text;
  for (const auto& [storage, bytes] : smaller)
    if (bytes <= room)
      text += fmt::format("{}`{}{}` takes {}", text.empty() ? "" : ", ", text.empty() ? "quantize = " : "",
                          storage, bytes_text(bytes));
  const LeastMemory& m = need.memory;
  const double left = room - m.weights - m.trained;
  if (m.tokens > 0 && left >= m.tokens / need.tokens)
    text += fmt::format("{}{} tokens fit in place of {}", text.empty() ? "" : "; ",
                        count_text(std::floor(left / m.tokens * need.tokens)), count_text(need.tokens));
  return text + fmt::format("{}a GPU of at least {} has the room; a model isn't spread over several GPUs",
                            text.empty() ? "" : "; ", bytes_text(m.all()));
}

void check_model_above_gpu(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* memory = machine == nullptr ? nullptr : machine->field("memory");
  const auto& architecture = inspection.architecture();
  if (memory == nullptr || !architecture || !architecture->complete()) return;
  const auto need = least_need(inspection, declared_storage(inspection));
  const double room = memory->number();
  if (!need || need->memory.all() <= room) return;
  auto d = found(rules::model_above_gpu, inspection.experiment.range,
                 fmt::format("the model of `{}` doesn't fit on a GPU of `{}`: expected at most {}, found {} "
                             "for {}",
                             inspection.experiment.name, machine->name, bytes_text(room),
                             bytes_text(need->memory.all()), need->training ? "training" : "sampling"));
  d.note(fmt::format("`{}`: {} (modelled, at least)", need->of->name, parts_of(*need)));
  d.note("the memory of a GPU", memory->range);
  const auto smaller = smaller_storages(inspection);
  d.helped(remedies(*need, smaller, room));
  const Value* quantize = inspection.model()->field("quantize");
  const auto fitting = std::find_if(smaller.begin(), smaller.end(),
                                    [&](const auto& storage) { return storage.second <= room; });
  if (fitting != smaller.end() && quantize != nullptr && quantize->given)
    d.suggest("write `" + fitting->first + "`", quantize->range, fitting->first);
  inspection.report(std::move(d), {need->of, inspection.model(), machine});
}

}  // namespace

const Rule rules::model_above_gpu{
    "model_above_gpu",
    Severity::error,
    true,
    "Each GPU holds the whole model: one that its memory can't hold is found out after hours of loading and "
    "queueing, and can't be mended by more GPUs.",
    R"(import example
machine node { memory = 40 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-32B-Instruct"), quantize = nf4 }
experiment e : example.study { model = coder, machine = node }
)",
    R"(import example
machine node { memory = 40 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-32B-Instruct") }
experiment e : example.study { model = coder, machine = node }
)",
    check_model_above_gpu};

}  // namespace trl::language
