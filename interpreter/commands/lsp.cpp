#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "base/support/json_text.hpp"
#include "interpreter/assess/assessments.hpp"
#include "interpreter/commands/console.hpp"
#include "language/server/framing.hpp"
#include "language/server/protocol.hpp"
#include "language/server/server.hpp"

#include <fmt/format.h>

#ifndef TRL_VERSION
#define TRL_VERSION "unknown"
#endif

namespace trl::interpreter {
namespace {

using language_server::Frames;
using nlohmann::json;

/// The `.trl` files below a folder of a workspace, except in hidden folders and in folders of results.
std::vector<std::string> files_below(const std::string& folder) {
  constexpr std::size_t most = 2000;
  std::vector<std::string> out;
  std::error_code ignored;
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (Iterator at(folder, std::filesystem::directory_options::skip_permission_denied, ignored), end;
       at != end && out.size() < most; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (at->is_directory(ignored)) {
      if (name.starts_with(".") || name == "runs" || name == "build" || name == "node_modules")
        at.disable_recursion_pending();
    } else if (name.ends_with(".trl")) {
      out.push_back(at->path().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The assessments of tasks that are known without trl-verify, which would take seconds.
class KnownAssessments {
 public:
  std::vector<language::Assessment> of(const std::vector<const json*>& tasks, const std::string& precision) {
    constexpr std::size_t most = 1000;
    // Each version of a task that is being written is recorded as missing, so the records are dropped from
    // time to time.
    if (assessments_ == nullptr || ++asked_ % most == 0)
      assessments_ = std::make_unique<Assessments>(shipped_assessments(), assessments_folder(),
                                                   [](const json&, const auto&) {});
    return assessments_->of(tasks, precision);
  }

 private:
  std::unique_ptr<Assessments> assessments_;
  std::size_t asked_ = 0;
};

/// Waits until standard input can be read; at once if `wait` is false.
bool readable(bool wait) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&input, 1, wait ? -1 : 0)) < 0 && errno == EINTR) continue;
  return ready > 0;
}

/// The messages that have arrived and wait for their turn.
class Inbox {
 public:
  explicit Inbox(language_server::Server& server) : server_(server) {}

  /// Reads the messages that have arrived; with `wait`, waits until there is one. Returns false at the end of
  /// the input.
  bool take(bool wait) {
    while (readable(wait)) {
      char bytes[1 << 16];
      const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      frames_.add({bytes, static_cast<std::size_t>(count)});
      while (auto frame = frames_.next()) arrived(std::move(*frame));
      wait = wait && waiting_.empty();
    }
    return true;
  }

  bool empty() const { return waiting_.empty(); }
  void answer_one() {
    const std::string text = std::move(waiting_.front().text);
    waiting_.pop_front();
    server_.receive_text(text);
  }

 private:
  void arrived(Frames::Frame frame) {
    if (!frame.error.empty()) return server_.receive_text("");  // answered as text that is no JSON
    constexpr std::string_view cancel = "$/cancelRequest";
    if (frame.body.find(cancel) != std::string::npos) {
      const json message = json::parse(frame.body, nullptr, false);
      if (message.is_object() && message.value("method", json()) == cancel && message.contains("params")) {
        const json id = message["params"].is_object() ? message["params"].value("id", json()) : json();
        const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                     [&](Waiting& one) { return !id.is_null() && one.id() == id; });
        if (at == waiting_.end()) return;  // the request was answered before
        waiting_.erase(at);
        return server_.cancel(id);
      }
    }
    waiting_.push_back({std::move(frame.body), std::nullopt});
  }

  struct Waiting {
    std::string text;
    std::optional<json> known_id;

    /// Returns the request's id; null if the message isn't a request. Parses the text only for the first
    /// call.
    const json& id() {
      if (!known_id) {
        const json message = json::parse(text, nullptr, false);
        const bool request = message.is_object() && message.contains("method");
        known_id = request ? message.value("id", json()) : json();
      }
      return *known_id;
    }
  };

  language_server::Server& server_;
  Frames frames_;
  std::deque<Waiting> waiting_;
};

/// Returns `2026-05-01: none 41 %, inputs 58 %`, from the report that `trl run` wrote last; empty if there is
/// none.
std::string table_summary(const std::string& experiment, const std::string& table) {
  constexpr std::size_t most = 4;
  const std::filesystem::path file =
      std::filesystem::path(project_folders().out) / experiment / (table + ".json");
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  if (error) return "";
  try {
    const json report = read_json(file);
    const json& column = report.at("columns").at(0);
    const double scale = column.at("unit") == "share" ? 100 : 1;
    const std::string id = column.at("id");
    std::string rows;
    std::size_t shown = 0;
    for (const json& row : report.at("rows")) {
      const json& value = row.at("figures").at(id).at("value");
      if (!value.is_number()) continue;
      if (++shown > most) {
        rows += ", …";
        break;
      }
      rows += fmt::format("{}{} {:.3g}{}", shown > 1 ? ", " : "", row.at("row").get<std::string>(),
                          value.get<double>() * scale, scale > 1 ? " %" : "");
    }
    const auto time = std::chrono::floor<std::chrono::days>(std::chrono::file_clock::to_sys(written));
    const std::chrono::year_month_day day(time);
    return fmt::format("{}-{:02}-{:02}, {}: {}", static_cast<int>(day.year()),
                       static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                       column.at("title").get<std::string>(), rows);
  } catch (const std::exception&) {
    return "";  // the file is being written, or is of another version
  }
}

int serve() {
  language_server::World world;
  auto known = std::make_shared<KnownAssessments>();
  world.options = check_options({});
  world.options.try_fixes = false;  // code actions try the fixes that an editor requests
  world.options.assess = [known](const std::vector<const json*>& tasks, const std::string& precision) {
    return known->of(tasks, precision);
  };
  world.files_below = files_below;
  world.table_summary = table_summary;
  language_server::Server server(std::move(world), TRL_VERSION, [&](const json& message) {
    std::cout << language_server::framed(dumped(message)) << std::flush;
  });
  Inbox inbox(server);
  // Messages that arrived before the end of the input are answered, too.
  for (bool open = true; !server.exited();) {
    // Everything that has arrived is taken first, so that a request can still be cancelled.
    const bool idle = inbox.empty() && !server.wants_to_settle();
    if (open) open = inbox.take(idle);
    if (!inbox.empty())
      inbox.answer_one();
    else if (open || server.wants_to_settle())
      server.settle();
    else
      break;
  }
  return server.status();
}

}  // namespace

void add_lsp(Command trl, Console&, int& status) {
  auto command =
      trl.add_command("lsp", "Serve an editor: the Language Server Protocol on standard input and output");
  auto ignored = std::make_shared<bool>(false);
  command.add_flag("--stdio", *ignored,
                   "Accepted, since many clients pass it; there is no other way to connect");
  add_examples(command, "  trl lsp",
               "0 after the client asked for the end, 1 if it left without asking,\n2 wrong usage");
  command.callback([ignored, &status] { status = serve(); });
}

}  // namespace trl::interpreter
