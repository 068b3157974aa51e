#include "base/contract/stages/corpus.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {
namespace {

/// Reads or writes the field `source`, which distinguishes the kinds of corpora.
template <class Spec, class Form>
void source_of(Form& form) {
  std::string source = Spec::source;
  form.field("source", source);
  if (source != Spec::source)
    throw unexpected(source, std::string("`") + Spec::source + "`").inside("source");
}

}  // namespace

template <class Form, class Self>
void SuitesCorpusSpec::fields(Form& form, Self& self) {
  source_of<SuitesCorpusSpec>(form);
  form.field("tasks", self.tasks);
  form.field("samples", self.samples);
  form.field("flawed", self.flawed);
  form.field("seed", self.seed);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
}
SuitesCorpusSpec SuitesCorpusSpec::read(const nlohmann::json& spec) {
  return read_fields<SuitesCorpusSpec>(spec);
}
nlohmann::json SuitesCorpusSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void ChainsCorpusSpec::fields(Form& form, Self& self) {
  source_of<ChainsCorpusSpec>(form);
  form.field("samples", self.samples);
  form.if_any("longest", self.longest);
  form.field_or("exclude_keys", self.exclude_keys);
  form.unless("exclude_spellings", self.exclude_spellings, false);
  form.if_any("unseen_pairs", self.unseen_pairs);
  form.field("flawed", self.flawed);
  form.field("seed", self.seed);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
}
ChainsCorpusSpec ChainsCorpusSpec::read(const nlohmann::json& spec) {
  return read_fields<ChainsCorpusSpec>(spec);
}
nlohmann::json ChainsCorpusSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void PairsCorpusSpec::fields(Form& form, Self& self) {
  source_of<PairsCorpusSpec>(form);
  form.field("samples", self.samples);
  form.if_any("longest", self.longest);
  form.unless("prompt", self.prompt, "");
}
PairsCorpusSpec PairsCorpusSpec::read(const nlohmann::json& spec) {
  return read_fields<PairsCorpusSpec>(spec);
}
nlohmann::json PairsCorpusSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
