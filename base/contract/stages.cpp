#include "base/contract/stages.hpp"

#include "base/contract/endpoint.hpp"

namespace trl::contract {
namespace {

/// `source`, which tells one kind of corpus from another.
template <class Spec, class Form>
void source_of(Form& form) {
  std::string source = Spec::source;
  form.field("source", source);
  if (source != Spec::source)
    throw unexpected(source, std::string("`") + Spec::source + "`").inside("source");
}

}  // namespace

bool keeps_checkpoints(const std::string& kind) {
  return kind == PretrainSpec::kind || kind == FinetuneSpec::kind || kind == AskSpec::kind;
}

template <class Form, class Self>
void Optimisation::fields(Form& form, Self& self) {
  form.field("learning_rate", self.learning_rate);
  form.field_or("warmup", self.warmup);
  form.field_or("schedule", self.schedule);
  form.field_or("weight_decay", self.weight_decay);
  form.field_or_none("clip", self.clip, 0);
}

Optimisation Optimisation::read(const nlohmann::json& input) { return read_fields<Optimisation>(input); }
nlohmann::json Optimisation::write() const { return written_fields(*this); }

template <class Form, class Self>
void Passes::fields(Form& form, Self& self) {
  form.field("epochs", self.epochs);
  form.field("batch", self.batch);
  Optimisation::fields(form, self.optimisation);
}
Passes Passes::read(const nlohmann::json& input) { return read_fields<Passes>(input); }
nlohmann::json Passes::write() const { return written_fields(*this); }

template <class Form, class Self>
void Adapter::fields(Form& form, Self& self) {
  form.field("rank", self.rank);
  form.field("alpha", self.alpha);
  form.field_or("dropout", self.dropout);
  form.field_or("targets", self.targets);
  form.unless("sampled", self.sampled, Sampled::merged);
  form.unless("use_rslora", self.use_rslora, false);
  form.unless("use_dora", self.use_dora, false);
  form.unless("patterns", self.patterns, {});
}
Adapter Adapter::read(const nlohmann::json& input) { return read_fields<Adapter>(input); }
nlohmann::json Adapter::write() const { return written_fields(*this); }

template <class Form, class Self>
void Architecture::fields(Form& form, Self& self) {
  form.field("hidden", self.hidden);
  form.field("layers", self.layers);
  form.field("heads", self.heads);
  form.field("kv_heads", self.kv_heads);
  form.field("intermediate", self.intermediate);
  form.field("context", self.context);
  form.unless("rope_theta", self.rope_theta, 1e4);
}
Architecture Architecture::read(const nlohmann::json& input) { return read_fields<Architecture>(input); }
nlohmann::json Architecture::write() const { return written_fields(*this); }

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
void ExcludedTask::fields(Form& form, Self& self) {
  form.field("name", self.name);
  form.field("operators", self.operators);
  form.field("sketch", self.sketch);
}
ExcludedTask ExcludedTask::read(const nlohmann::json& input) { return read_fields<ExcludedTask>(input); }
nlohmann::json ExcludedTask::write() const { return written_fields(*this); }

template <class Form, class Self>
void PairsSpec::fields(Form& form, Self& self) {
  form.if_any("licenses", self.licenses);
  form.field("near", self.near);
  form.field("malformed", self.malformed);
  form.if_any("seed", self.seed);
  form.field_or("excluded", self.excluded);
}
PairsSpec PairsSpec::read(const nlohmann::json& spec) { return read_fields<PairsSpec>(spec); }
nlohmann::json PairsSpec::write() const { return written_fields(*this); }

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

template <class Form, class Self>
void TokenizerSpec::fields(Form& form, Self& self) {
  form.field("vocabulary", self.vocabulary);
}
TokenizerSpec TokenizerSpec::read(const nlohmann::json& spec) { return read_fields<TokenizerSpec>(spec); }
nlohmann::json TokenizerSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void PretrainSpec::fields(Form& form, Self& self) {
  form.field("architecture", self.architecture);
  form.field("steps", self.steps);
  form.field("batch", self.batch);
  form.field("sequence", self.sequence);
  Optimisation::fields(form, self.optimisation);
  form.field_or("precision", self.precision);
  form.field_or("seed", self.seed);
}
PretrainSpec PretrainSpec::read(const nlohmann::json& spec) { return read_fields<PretrainSpec>(spec); }
nlohmann::json PretrainSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void FinetuneSpec::fields(Form& form, Self& self) {
  form.field("adapter", self.adapter);
  Passes::fields(form, self.passes);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.field_or("seed", self.seed);
  form.field_or("round", self.round);
  form.unless("optimiser_state", self.optimiser_state, OptimiserState::fresh);
  form.if_any("objective", self.objective);
}
FinetuneSpec FinetuneSpec::read(const nlohmann::json& spec) { return read_fields<FinetuneSpec>(spec); }
nlohmann::json FinetuneSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void Sampling::fields(Form& form, Self& self) {
  form.field("temperature", self.temperature);
  form.unless("top_k", self.top_k, 0);
  form.unless("top_p", self.top_p, 1);
  form.unless("stop", self.stop, {});
  form.field("max_tokens", self.max_tokens);
}
Sampling Sampling::read(const nlohmann::json& input) { return read_fields<Sampling>(input); }
nlohmann::json Sampling::write() const { return written_fields(*this); }

template <class Form, class Self>
void Episodes::fields(Form& form, Self& self) {
  form.unless("turns", self.turns, 1);
  form.unless("feedback", self.feedback, "");
}
Episodes Episodes::read(const nlohmann::json& input) { return read_fields<Episodes>(input); }
nlohmann::json Episodes::write() const { return written_fields(*this); }

template <class Form, class Self>
void SampleSpec::fields(Form& form, Self& self) {
  form.field("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field("purpose", self.purpose);
  form.field_or("round", self.round);
  form.field_or("seed", self.seed);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.unless("adapter", self.adapter, Sampled::merged);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
  form.unless("scores", self.scores, false);
  form.unless("turn", self.turn, 1);
  form.unless("feedback", self.feedback, "");
}
SampleSpec SampleSpec::read(const nlohmann::json& spec) { return read_fields<SampleSpec>(spec); }
nlohmann::json SampleSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void GenerateSpec::fields(Form& form, Self& self) {
  form.field("prompts", self.prompts);
  form.field_or("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field_or("round", self.round);
  form.field_or("seed", self.seed);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.field_or("raw", self.raw);
}
GenerateSpec GenerateSpec::read(const nlohmann::json& spec) { return read_fields<GenerateSpec>(spec); }
nlohmann::json GenerateSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void TasksSpec::fields(Form& form, Self& self) {
  form.field("tasks", self.tasks);
}
TasksSpec TasksSpec::read(const nlohmann::json& spec) { return read_fields<TasksSpec>(spec); }
nlohmann::json TasksSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void DrawSpec::fields(Form& form, Self& self) {
  form.field("seed", self.seed);
  form.field("round", self.round);
  form.field("count", self.count);
  form.field("pool", self.pool);
  form.if_any("share", self.share);
  form.if_any("each", self.each);
}
DrawSpec DrawSpec::read(const nlohmann::json& spec) { return read_fields<DrawSpec>(spec); }
nlohmann::json DrawSpec::write() const { return written_fields(*this); }

std::string input_of_turn(const std::string& what, int turn) {
  return turn == 1 ? what : what + "_" + std::to_string(turn);
}

template <class Form, class Self>
void SelectSpec::fields(Form& form, Self& self) {
  form.field("seed", self.seed);
  form.field("round", self.round);
  form.field("keep", self.keep);
  form.field("keep_by", self.keep_by);
  form.unless("duplicates", self.duplicates, Duplicates::keep);
  form.unless("match", self.match, Match::none);
  form.unless("weigh", self.weigh, Weigh::none);
  form.if_any("temperature", self.temperature);
  form.field("min_reward", self.min_reward);
  form.field("reward", self.reward);
  form.if_any("plan_reward", self.plan_reward);
  form.or_null("failing", self.failing);
  form.if_any("timing_noise", self.timing_noise);
  form.unless("turns", self.turns, 1);
  form.unless("discount", self.discount, 1);
}
SelectSpec SelectSpec::read(const nlohmann::json& spec) { return read_fields<SelectSpec>(spec); }
nlohmann::json SelectSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
