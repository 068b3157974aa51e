// `trl generate`: a first look at a model. It samples answers to prompts, and shows them as they come.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

#include "base/contract/sampling.hpp"
#include "base/contract/stages/generate.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/matrix_storage.hpp"
#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/named_model.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/worker_process.hpp"
#include "interpreter/scratch.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {
using nlohmann::json;

struct GenerateCommand {
  std::string model, name, key_env, adapter, temperature = "0.7", top_p = "1", device = "cpu",
                                             precision = "bf16", quantize = "none";
  std::vector<std::string> prompts, stop;
  int top_k = 0, samples = 1, max_tokens = 256, seed = 1, threads = 0;
  bool raw = false, as_json = false;
};

/// Whether the model runs on a server.
bool is_asked(const GenerateCommand& options) {
  return options.model.starts_with("http://") || options.model.starts_with("https://");
}

/// Throws WrongUsage where options don't go together.
void check_kind(const GenerateCommand& options) {
  if (!is_asked(options)) {
    if (!options.name.empty() || !options.key_env.empty())
      throw WrongUsage("--name and --key-env are of a server's model, and MODEL is no address",
                       "An address begins with http:// or https://, as `http://localhost:8000/v1`.");
    return;
  }
  if (options.name.empty())
    throw WrongUsage("the server's name for the model is missing: --name",
                     "Most servers list their models at " + options.model + "/models.");
  if (!options.adapter.empty() || options.raw || options.quantize != "none")
    throw WrongUsage("--adapter, --raw and --quantize are of a model that is here, and a server has this one",
                     "Leave them out.");
}

/// Returns the model on the server, with the parameters that the options set.
contract::AskedModel asked_model(const GenerateCommand& options) {
  using enum contract::Parameter;
  contract::AskedModel model;
  model.name = options.name, model.parameters = {temperature, top_p, max_tokens, stop, seed};
  if (options.top_k > 0) model.parameters.push_back(top_k);
  return model;
}

/// Prints the answers one after another, in the order of prompts and samples, whatever order their pieces
/// arrive in. The pieces of the current answer are printed as they arrive; as JSON, an answer is printed when
/// it is complete.
class Transcript {
 public:
  Transcript(const std::vector<std::string>& prompts, const GenerateCommand& options, Console& console)
      : prompts_(prompts), options_(options), console_(console) {
    show_head();
  }

  void take(const AnswerPiece& piece) {
    auto& [text, finish] = pieces_[{piece.prompt, piece.sample}];
    text += piece.text;
    if (!piece.finish.empty()) finish = piece.finish;
    while (next_ != end()) {
      auto& [waiting, ended] = pieces_[next_];
      if (!options_.as_json) console_.out << terminal_safe(std::exchange(waiting, "")) << std::flush;
      if (ended.empty()) return;
      close(waiting, ended);
      next_ = next_.second + 1 < static_cast<std::size_t>(options_.samples)
                  ? Place{next_.first, next_.second + 1}
                  : Place{next_.first + 1, 0};
      if (next_ != end()) show_head();
    }
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // prompt, sample

  Place end() const { return {prompts_.size(), 0}; }

  // If there are several answers, each has a line with its number.
  void show_head() {
    if (options_.as_json || (prompts_.size() == 1 && options_.samples == 1)) return;
    const Paint paint{console_.out_colour};
    std::string head = prompts_.size() > 1 ? fmt::format("prompt {}", next_.first + 1) : "";
    if (options_.samples > 1) head += fmt::format("{}sample {}", head.empty() ? "" : ", ", next_.second + 1);
    console_.out << paint(bold, "[" + head + "]") << '\n';
  }

  void close(const std::string& text, const std::string& finish) {
    if (options_.as_json) {
      console_.out << json{{"prompt", prompts_[next_.first]},
                           {"sample", next_.second},
                           {"text", text},
                           {"finish", finish}}
                          .dump(-1, ' ', false, json::error_handler_t::replace)
                   << std::endl;
      return;
    }
    console_.out << std::endl;
    if (finish == "length")
      console_.err << fmt::format("(cut off after {} tokens: --max-tokens)", options_.max_tokens)
                   << std::endl;
  }

  const std::vector<std::string>& prompts_;
  const GenerateCommand& options_;
  Console& console_;
  Place next_{0, 0};
  std::map<Place, std::pair<std::string, std::string>> pieces_;
};

/// A conversation with a model in a worker, which lives as long as the conversation.
class Conversation {
 public:
  Conversation(const GenerateCommand& options, contract::Sampling sampling, const Interrupt& interrupt,
               Console& console)
      : options_(options),
        sampling_(std::move(sampling)),
        console_(console),
        cancellation_(interrupt),
        worker_({.program = find_worker(),
                 .log = scratch_.path() / "log",
                 .secret = "",
                 .threads = options.threads > 0
                                ? options.threads
                                : static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
                 .device = options.device},
                cancellation_) {
    if (!is_asked(options)) inputs_["model"] = model_folder(options.model);
    if (!options.adapter.empty()) inputs_["adapter"] = adapter_folder(options.adapter);
  }

  /// Samples and prints the answers. Throws Interrupted if the user stopped them.
  void answer(const std::vector<std::string>& prompts) {
    contract::GenerateSpec spec;
    spec.prompts = prompts;
    spec.samples = options_.samples;
    spec.sampling = sampling_;
    spec.round = round_++;
    spec.seed = static_cast<std::uint64_t>(options_.seed);
    spec.precision = options_.precision;
    spec.quantize = options_.quantize;
    spec.raw = options_.raw;
    WorkerRequest request{contract::GenerateSpec::kind, {}, inputs_, scratch_.path() / "none"};
    if (is_asked(options_)) {
      spec.model = asked_model(options_);
      request.endpoint.emplace().address = options_.model;
      request.endpoint->key_env = options_.key_env;
    }
    request.spec = spec.write();
    Transcript transcript(prompts, options_, console_);
    WorkerEvents events;
    events.answer = [&](const AnswerPiece& piece) { transcript.take(piece); };
    events.note = [&](const std::string& sentence) {
      console_.err << "note: " << terminal_safe(sentence) << std::endl;
    };
    try {
      worker_.run(request, events);
    } catch (const StageFailed& failure) {
      throw UserError(failure.what(), failure.help);
    } catch (const WorkerCrashed& crash) {
      throw UserError(std::string(crash.what()) + (crash.last_words.empty() ? "" : ":\n" + crash.last_words),
                      "`trl doctor` says what is missing here");
    }
  }

 private:
  const GenerateCommand& options_;
  contract::Sampling sampling_;
  Console& console_;
  Scratch scratch_;
  std::map<std::string, fs::path> inputs_;
  Cancellation cancellation_;
  WorkerProcess worker_;
  int round_ = 0;
};

/// Reads standard input line by line; signals interrupt the waiting.
class Lines {
 public:
  explicit Lines(const Interrupt& interrupt) : interrupt_(interrupt) {}

  /// The next line without its end; nothing at the end of the input. Throws Interrupted.
  std::optional<std::string> next() {
    for (;;) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      if (ended_) return buffer_.empty() ? std::nullopt : std::optional(std::exchange(buffer_, ""));
      read();
    }
  }

  std::string rest() {
    while (!ended_) read();
    return std::exchange(buffer_, "");
  }

 private:
  void read() {
    pollfd watched[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupt_.descriptor(), POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0 && errno != EINTR) throw UserError("standard input can't be read");
    if (watched[1].revents) throw Interrupted();
    if (!watched[0].revents) return;
    char block[4096];
    const auto count = ::read(STDIN_FILENO, block, sizeof block);
    if (count < 0 && errno != EINTR) throw UserError("standard input can't be read");
    if (count == 0) ended_ = true;
    if (count > 0) buffer_.append(block, static_cast<std::size_t>(count));
  }

  const Interrupt& interrupt_;
  std::string buffer_;
  bool ended_ = false;
};

/// Asks the user for prompts until the end of the input. Ctrl-C stops an answer; at the prompt it ends the
/// conversation.
void converse(Conversation& conversation, Interrupt& interrupt, Console& console) {
  console.err << "one line is one prompt; Ctrl-C stops an answer, Ctrl-D ends\n";
  Lines lines(interrupt);
  const Paint paint{console.colour};
  for (;;) {
    console.err << paint(bold, "> ") << std::flush;
    const auto line = lines.next();
    if (!line) break;
    if (line->find_first_not_of(" \t") == std::string::npos) continue;
    try {
      conversation.answer({*line});
    } catch (const Interrupted&) {
      if (!interrupt.forget()) throw;
      console.out << std::endl;
      console.err << "(stopped)\n";
    } catch (const UserError& error) {
      console.err << "error: " << error.what() << '\n';
      if (!error.help.empty()) console.err << "  help: " << error.help << '\n';
    }
  }
  console.err << '\n';
}

/// Returns the settings for sampling. Throws WrongUsage.
contract::Sampling sampling_of(const GenerateCommand& options) {
  const auto number = [](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end ? -1 : value;
  };
  contract::Sampling sampling;
  sampling.temperature = number(options.temperature);
  if (!(sampling.temperature >= 0) || sampling.temperature > 100)
    throw WrongUsage("--temperature is a number from 0 to 100, and not " + options.temperature,
                     "0 takes the likeliest token each time, 1 samples as the model was trained.");
  sampling.top_p = number(options.top_p);
  if (!(sampling.top_p > 0) || sampling.top_p > 1)
    throw WrongUsage("--top-p is a share above 0 and at most 1, and not " + options.top_p,
                     "0.95 leaves the least likely tokens out that together have 5 % of the probability.");
  for (const std::string& text : options.stop)
    if (text.empty()) throw WrongUsage("--stop is an empty text, which is in every answer", "Leave it out.");
  sampling.top_k = options.top_k;
  sampling.stop = options.stop;
  sampling.max_tokens = options.max_tokens;
  return sampling;
}

int generate(const GenerateCommand& options, Console& console) {
  check_kind(options);
  const auto sampling = sampling_of(options);
  Interrupt interrupt;
  Conversation conversation(options, sampling, interrupt, console);
  std::vector<std::string> prompts = options.prompts;
  if (prompts.empty() && ::isatty(STDIN_FILENO)) {
    converse(conversation, interrupt, console);
    return fine;
  }
  if (prompts.empty()) prompts = {"-"};
  for (std::string& prompt : prompts) {
    if (prompt != "-") continue;
    prompt = Lines(interrupt).rest();
    // The newline at the end, which editors and `echo` add, isn't part of the prompt.
    if (prompt.ends_with('\n')) prompt.pop_back();
  }
  conversation.answer(prompts);
  return fine;
}

}  // namespace

void add_generate(Command trl, Console& console, int& status) {
  auto options = std::make_shared<GenerateCommand>();
  auto command = trl.add_command("generate", "Sample a model's answers to prompts, for a first look at it");
  command
      .add_option(
          "MODEL", options->model,
          "A folder with config.json, model.safetensors and tokenizer.json; windtunnel.base; a name on "
          "Hugging Face; or the address of a server, http://HOST:PORT/v1")
      .required()
      .type_name("");
  command
      .add_option("PROMPT", options->prompts,
                  "Texts to answer; - for standard input. Without any, the lines that are typed are prompts, "
                  "or all of a "
                  "standard input that is no terminal is one")
      .type_name("");
  command.add_option("--name", options->name, "The model, as its server calls it").type_name("NAME");
  command.add_option("--key-env", options->key_env, "The environment variable that holds the server's key")
      .type_name("VARIABLE");
  command
      .add_option(
          "--adapter", options->adapter,
          "A folder with adapter_config.json and adapter_model.safetensors, as PEFT and `trl export adapter` "
          "write them")
      .type_name("DIR");
  command.add_option("--samples", options->samples, "Answers to each prompt; by default 1").within(1, 64);
  command
      .add_option("--temperature", options->temperature,
                  "0 takes the likeliest token each time; by default 0.7")
      .type_name("T");
  command.add_option("--top-k", options->top_k, "Draw among the K likeliest tokens alone; by default all")
      .within(0, 10000000);
  command
      .add_option("--top-p", options->top_p,
                  "Draw among the likeliest tokens that together have this share of the probability; by "
                  "default 1")
      .type_name("P");
  command
      .add_option("--stop", options->stop,
                  "A text that ends an answer, and is no part of it. May be repeated")
      .type_name("TEXT")
      .repeatable();
  command.add_option("--max-tokens", options->max_tokens, "Tokens of an answer, at most; by default 256")
      .within(1, 1 << 20);
  command.add_option("--seed", options->seed, "Of the draws; by default 1").within(0, 1 << 30);
  command.add_flag("--raw", options->raw,
                   "Go on from the prompt as it is, without the form in which the model is asked");
  add_device(command, options->device);
  command.add_option("--precision", options->precision, "Of matrix products on a GPU; by default bf16")
      .one_of({"bf16", "f32"});
  std::vector<std::string> storages;
  for (const auto& storage : matrix_storages()) storages.emplace_back(storage.name);
  command
      .add_option("--quantize", options->quantize,
                  "How the matrices of the model's layers are stored; by default none")
      .one_of(storages);
  command.add_option("--threads", options->threads, "Threads of the worker; by default all cores")
      .within(1, 1024);
  command.add_flag("--json", options->as_json,
                   "A line of JSON for each answer: prompt, sample, text, finish");
  add_examples(command,
               "  trl generate windtunnel.base\n"
               "  trl generate ./coder 'Write relu in Triton.' --samples 3 --device cuda\n"
               "  trl generate ./coder --raw <prefix.py\n"
               "  trl generate http://localhost:8000/v1 --name qwen 'Write relu in Triton.'",
               "0 fine, 1 errors, 2 wrong usage, 130 stopped by Ctrl-C");
  command.callback([options, &console, &status] { status = generate(*options, console); });
}

}  // namespace trl::interpreter
