#include <memory>

#include "base/support/error.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/schedule/scheduler.hpp"

namespace trl::interpreter {
namespace {

struct TableCommand {
  ProgramOptions program;
  std::string table;
};

int table(const TableCommand& options, Console& console) {
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  const Store store(options.program.store);
  bool found = options.table.empty();
  for (const auto& job : program->jobs) {
    const auto [done, total, missing] = plan_status(job.plan, store);
    if (!missing.empty())
      throw UserError(job.plan.experiment + " lacks " + std::to_string(missing.size()) + " of its " +
                          std::to_string(total) + " stages, first " + missing.front()->slot,
                      "Run them with: " + go_on_with(options.program));
    if (const auto damaged = damaged_stages(job.plan, store, Check::sizes); !damaged.empty())
      throw UserError("the result of " + damaged.front().stage->slot + " is damaged: " + damaged.front().how,
                      "Make it again with: " + go_on_with(options.program));
  }
  // All reports are made before one is written, so that a damaged result leaves every table unchanged.
  std::vector<Report> reports;
  for (const auto& job : program->jobs)
    reports.push_back(make_report(job.request, program->document, job.plan, store, options.program.sets,
                                  options.program.font_of_pdf()));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const auto& report = reports[i];
    const auto folder = report_folder(options.program, program->jobs[i].plan);
    for (const auto& written : write_report(report, folder)) {
      if (!options.table.empty() && written.stem() != options.table) continue;
      found = true;
      console.out << report.files.at(written.filename().string()) << '\n' << written.string() << '\n';
    }
    if (found) console.out << (folder / "report.html").string() << '\n';
    show_warnings(report, console);
  }
  if (!found) throw UserError("there is no table " + options.table + " here");
  return fine;
}

}  // namespace

void add_table(Command trl, Console& console, int& status) {
  auto options = std::make_shared<TableCommand>();
  auto command = trl.add_command("table", "Write the tables again from the store, without running anything");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  add_pdf(command, options->program);
  add_run_name(command, options->program.label);
  command.add_option("--table", options->table, "Show only this table").type_name("NAME");
  add_examples(command,
               "  trl table experiments/ablation.trl\n  trl table experiments/ablation.trl --table main",
               "0 written, 1 errors or missing stages, 2 wrong usage");
  command.callback([options, &console, &status] {
    auto& program = options->program;
    if (program.sets.empty()) program.sets = settings_of_run(program.label.name, program.out);
    status = table(*options, console);
  });
}

}  // namespace trl::interpreter
