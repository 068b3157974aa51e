#pragma once
// The candidates under corpus/: templates times tasks and parameters.
#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime::corpus {

/// What a template's head says will become of its candidates: `expect static wrong_launch`.
struct Expectation {
  enum class When {
    unstated,
    refused,   ///< `static`: by the recorder or trl-kernel-check
    compiled,  ///< `compile`: by the compiler of kernels
    formed,    ///< `form`: by the shape or type of its output
    replayed   ///< `values`: by their replay, which for CUDA takes a GPU
  };
  When when = When::unstated;
  std::vector<std::string> reasons;  ///< each is one that may be given

  bool accepts(const std::string& reason) const;
};

struct Candidate {
  std::string name;    ///< "tiled/matmul/PRECISION=ieee"
  std::string family;  ///< the file's name, without its ending
  Task task;
  std::string answer;
  Expectation expect;
  std::string of;  ///< the template of cuda_right that it changes, or empty

  // What heads of red_team/ say besides.
  std::string protocol = "exam";         ///< by which it is judged: exam, training, staged, triton, stage
  std::string earns = "full";            ///< the last stage at which it may fail: syntax, compile, tiny, full
  std::vector<std::string> claims = {};  ///< words of its own that no verdict may repeat
  bool neighbour = false;                ///< honest candidates stand before and behind it
  bool slow = false;                     ///< it is to be ended by a budget
  std::string twin = {};                 ///< another answer, whose verdict it must not decide
};

/// All candidates of a folder of corpus/ (honest, hostile, red_team, cuda_right, cuda_wrong, cuda_hostile),
/// by file, then by place. The folder is that of the sources, or TRL_HOME's where they aren't. Throws
/// std::runtime_error for what is malformed.
///
/// A template begins with a line `#: name | tasks a b | dtypes f32 f16 | PARAMETER one two` and gives a
/// candidate for each combination. In its text `__PARAMETER__` stands for the value, `__EXPR__` and the like
/// for what tasks.json says in the task's `words`, and `__IS_WORD__` for whether the task's name has that
/// word. `dims M=60 N=1000` are sizes in place of the task's own. A template with `of NAME` is that of
/// cuda_right with this name, changed: what consecutive lines `- text` hold, which must be there exactly
/// once, becomes what the lines `+ text` behind them hold. What stands above a file's first head is the
/// beginning of each of its candidates; below a line `#; twin` stands another answer.
std::vector<Candidate> load(const std::string& folder);

}  // namespace trl::runtime::corpus
