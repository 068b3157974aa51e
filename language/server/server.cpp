#include "language/server/server.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/support/json_text.hpp"
#include "language/server/diagnostics.hpp"
#include "language/server/feature.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

using nlohmann::json;

std::string text_at(const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string())
    throw InvalidParams("`" + std::string(key) + "` is missing or no text");
  return at->get<std::string>();
}

const json& object_at(const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_object())
    throw InvalidParams("`" + std::string(key) + "` is missing or no object");
  return *at;
}

std::int64_t version_at(const json& document) {
  const auto at = document.find("version");
  return at != document.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

const Feature* feature_of(const std::string& method) {
  for (const Feature* feature : all_features())
    if (feature->method == method) return feature;
  return nullptr;
}

}  // namespace

Server::Server(World world, std::string version, Send send)
    : session_(std::move(world)), version_(std::move(version)), send_(std::move(send)) {}

void Server::fail(const json& id, int code, const std::string& message) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::receive_text(std::string_view text) {
  const json message = json::parse(text, nullptr, false);
  if (message.is_discarded())
    return fail(nullptr, static_cast<int>(ErrorCode::parse_error), "the message is not JSON");
  receive(message);
}

void Server::receive(const json& message) {
  if (message.is_array() && !message.empty()) {
    for (const json& one : message) receive(one);
    return;
  }
  const json none;
  const json& id = message.is_object() && message.contains("id") ? message["id"] : none;
  const bool named = id.is_string() || id.is_number_integer();
  if (!message.is_object() || message.value("jsonrpc", json()) != "2.0" ||
      (message.contains("id") && !named && !id.is_null()))
    return fail(named ? id : none, static_cast<int>(ErrorCode::invalid_request),
                "this is no message of JSON-RPC 2.0");
  if (!message.contains("method")) {
    // The message is the client's reply to one of the server's requests; none of these replies needs any
    // action.
    if (message.contains("result") || message.contains("error")) return;
    return fail(id, static_cast<int>(ErrorCode::invalid_request), "the message has no method");
  }
  if (!message["method"].is_string())
    return fail(id, static_cast<int>(ErrorCode::invalid_request), "the method is no text");
  const std::string method = message["method"];
  const json params = message.contains("params") ? message["params"] : json::object();
  try {
    if (!params.is_object() && !params.is_array() && !params.is_null())
      throw RequestError(ErrorCode::invalid_request, "the parameters are neither an object nor a list");
    if (message.contains("id"))
      send_({{"jsonrpc", "2.0"},
             {"id", id},
             {"result", answer(method, params.is_object() ? params : json::object())}});
    else
      notified(method, params.is_object() ? params : json::object());
  } catch (const RequestError& error) {
    if (message.contains("id")) fail(id, static_cast<int>(error.code), error.what());
  } catch (const json::exception& error) {
    // A parameter has another type than the protocol says.
    if (message.contains("id")) fail(id, static_cast<int>(ErrorCode::invalid_params), error.what());
  } catch (const std::exception& error) {
    if (message.contains("id")) fail(id, static_cast<int>(ErrorCode::internal_error), error.what());
  }
}

void Server::cancel(const json& id) {
  fail(id, static_cast<int>(ErrorCode::request_cancelled), "the request was cancelled");
}

json Server::initialize(const json& params) {
  if (initialized_) throw RequestError(ErrorCode::invalid_request, "`initialize` is sent once");
  if (params.contains("capabilities") && params["capabilities"].is_object())
    session_.client = params["capabilities"];
  const json& encodings = session_.capability("general/positionEncodings");
  if (encodings.is_array())
    for (const json& one : encodings)
      if (const auto encoding =
              one.is_string() ? encoding_of(one.get_ref<const std::string&>()) : std::nullopt) {
        session_.encoding = *encoding;
        break;
      }
  const auto add_folder = [&](const json& uri) {
    if (const auto path = uri.is_string() ? path_of(uri.get_ref<const std::string&>()) : std::nullopt)
      session_.folders.push_back(*path);
  };
  if (params.contains("workspaceFolders") && params["workspaceFolders"].is_array()) {
    for (const json& folder : params["workspaceFolders"])
      if (folder.is_object() && folder.contains("uri")) add_folder(folder["uri"]);
  } else if (params.contains("rootUri")) {
    add_folder(params["rootUri"]);
  }
  json capabilities = {{"positionEncoding", to_string(session_.encoding)},
                       {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", false}}},
                       {"workspace",
                        {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}},
                         {"textDocumentContent", {{"schemes", {"trl"}}}}}}};
  for (const Feature* feature : all_features())
    if (!feature->capability.empty())
      capabilities[std::string(feature->capability)] =
          feature->options != nullptr ? feature->options() : json(true);
  initialized_ = true;
  return {{"capabilities", capabilities}, {"serverInfo", {{"name", "trl"}, {"version", version_}}}};
}

json Server::answer(const std::string& method, const json& params) {
  if (method == "initialize") return initialize(params);
  if (!initialized_) throw RequestError(ErrorCode::server_not_initialized, "`initialize` comes first");
  if (shut_down_) throw RequestError(ErrorCode::invalid_request, "the server was shut down");
  if (method == "shutdown") {
    shut_down_ = true;
    return nullptr;
  }
  const Feature* feature = feature_of(method);
  if (feature == nullptr)
    throw RequestError(ErrorCode::method_not_found, "there is no method `" + method + "`");
  return feature->answer(session_, params);
}

void Server::all_changed() {
  for (const auto& [uri, document] : session_.documents()) changed_.insert(uri);
}

void Server::notified(const std::string& method, const json& params) {
  if (method == "exit") {
    exited_ = true;
    return;
  }
  if (!initialized_ || shut_down_) return;
  if (method == "textDocument/didOpen") {
    const json& document = object_at(params, "textDocument");
    const std::string uri = text_at(document, "uri");
    // A document with another scheme, such as `untitled:`, is named by its address.
    session_.open(Document(uri, path_of(uri).value_or(uri), version_at(document), text_at(document, "text")));
    all_changed();
  } else if (method == "textDocument/didChange") {
    const json& document = object_at(params, "textDocument");
    if (!params.contains("contentChanges")) throw InvalidParams("`contentChanges` is missing");
    session_.change(text_at(document, "uri"), version_at(document), params["contentChanges"]);
    all_changed();
  } else if (method == "textDocument/didClose") {
    const std::string uri = text_at(object_at(params, "textDocument"), "uri");
    session_.close(uri);
    shown_.erase(uri);
    send_({{"jsonrpc", "2.0"},
           {"method", "textDocument/publishDiagnostics"},
           {"params", {{"uri", uri}, {"diagnostics", json::array()}}}});
    changed_.erase(uri);
    all_changed();
  } else if (method == "workspace/didChangeWatchedFiles") {
    if (!params.contains("changes") || !params["changes"].is_array())
      throw InvalidParams("`changes` is a list");
    for (const json& change : params["changes"])
      if (change.is_object() && change.contains("uri") && change["uri"].is_string())
        if (const auto path = path_of(change["uri"].get_ref<const std::string&>()))
          session_.file_changed(*path);
    all_changed();
  } else if (method == "workspace/didChangeWorkspaceFolders") {
    const json& event = object_at(params, "event");
    for (const char* key : {"removed", "added"}) {
      if (!event.contains(key) || !event[key].is_array()) continue;
      for (const json& folder : event[key]) {
        const auto path = folder.is_object() && folder.contains("uri") && folder["uri"].is_string()
                              ? path_of(folder["uri"].get_ref<const std::string&>())
                              : std::nullopt;
        if (!path) continue;
        std::erase(session_.folders, *path);
        if (std::string_view(key) == "added") session_.folders.push_back(*path);
        session_.file_changed(*path);
      }
    }
  } else if (method == "initialized") {
    // The client is asked to report files that change outside of the editor, if it supports that.
    if (session_.capability("workspace/didChangeWatchedFiles/dynamicRegistration") == true)
      send_({{"jsonrpc", "2.0"},
             {"id", "watch"},
             {"method", "client/registerCapability"},
             {"params",
              {{"registrations",
                json::array({{{"id", "watch"},
                              {"method", "workspace/didChangeWatchedFiles"},
                              {"registerOptions",
                               {{"watchers", json::array({{{"globPattern", "**/*.trl"}}})}}}}})}}}});
  }
}

void Server::settle() {
  if (changed_.empty()) {
    // Slow questions are answered one by one, so that messages that arrive in between are handled first. When
    // a text changes, its questions disappear with its analysis.
    if (const std::string uri = session_.answer_next(); !uri.empty()) changed_.insert(uri);
    return;
  }
  changed_.clear();
  std::map<std::string, json> all;
  for (const auto& [uri, document] : session_.documents())
    for (auto& [of, found] : diagnostics_of(session_, document)) {
      json& list = all.emplace(of, json::array()).first->second;
      // Two programs that import the same file have the same findings in it.
      for (json& one : found)
        if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
    }
  for (const std::string& before : published_)
    if (!all.contains(before)) all.emplace(before, json::array());
  published_.clear();
  for (const auto& [uri, found] : all) {
    json params = {{"uri", uri}, {"diagnostics", found}};
    const auto open = session_.documents().find(uri);
    if (open != session_.documents().end())
      params["version"] = open->second.version();
    else if (!found.empty())
      published_.insert(uri);
    if (const auto before = shown_.find(uri); before != shown_.end() && before->second == params) continue;
    shown_[uri] = params;
    send_({{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", params}});
  }
}

}  // namespace trl::language_server
