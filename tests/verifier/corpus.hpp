#pragma once
// The candidates under corpus/: templates combined with tasks and parameters.
#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime::corpus {

/// The expected verdict of a template's candidates, from its head: `expect static wrong_launch`.
struct Expectation {
  enum class When {
    unstated,
    refused,   ///< `static`: refused by the recorder or trl-kernel-check
    compiled,  ///< `compile`: refused by the compiler of kernels
    formed,    ///< `form`: refused for the shape or type of its output
    replayed   ///< `values`: refused after its replay, which for CUDA takes a GPU
  };
  When when = When::unstated;
  std::vector<std::string> reasons;  ///< any one of these may be given

  bool accepts(const std::string& reason) const;
};

struct Candidate {
  std::string name;    ///< "tiled/matmul/PRECISION=ieee"
  std::string family;  ///< the file's name, without its extension
  Task task;
  std::string answer;
  Expectation expect;
  std::string of;  ///< the template of cuda_right that it changes, or empty

  // Further fields of heads, `protocol` anywhere and the others in red_team/.
  std::string protocol =
      "exam";                  ///< how it is judged: exam, training, staged, triton, stage, epilogue, extreme
  std::string earns = "full";  ///< the last stage at which it may fail: syntax, compile, tiny, full
  std::vector<std::string> claims = {};  ///< texts of its own that no verdict may contain
  bool neighbour = false;                ///< whether honest candidates are judged before and after it
  bool slow = false;                     ///< whether a budget is expected to end it
  std::string twin = {};                 ///< another answer, whose verdict it must not influence
};

/// Returns all candidates of a folder of corpus/ (honest, hostile, red_team, cuda_right, cuda_wrong,
/// cuda_hostile), ordered by file and position. The folder is in the sources or, if these are missing, in
/// TRL_HOME if that is set. Throws std::runtime_error for a malformed file.
///
/// A template begins with a line `#: name | tasks a b | dtypes f32 f16 | PARAMETER one two` and gives a
/// candidate for each combination. In its text, `__PARAMETER__` is replaced by the value; `__EXPR__` and
/// similar words are replaced by the entries of the task's `words` in tasks.json; `__IS_WORD__` is replaced
/// by True or False: whether the task's name contains that word. `dims M=60 N=1000` replaces the task's own
/// sizes. A template with `of NAME` is the template of cuda_right with this name after a change: the text of
/// consecutive lines `- text`, which must occur exactly once, is replaced by the text of the lines `+ text`
/// behind them. The text before a file's first head is the beginning of each of its candidates. The twin, a
/// candidate's other answer, follows a line `#; twin`.
std::vector<Candidate> load(const std::string& folder);

}  // namespace trl::runtime::corpus
