// `trl audit`: computes published verdicts again from their launch plans alone.
#include <algorithm>
#include <memory>
#include <set>

#include "base/contract/error.hpp"
#include "base/contract/protocol.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/audit/audit_page.hpp"
#include "interpreter/commands/audit_tasks.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

/// The exit status if nothing differs but a part of the published results couldn't be checked.
constexpr int not_all_checked = 3;

struct AuditCommand {
  std::string store, out, signed_by;
  std::vector<std::string> experiments;
  bool as_json = false, no_sandbox = false, write_digests = false;
  ProgramOptions program;  ///< whether measured times are measured again
};

/// The stages from which an experiment's report was made.
std::set<std::string> stages_of(const fs::path& provenance) {
  std::set<std::string> keys;
  const auto described = read_json(provenance);
  for (const auto& [key, stage] : described.at("stages").items()) keys.insert(key);
  return keys;
}

std::vector<std::string> reported_experiments(const fs::path& reports) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(reports, error))
    if (fs::exists(entry.path() / "provenance.json")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Whether a result is the verify stage of an exam, or may be one because its description is damaged.
bool is_exam(const std::string& key, const Store& store) {
  try {
    const auto stage = store.stage(key);
    return stage.value("kind", "") == contract::Protocol::kind &&
           contract::Protocol::read(stage.at("spec")).strict;
  } catch (const DamagedResult&) {
    return true;
  } catch (const nlohmann::json::exception&) {
    return true;
  } catch (const contract::ContractError&) {
    return true;
  }
}

/// The keys of the named experiments' stages; of all stages in the store when none is named.
std::vector<std::string> chosen_stages(const AuditCommand& options, const Store& store) {
  const fs::path reports = options.out.empty() ? store.root().parent_path() : fs::path(options.out);
  std::set<std::string> wanted;
  for (const auto& name : options.experiments) {
    const auto provenance = reports / name / "provenance.json";
    if (!fs::exists(provenance)) {
      const auto known = reported_experiments(reports);
      const auto near = language::closest(name, known);
      throw WrongUsage(
          "there is no report of " + name + " in " + reports.string(),
          near ? "did you mean " + *near + "?"
               : "provenance.json of a report lists the experiment's stages; name the reports' folder "
                 "with --out DIR. Without a name the whole store is audited.");
    }
    wanted.merge(stages_of(provenance));
  }
  std::vector<std::string> keys;
  for (const auto& key : store.keys()) {
    if (options.experiments.empty() || wanted.contains(key)) keys.push_back(key);
  }
  return keys;
}

Store store_of(const AuditCommand& options) {
  if (!fs::is_directory(fs::path(options.store) / "stages"))
    throw WrongUsage(options.store + " isn't a store",
                     "Name the folder that contains stages/: runs/.store, or a copy of it.");
  return Store(fs::absolute(options.store).lexically_normal());
}

/// Audits exams one after another, with a line of progress for each.
std::vector<AuditedStage> audit_exams(const std::vector<std::string>& exams, const Store& store,
                                      const AuditCommand& options, Console& console) {
  const Interrupt interrupt;
  Progress progress(console.err, style_of_stderr(), steady_seconds());
  AuditOptions how;
  how.measured = options.program.measured_times, how.sandbox = !options.no_sandbox;
  how.progress = [&](std::size_t done, std::size_t all) {
    progress.update(static_cast<std::int64_t>(done), static_cast<std::int64_t>(all), "candidates");
  };
  std::vector<AuditedStage> stages;
  try {
    for (const auto& key : exams) {
      progress.begin(static_cast<int>(stages.size() + 1), static_cast<int>(exams.size()),
                     "audit " + short_key(key));
      stages.push_back(audit_stage(key, store, how, interrupt));
      const auto& last = stages.back();
      progress.finish(last.auditable ? fmt::format("{} of {} agree", last.agreeing, last.candidates)
                      : last.damaged ? "damaged"
                                     : "nothing to audit");
    }
  } catch (...) {
    progress.clear();
    throw;
  }
  return stages;
}

/// Writes the list that `ssh-keygen -Y sign` signs.
int write_digests(const AuditCommand& options, Console& console) {
  const auto store = store_of(options);
  const auto file = store.root() / digests_file;
  write_text(file, digests_of(store));
  console.out << file.string() << "\n"
              << wrapped(fmt::format("Sign it: ssh-keygen -Y sign -n {} -f ~/.ssh/id_ed25519 {}",
                                     signature_namespace, file.string()),
                         2)
              << '\n';
  return fine;
}

int audit_store(const AuditCommand& options, Console& console) {
  const auto store = store_of(options);
  const auto keys = chosen_stages(options, store);
  Audit audit;
  audit.keys = check_keys(store, keys);
  std::vector<std::string> exams;
  for (const auto& key : keys)
    if (is_exam(key, store)) exams.push_back(key);
  if (exams.empty() && audit.keys.findings.empty())
    throw WrongUsage("there is no exam to audit in " + options.store, "Finish a run first: `trl run FILE`.");
  if (!options.signed_by.empty()) audit.signature = check_signature(store, options.signed_by, keys);
  audit.stages = audit_exams(exams, store, options, console);
  audit.add(audit.keys.findings);
  if (audit.signature) audit.add(audit.signature->findings);
  if (options.as_json)
    console.out << dumped(audit_json(audit), 1) << '\n';
  else
    show_audit(audit, console.out_colour, console.out);
  return audit.refuted() ? failed : audit.unchecked() ? not_all_checked : static_cast<int>(fine);
}

int audit(const AuditCommand& options, Console& console) {
  try {
    return options.write_digests ? write_digests(options, console) : audit_store(options, console);
  } catch (const WrongUsage&) {
    throw;
  } catch (const UserError& error) {
    // Exit status 1 is reserved for verdicts that differ.
    throw WrongUsage(error.what(), error.help);
  }
}

}  // namespace

void add_audit(Command trl, Console& console, int& status) {
  auto options = std::make_shared<AuditCommand>();
  auto command = trl.add_command(
      "audit", "Compute an exam's verdicts again from the published plans alone, and compare");
  command.add_option("STORE", options->store, "A store, or a copy of one: runs/.store").type_name("");
  command
      .add_option("EXPERIMENT", options->experiments, "Audit only these; by default every exam in the store")
      .type_name("");
  command
      .add_option("--out", options->out,
                  "The folder of the experiments' reports; by default beside the store")
      .type_name("DIR");
  add_kernel_times(command, options->program);
  command.add_flag("--json", options->as_json, "Everything, as JSON");
  command.add_flag("--no-sandbox", options->no_sandbox,
                   "Compile kernels without a sandbox, on machines that allow none; code of the store's "
                   "tasks then isn't carried out, and KernelBench's verdicts aren't checked");
  command
      .add_option("--signed-by", options->signed_by,
                  "Also check that the store's list of digests is signed by this key: a public key, a file "
                  "of public keys, or ssh-keygen's file of allowed signers")
      .type_name("KEY");
  command.add_flag("--write-digests", options->write_digests,
                   "Only write STORE/digests, the list that `ssh-keygen -Y sign` signs");
  add_examples(command,
               "  trl audit runs/.store\n"
               "  trl audit copy/.store ablation\n"
               "  trl audit runs/.store --signed-by colleague.pub\n"
               "No model and no candidate's Python runs: kernels are executed as they were\n"
               "committed, on inputs drawn from the store's secret. Code of the store's tasks\n"
               "runs in the sandbox alone.",
               "0 all agree, 1 some differ, 2 wrong usage or nothing to compare,\n"
               "3 nothing differs, but not everything could be checked");
  add_audit_tasks(command, console, status);
  command.callback([options, command, &console, &status] {
    if (command.has_named_command()) return;
    if (options->store.empty())
      throw WrongUsage("which store is audited isn't said", "Name one: trl audit runs/.store");
    status = audit(*options, console);
  });
}

}  // namespace trl::interpreter
