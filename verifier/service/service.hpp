#pragma once
// A worker slot of `trl serve`: judges candidates that arrive one after another (docs/interfaces.md, section
// 4).
#include <istream>
#include <ostream>

namespace trl::runtime {

/// Reads lines of JSON from `in` until its end, and writes lines of JSON to `out`. Returns the exit status of
/// the process. The first line is {"sandbox", "measured"}; once the processes that judge are started,
/// the line {"ready": true} is written. Each later line is one of:
/// - {"id", "task", "own", "answer", "spec", "secret", "deadline_s", "publish"}: a candidate, whose verdict
///   is needed within `deadline_s` seconds. The answer is {"id", "row", "seconds"}. With `publish` and a
///   strict protocol, it also has `plan`, the members of a row of plans.jsonl. If the verification fails for
///   a reason that isn't the candidate's, the row has the reason not_judged.
/// - {"cancel": id}: ends the verification of this candidate. If it had begun, {"id", "cancelled": true} is
///   written.
///
/// Candidates are judged in their order, one at a time. Throws UserError if the machine can't judge.
int serve_candidates(std::istream& in, std::ostream& out);

}  // namespace trl::runtime
