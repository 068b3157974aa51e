#include "base/contract/verdict.hpp"

#include "base/contract/form.hpp"
#include "base/contract/reasons.hpp"
#include "base/contract/verdict_columns.hpp"

namespace trl::contract {

template <>
struct Words<Step::Outcome> {
  static constexpr std::array<std::pair<Step::Outcome, const char*>, 3> list = {
      {{Step::Outcome::passed, "passed"},
       {Step::Outcome::failed, "failed"},
       {Step::Outcome::skipped, "skipped"}}};
};

namespace {

/// Reads a verdict. Rows of old versions lack the field `values`: their values were judged together with
/// memory errors, so `correct` replaces it.
template <class T>
T read_verdict(const nlohmann::json& row) {
  auto verdict = read_fields<T>(row);
  if (!row.contains("values")) verdict.values = verdict.correct;
  return verdict;
}

}  // namespace

template <class Form, class Self>
void OtherVerdict::fields(Form& form, Self& self) {
  form.or_null("correct", self.correct);
  form.or_null("reason", self.reason);
  form.or_null("message", self.message);
}
OtherVerdict OtherVerdict::read(const nlohmann::json& input) { return read_fields<OtherVerdict>(input); }
nlohmann::json OtherVerdict::write() const { return written_fields(*this); }

template <class Form, class Self>
void OwnSizes::fields(Form& form, Self& self) {
  form.field("programs", self.programs);
  form.field("all_programs", self.all_programs);
  form.field("values", self.values);
  form.field("all_values", self.all_values);
}
OwnSizes OwnSizes::read(const nlohmann::json& input) { return read_fields<OwnSizes>(input); }
nlohmann::json OwnSizes::write() const { return written_fields(*this); }

template <class Form, class Self>
void Verdict::fields(Form& form, Self& self) {
  form.field_or("valid", self.valid);
  form.or_null("compiled", self.compiled);
  form.or_null("tiny", self.tiny);
  form.field("correct", self.correct);
  form.field_or("values", self.values);
  form.or_null("failed", self.failed);
  form.or_null("reason", self.reason);
  form.or_null("message", self.message);
  form.or_null("line", self.line);
  form.field_or("claimed", self.claimed);
  form.or_null("variation", self.variation);
  form.field_or("speedup", self.speedup);
  form.or_null("time_us", self.time_us);
  form.or_null("reference_us", self.reference_us);
  form.field_or("modelled", self.modelled);
  form.field_or("launches", self.launches);
  form.if_any("launched_us", self.launched_us);
  form.if_any("compiled_us", self.compiled_us);
  form.if_any("paths", self.paths);
  form.unless("no_evidence", self.no_evidence, {});
  form.unless("left_alone", self.left_alone, {});
  form.unless("masked_without_other", self.masked_without_other, std::int64_t{0});
  form.if_any("kernel_share", self.kernel_share);
  form.if_any("own_sizes", self.own_sizes);
  form.if_any("kernelbench", self.kernelbench);
}
bool Verdict::judged() const { return claimed || reason != not_judged; }
Verdict Verdict::read(const nlohmann::json& row) { return read_verdict<Verdict>(row); }
nlohmann::json Verdict::write() const { return written_fields(*this); }

template <class Form, class Self>
void VerdictRow::fields(Form& form, Self& self) {
  Verdict::fields(form, self);
  form.field("task", self.task);
  form.field("sample", self.sample);
}
VerdictRow VerdictRow::read(const nlohmann::json& row) { return read_verdict<VerdictRow>(row); }
nlohmann::json VerdictRow::write() const { return written_fields(*this); }

template <class Form, class Self>
void Paths::Site::fields(Form& form, Self& self) {
  form.or_null("line", self.line);
  form.field_or("what", self.what);
}
namespace {

/// A form that neither reads nor writes fields, but collects their names.
struct Naming {
  std::vector<std::string> names;
  template <class... Rest>
  void field(const char* name, Rest&&...) {
    names.emplace_back(name);
  }
  template <class... Rest>
  void field_or(const char* name, Rest&&...) {
    names.emplace_back(name);
  }
  template <class T>
  void unless(const char* name, const T&, const std::type_identity_t<T>&) {
    names.emplace_back(name);
  }
  template <class... Rest>
  void if_any(const char* name, Rest&&...) {
    names.emplace_back(name);
  }
  template <class... Rest>
  void or_null(const char* name, Rest&&...) {
    names.emplace_back(name);
  }
};

}  // namespace

std::vector<std::string> verdict_columns() {
  Naming form;
  VerdictRow row;
  VerdictRow::fields(form, row);
  return form.names;
}

Paths::Site Paths::Site::read(const nlohmann::json& input) { return read_fields<Site>(input); }
nlohmann::json Paths::Site::write() const { return written_fields(*this); }

template <class Form, class Self>
void Paths::fields(Form& form, Self& self) {
  form.field_or("sites", self.sites);
  form.field_or("both", self.both);
  form.field_or("directed", self.directed);
  form.field_or("one_sided", self.one_sided);
}
Paths Paths::read(const nlohmann::json& input) { return read_fields<Paths>(input); }
nlohmann::json Paths::write() const { return written_fields(*this); }

template <class Form, class Self>
void Launch::fields(Form& form, Self& self) {
  form.field("kernel", self.kernel);
  form.field("grid", self.grid);
  form.field_or("block", self.block);
  form.field_or("num_warps", self.num_warps);
  form.field_or("line", self.line);
}
Launch Launch::read(const nlohmann::json& input) { return read_fields<Launch>(input); }
nlohmann::json Launch::write() const { return written_fields(*this); }

template <class Form, class Self>
void Step::fields(Form& form, Self& self) {
  form.field("stage", self.stage);
  form.or_null("variation", self.variation);
  form.field("outcome", self.outcome);
  form.or_null("reason", self.reason);
  form.or_null("message", self.message);
  form.or_null("line", self.line);
  form.field_or("launches", self.launches);
  form.unless("evidence", self.evidence, true);
}
Step Step::read(const nlohmann::json& input) { return read_fields<Step>(input); }
nlohmann::json Step::write() const { return written_fields(*this); }

template <class Form, class Self>
void Examined::fields(Form& form, Self& self) {
  Verdict::fields(form, self);
  form.field_or("stages", self.stages);
  form.if_any("budget", self.budget);
  form.if_any("number", self.number);
  form.if_any("exported", self.exported);
  form.if_any("made_on", self.made_on);
}
Examined Examined::read(const nlohmann::json& input) { return read_verdict<Examined>(input); }
nlohmann::json Examined::write() const { return written_fields(*this); }

template <class Form, class Self>
void Replayed::fields(Form& form, Self& self) {
  form.field("rows", self.rows);
  form.field("task", self.task);
  form.if_any("verdict", self.verdict);
  form.if_any("planned", self.planned);
  form.unless("forged", self.forged, false);
  form.if_any("omitted", self.omitted);
}
Replayed Replayed::read(const nlohmann::json& input) { return read_fields<Replayed>(input); }
nlohmann::json Replayed::write() const { return written_fields(*this); }

}  // namespace trl::contract
