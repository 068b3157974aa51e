#pragma once
// The requests that trl sends to trl-verify as JSON on standard input. The answers are lines of JSON on
// standard output.

namespace trl::runtime {

/// Reads and carries out one request. Returns the exit status of the process, 0 unless the machine fails. A
/// request is one of:
/// - {"spec", "secret", "sandbox", "task", "own", "answer"}: prints the row of the verdict, with every step
///   in `stages`. `own` says that the task is the user's own, so that its module may run outside of the
///   sandbox; the default is false. A module from a store never does.
/// - {"spec", "secret", "sandbox", "candidates": [{"task", "own", "answer"}], "slots"}: prints such a row for
///   each candidate as soon as its verdict is known, with `number`, the index of the candidate.
/// - {"spec", "secret", "sandbox", "tasks", "plans"}, where the last two are paths of tasks.json and
///   plans.jsonl: judges the candidates of an exam again from their published plans. For each row of
///   plans.jsonl prints {"rows", "task"} and either `verdict` and `planned` (false if the recorder found no
///   plan), or `omitted`, or `forged` true.
/// - {"assess": {"tasks", "variations", "precision"}}: for each task prints the evidence of its variations
///   (assessment.hpp), {"task", "key", "variations", "degenerate", "passes"}; or {"task", "key", "unknown"}
///   for a task that is too large.
/// - {"prompts": {"tasks", "language"}}: prints the prompt of each task, {"number", "text"}.
/// - {"extract": [answer, …]}: prints the program of each answer, {"number", "text", "language"}.
int carry_out_request();

}  // namespace trl::runtime
