#include <filesystem>
#include <memory>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

/// The file that `trl new NAME` writes: the file of docs/first_study.md, with `@` in place of NAME.
constexpr std::string_view starter =
    R"(## Does training on fewer, better answers teach more?

import windtunnel     # a small language model, and tasks for which it writes kernels

model base { weights = windtunnel.base, precision = bf16 }
lora writer { rank = 16, alpha = 32, dropout = 5%, targets = all_linear }

# Training and exam share no task: `trl check` holds you to that.
split seen     = windtunnel.level1[1..40] + windtunnel.level2[1..60]
split held_out = windtunnel.level1[41..60] + windtunnel.level2[61..100]

train imitate : sft { data = windtunnel.corpus(level1 = 60, level2 = 40, flawed = 50%, exclude = held_out), batch = 10 }
train reinforce : best_of_n {
  tasks = seen, rounds = 1, tasks_per_round = 24
  candidates = 8, keep = 4, epochs = 2, batch = 4, learning_rate = 1e-3
  max_tokens = 512
  reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0
}
train unfiltered : reinforce { keep_by = random }    # the control: answers that no reward chose
evaluation exam { split = held_out, samples = 1, temperature = 0.7, max_tokens = 512 }

experiment @ {
  model    = base, adapter = writer
  train    = imitate -> reinforce
  controls = [imitate -> unfiltered]
  evaluate = exam
  vary     = grid(reinforce.keep = [1, 4])    # what is studied
  seeds    = 1..3                             # one seed can't tell what another run of training would give
}

# A claim, written down before the run: with 4 the exam has fewer right answers than with 1, by 25 points at least.
hypothesis fewer_is_better { of = @, contrast = reinforce.keep, metric = correct, expect = less, smallest_effect = 25% }
table main { of = @, rows = cells + controls, columns = [valid, correct, speedup] }
)";

std::string text_for(const std::string& name) {
  std::string text(starter);
  for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos;) text.replace(at, 1, name);
  return text;
}

int create(const std::string& given, Console& console) {
  const fs::path path = given.ends_with(".trl") ? fs::path(given) : fs::path(given + ".trl");
  const std::string name = path.stem().string();
  const auto checked = language::check_file(
      "new.trl", {{}, {}, "", [&](const std::string& file) -> std::optional<std::string> {
                    if (file == "new.trl") return text_for(name);
                    return std::nullopt;
                  }});
  if (!checked.diagnostics.empty())
    throw UserError(
        "`" + name + "` cannot name an experiment",
        "Use letters, digits and `_`, no digit first, and no name that the file itself declares.");
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored)))
    throw UserError(path.string() + " already exists", "Choose another name; nothing was changed.");
  write_text(path, text_for(name));
  console.out << path.string() << '\n';
  console.err << "trl check " << path.string() << " checks it; trl run " << path.string() << " runs it\n";
  return fine;
}

}  // namespace

void add_new(Command trl, Console& console, int& status) {
  auto name = std::make_shared<std::string>("experiment_1");
  auto command = trl.add_command("new", "Write a starting point for an experiment");
  command.add_option("NAME", *name, "The experiment's name; NAME.trl is written")
      .type_name("")
      .show_default();
  add_examples(command, "  trl new\n  trl new experiments/warmup",
               "0 written, 1 the file already exists, 2 wrong usage");
  command.callback([name, &console, &status] { status = create(*name, console); });
}

}  // namespace trl::interpreter
