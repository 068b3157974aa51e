// The results of verification for a candidate: a row of verdicts.jsonl, and trl-verify's answer
// (docs/interfaces.md, 3 and 4).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"

namespace trl::contract {

/// Another protocol's verdict on a candidate.
struct OtherVerdict {
  bool correct = false;
  std::string reason, message;  ///< empty where it is right

  static OtherVerdict read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct Verdict {
  bool valid = false;            ///< came to a sound launch plan
  std::optional<bool> compiled;  ///< none: not tried
  std::optional<bool> tiny;      ///< passed at small sizes; none: not tried
  bool correct = false;
  bool values = false;                     ///< all values right, memory errors aside
  std::string failed;                      ///< syntax, compile, tiny, full, timed; empty: passed
  std::string reason, message, variation;  ///< empty where there is none
  int line = 0;                            ///< of the answer, from 1; 0: none is to blame
  bool claimed = false;  ///< reason, message and line come from where the candidate ran, and may be forged
  double speedup = 0;
  std::optional<double> time_us, reference_us;
  bool modelled = true;               ///< the times are a model's
  std::optional<double> launched_us;  ///< measured: its launches one by one, not as one CUDA graph
  std::optional<double> compiled_us;  ///< measured: torch.compile's reference
  int launches = 0;
  std::optional<nlohmann::json> paths;   ///< as `Paths` has it: which decisions went both ways
  std::vector<std::string> no_evidence;  ///< variations that an answer passes that computes nothing
  std::vector<std::string> left_alone;   ///< casts that weren't tried, since the task says its dtypes
  std::int64_t masked_without_other =
      0;                               ///< loads on whose zeros for disabled lanes the values depend; 0: none
  std::optional<double> kernel_share;  ///< of the work; none: PyTorch may compute nothing
  std::optional<OtherVerdict> kernelbench;  ///< none: its protocol wasn't asked

  /// Throws ContractError.
  static Verdict read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A row of verdicts.jsonl.
struct VerdictRow : Verdict {
  std::size_t task = 0;     ///< in tasks.json, from 0
  std::int64_t sample = 0;  ///< of that task, from 0

  static VerdictRow read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// How many places in a candidate's kernels decide by loaded values.
struct Paths {
  struct Site {
    std::optional<int> line;  ///< of the answer
    std::string what;         ///< "comparison < -9"

    static Site read(const nlohmann::json& input);
    nlohmann::json write() const;
    template <class Form, class Self>
    static void fields(Form& form, Self& self);
  };
  int sites = 0, both = 0;
  int directed = 0;             ///< of `both`: on directed inputs alone
  std::vector<Site> one_sided;  ///< some of the sites that never went both ways

  static Paths read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A kernel as a plan launches it.
struct Launch {
  std::string kernel;  ///< a candidate's word
  std::vector<std::int64_t> grid;
  std::vector<std::int64_t> block;  ///< threads; zeros: by the number of warps (Triton)
  int num_warps = 0;                ///< 0: not said
  int line = 0;

  static Launch read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A step of an examination.
struct Step {
  enum class Outcome { passed, failed, skipped };
  std::string stage;      ///< syntax, compile, tiny, full, timed
  std::string variation;  ///< of tiny and full
  Outcome outcome = Outcome::skipped;
  std::string reason, message;  ///< of a passed step: a memory error that the protocol lets pass
  int line = 0;
  std::vector<Launch> launches;  ///< of the plan that a tiny or full step replays
  bool evidence = true;          ///< false: an answer that computes nothing passes it, too

  static Step read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// trl-verify's answer about a candidate.
struct Examined : Verdict {
  using Seconds = std::map<std::string, double>;  ///< `limit`, and the seconds of each kind of work
  std::vector<Step> stages;
  std::optional<std::map<std::string, Seconds>> budget;  ///< by clock: cpu_seconds, wall_seconds
  std::optional<std::size_t> number;                     ///< among several candidates, from 0
  std::optional<nlohmann::json> exported;                ///< files that were written
  std::optional<MadeOn> made_on;

  static Examined read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// trl-verify's answer about a row of plans.jsonl.
struct Replayed {
  std::vector<std::size_t> rows;  ///< of verdicts.jsonl
  std::size_t task = 0;
  std::optional<Verdict> verdict;
  std::optional<bool> planned;          ///< false: the candidate never came to a plan
  bool forged = false;                  ///< the plan isn't the one of its commitment
  std::optional<std::int64_t> omitted;  ///< bytes of a plan that was too large to be kept

  static Replayed read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
