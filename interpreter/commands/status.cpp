#include <memory>

#include "interpreter/commands/commands.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/wrap.hpp"

namespace trl::interpreter {
namespace {

int show_status(const ProgramOptions& options, Console& console) {
  const auto program = load_program(options, console);
  if (!program) return failed;
  const Store store(options.store);
  for (const auto& job : program->jobs) {
    const auto [done, total, missing] = plan_status(job.plan, store);
    console.out << job.plan.experiment << ": " << done << " of " << total << " stages are done\n";
    for (std::size_t i = 0; i < missing.size() && i < 10; ++i)
      console.out << "  to do  " << missing[i]->slot << '\n';
    if (missing.size() > 10) console.out << "  and " << missing.size() - 10 << " more\n";
    for (const auto& [stage, how] : damaged_stages(job.plan, store, Check::sizes))
      console.out << wrapped("  damaged  " + stage->slot + ": " + how + "; `trl run` makes it again", 11)
                  << '\n';
  }
  if (const auto holder = Lock::holder(store.root() / "lock"))
    console.out << wrapped("running: " + holder_text(*holder), 2) << '\n';
  else
    console.out << "nothing is running\n";
  if (const auto index = Index::open_to_read(store.root() / "index.sqlite"))
    for (const auto& event : index->last_events(5))
      console.out << "  " << event.time << "  " << event.text << '\n';
  return fine;
}

}  // namespace

void add_status(Command trl, Console& console, int& status) {
  auto options = std::make_shared<ProgramOptions>();
  auto command = trl.add_command("status", "Show what is done, running and missing");
  add_file(command, *options);
  add_name(command, *options);
  add_store(command, *options);
  add_kernel_times(command, *options);
  add_examples(command, "  trl status experiments/ablation.trl");
  command.callback([options, &console, &status] { status = show_status(*options, console); });
}

}  // namespace trl::interpreter
