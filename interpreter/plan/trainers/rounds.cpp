// Rounds of drawing tasks, sampling, verifying, choosing or weighing answers, and fine-tuning on them.
#include "interpreter/plan/trainers/rounds.hpp"

#include <algorithm>

#include "base/contract/form.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/formulas/expression.hpp"
#include "base/formulas/members.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/plan/extension.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter::trainers {

RoundsDeclared read_rounds(const nlohmann::json& declared) {
  RoundsDeclared fields;
  contract::Reading form(declared);
  form.field("tasks", fields.tasks);
  form.field("rounds", fields.rounds);
  form.field("tasks_per_round", fields.tasks_per_round);
  form.field("candidates", fields.candidates);
  fields.sampling = contract::Sampling::read(declared);
  std::string place;
  form.field_or("rollout_place", place);
  if (const auto rollout = declared.find("rollout"); rollout != declared.end())
    fields.rollout = contract::declared_endpoint(*rollout, place);
  fields.episodes = contract::Episodes::read(declared);
  fields.select.turns = fields.episodes.turns;
  form.field_or("precision", fields.precision);
  form.field_or("framework", fields.framework);
  form.field_or("optimiser_state", fields.optimiser_state);
  form.field("reward", fields.select.reward);
  fields.select.reward = fields.select.reward.normalised();
  fields.passes = contract::Passes::read(declared);
  return fields;
}

void read_discount(const nlohmann::json& declared, RoundsDeclared& fields) {
  if (fields.episodes.turns > 1) contract::Reading(declared).field("discount", fields.select.discount);
}

namespace {
using nlohmann::json;

/// Returns the protocol by which a round's candidates are judged.
contract::Protocol training_protocol(const Chain& chain, const Extensions& extensions,
                                     const RoundsDeclared& fields, bool times_kernels) {
  contract::Protocol protocol;
  protocol.limits = candidate_limits();
  extensions.change(protocol);
  protocol.precision = fields.precision;
  protocol.framework = fields.framework;
  protocol.language = said_language(chain.request.experiment);
  return timed_or_modelled(std::move(protocol), times_kernels);
}

/// Returns the extensions that change anything in rounds with these rewards.
Extensions acting(const Chain& chain, const RoundsDeclared& fields, bool times_kernels) {
  Extensions extensions(chain.request.extensions, times_kernels);
  auto read = formulas::members_read(fields.select.reward.body);
  if (fields.select.plan_reward) read.merge(formulas::members_read(fields.select.plan_reward->body));
  extensions.leave_out_inert(read);
  return extensions;
}

/// The rounds of one phase.
class Rounds {
 public:
  Rounds(ChainBuilder& builder, Chain& chain, const json& declared, RoundsDeclared said)
      : builder_(builder),
        chain_(chain),
        extensions_(acting(chain, said, builder.options().times_kernels)),
        said_(std::move(said)),
        declaration_(contract::Declaration::read(declared)),
        name_(name_of(declaration_)),
        version_(declaration_.carried_out_by()),
        protocol_(training_protocol(chain, extensions_, said_, builder.options().times_kernels)),
        verify_versions_(extensions_.verify_versions()),
        start_(chain.adapter) {
    draw_.seed = chain.seed, draw_.count = said_.tasks_per_round;
    extensions_.change(draw_);
    said_.select.seed = chain.seed;
    extensions_.change(said_.select);
  }

  void add_all() {
    builder_.with_model(chain_);
    measure();
    if (chain_.round == 0) builder_.add_dev(chain_, name_ + "/round 0/dev");
    for (int n = 1; n <= said_.rounds; ++n) add_round(name_ + "/round " + std::to_string(n));
  }

 private:
  std::string draw(const contract::DrawSpec& spec, const std::string& where) {
    const auto version = extensions_.draw_versions(version_);
    const std::string slot = where + "/draw";
    return builder_.add_once(
        chain_, json::array({"draw", spec.write(), said_.tasks.tasks, measured_, version}), slot, false, [&] {
          auto whole = spec.write();
          whole["pool"] = builder_.written_tasks_of(said_.tasks);
          return make_stage(contract::DrawSpec::kind, std::move(whole), measured_, slot, version);
        });
  }

  /// Adds the stages that sample and verify answers to the tasks, turn by turn.
  std::vector<Turn> answer(const std::string& tasks, const char* purpose, const contract::Episodes& episodes,
                           const std::string& where) {
    auto spec = ChainBuilder::sample_spec(chain_, purpose, chain_.round);
    spec.samples = said_.candidates;
    spec.sampling = said_.sampling;
    spec.scores =
        spec.purpose == "train" && said_.objective && said_.objective->mismatch != contract::Mismatch::ignore;
    return builder_.add_turns(chain_, spec, episodes, protocol_, tasks, where, true, verify_versions_,
                              said_.rollout);
  }

  /// Adds, before the first round, the stages that measure the model's accuracy in the groups on which a
  /// round's shares depend.
  void measure() {
    std::vector<std::string> groups;
    if (draw_.share)
      for (const auto& [group, share] : *draw_.share) {
        if (!share.formula) continue;
        for (const auto& asked : formulas::names_asked(share.formula->body, "accuracy"))
          if (std::find(groups.begin(), groups.end(), asked) == groups.end()) groups.push_back(asked);
      }
    if (groups.empty()) return;
    const std::string where = name_ + "/measure";
    auto spec = draw_;
    spec.round = chain_.round, spec.share.reset(), spec.each = groups;
    const auto tasks = draw(spec, where);
    measured_ = {{"tasks", tasks},
                 {"verdicts", answer(tasks, "measure", {}, where).front().verify},
                 {"previous", tasks}};
  }

  void add_round(const std::string& where) {
    Round round;
    round.number = draw_.round = said_.select.round = ++chain_.round;
    round.draw = draw(draw_, where);
    const auto turns = answer(round.draw, "train", said_.episodes, where);
    round.sample = turns.front().sample, round.verify = turns.front().verify;
    round.later = {turns.begin() + 1, turns.end()};
    ChainBuilder::Inputs judged = {{"tasks", round.draw}};
    for (std::size_t i = 0; i < turns.size(); ++i) {
      judged[contract::input_of_turn("candidates", static_cast<int>(i) + 1)] = turns[i].sample;
      judged[contract::input_of_turn("verdicts", static_cast<int>(i) + 1)] = turns[i].verify;
    }
    round.select = builder_.add(chain_, said_.select, judged, where + "/select", false,
                                extensions_.select_versions(version_));
    if (builder_.options().purity)
      round.purity =
          builder_.add(chain_, builder_.exam_of(chain_),
                       {{"candidates", round.select}, {"tasks", round.draw}}, where + "/purity", false);
    auto inputs = builder_.with_model(chain_);
    inputs["samples"] = round.select;
    auto passes = ChainBuilder::finetune_spec(chain_, name_, said_.passes, round.number);
    passes.optimiser_state = said_.optimiser_state;
    passes.objective = said_.objective;
    if (said_.reference == contract::Reference::start && !start_.empty()) inputs["reference"] = start_;
    round.finetune = chain_.adapter =
        builder_.add(chain_, passes, inputs, where + "/finetune", true, version_);
    if (!measured_.empty())
      measured_ = {{"tasks", round.draw}, {"verdicts", round.verify}, {"previous", round.draw}};
    chain_.trace.rounds.push_back(std::move(round));
    builder_.add_dev(chain_, where + "/dev");
  }

  ChainBuilder& builder_;
  Chain& chain_;
  Extensions extensions_;
  RoundsDeclared said_;
  contract::Declaration declaration_;
  std::string name_;
  json version_;
  contract::Protocol protocol_;
  json verify_versions_;
  std::string start_;  ///< the adapter before the first round; empty: none
  contract::DrawSpec draw_;
  ChainBuilder::Inputs measured_;  ///< inputs of the next draw
};

}  // namespace

void add_rounds(ChainBuilder& builder, Chain& chain, const nlohmann::json& declared, RoundsDeclared said) {
  Rounds(builder, chain, declared, std::move(said)).add_all();
}

}  // namespace trl::interpreter::trainers
