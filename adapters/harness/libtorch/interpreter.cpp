#include "interpreter.hpp"

#include <chrono>
#include <thread>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/InferenceMode.h>

#include "custom_function.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "indexing.hpp"
#include "members.hpp"
#include "operations.hpp"
#include "words.hpp"

namespace harness {

namespace {

Session* session = nullptr;

enum class Flow { next, returned };

/// Collects the warnings of libtorch for the innermost `record` block of the program.
struct WarningCollector : c10::WarningHandler {
  void process(const c10::Warning& warning) override {
    if (session->recorders.empty()) return;
    Notice notice = describe_warning(warning);
    session->recorders.back()->emplace_back(
        Json::Object{{"kind", notice.kind}, {"type", notice.type}, {"message", notice.message}});
  }
};

/// Runs the statements of one function, or of the top level, in its scope.
class Walker {
 public:
  explicit Walker(std::shared_ptr<Scope> scope) : scope_(std::move(scope)) {}

  Flow block(const Json& statements) {
    for (const Json& statement : statements.array())
      if (this->statement(statement) == Flow::returned) return Flow::returned;
    return Flow::next;
  }

  Value expression(const Json& node);
  Value take_returned() { return std::move(returned_); }
  void assign(const Json& target, Value value);

 private:
  using StatementRule = Flow (Walker::*)(const Json&);
  using ExpressionRule = Value (Walker::*)(const Json&);

  Flow statement(const Json& node);

  Flow do_assign(const Json& node);
  Flow do_update(const Json& node);
  Flow do_evaluate(const Json& node);
  Flow do_observe(const Json& node);
  Flow do_attempt(const Json& node);
  Flow do_record(const Json& node);
  Flow do_within(const Json& node);
  Flow do_thread(const Json& node);
  Flow do_define(const Json& node);
  Flow do_class(const Json& node);
  Flow do_return(const Json& node);
  Flow do_for(const Json& node);
  Flow do_if(const Json& node);
  Flow do_delete(const Json& node);
  Flow do_pass(const Json&) { return Flow::next; }

  Value plain_number(const Json& node);
  Value name(const Json& node);
  Value call(const Json& node);
  Value method(const Json& node);
  Value slice(const Json& node);
  Value dict(const Json& node);
  Value trace(Arguments arguments);

  Value optional(const Json& node) { return node.is_null() ? Value() : expression(node); }
  std::vector<Value> items(const Json& nodes);
  Arguments arguments(const Json& node);
  void erase(const Json& target);

  std::shared_ptr<Scope> scope_;
  Value returned_;
};

/// Counts the calls that a call lies within, so that one that never ends does not end the stack.
struct Nesting {
  Nesting() {
    if (depth == kMaxNesting) throw Broken("RecursionError", "the program calls itself without end");
    ++depth;
  }
  ~Nesting() { --depth; }

  static constexpr int kMaxNesting = 400;
  static thread_local int depth;
};

thread_local int Nesting::depth = 0;

/// A function of the program, which keeps the variables around it alive.
struct Closure : Object {
  Closure(const Json& definition, std::shared_ptr<Scope> scope) : definition(definition), scope(std::move(scope)) {
    for (const Json& parameter : definition["parameters"].array())  // defaults are worked out once, as in Python
      defaults.push_back(parameter["default"].is_null() ? Value()
                                                        : Walker(this->scope).expression(parameter["default"]));
  }

  std::string type_name() const override { return "function"; }

  Value call(Arguments given) override {
    Nesting nesting;
    auto inner = session->new_scope(scope);
    bind(std::move(given), *inner);
    Walker walker(std::move(inner));
    const Json& body = definition["body"];
    if (body.is_object()) return walker.expression(body);  // a lambda's
    walker.block(body);
    return walker.take_returned();
  }

  void bind(Arguments given, Scope& inner) {
    size_t place = 0, index = 0;
    for (const Json& parameter : definition["parameters"].array()) {
      const std::string& name = parameter["name"].text();
      const std::string& sort = parameter["sort"].text();
      Value& target = inner.names[name];
      const Value& fallback = defaults[index++];
      if (sort == "rest") {
        auto first = given.positional.begin() + static_cast<std::ptrdiff_t>(std::min(place, given.positional.size()));
        target = Value::tuple({first, given.positional.end()});
        place = given.positional.size();
      } else if (sort == "keywords") {
        auto collected = std::make_shared<Dict>();
        for (auto& [key, value] : given.keywords) collected->items.emplace_back(Value(key), std::move(value));
        given.keywords.clear();
        target = Value(std::move(collected));
      } else if (sort == "plain" && place < given.positional.size()) {
        target = std::move(given.positional[place++]);
      } else if (!given.take_keyword(name, target)) {
        if (parameter["default"].is_null()) throw Broken("TypeError", "the argument " + name + " is missing");
        target = fallback;
      }
    }
    if (place < given.positional.size() || !given.keywords.empty())
      throw Broken("TypeError", "a function of the program was called with too many arguments");
  }

  const Json& definition;
  std::shared_ptr<Scope> scope;
  std::vector<Value> defaults;
};

// --- statements ---

Flow Walker::statement(const Json& node) {
  static const std::unordered_map<std::string, StatementRule> rules = {
      {"assign", &Walker::do_assign},   {"update", &Walker::do_update}, {"evaluate", &Walker::do_evaluate},
      {"observe", &Walker::do_observe}, {"attempt", &Walker::do_attempt}, {"record", &Walker::do_record},
      {"within", &Walker::do_within},   {"thread", &Walker::do_thread}, {"define", &Walker::do_define},
      {"class", &Walker::do_class},     {"return", &Walker::do_return}, {"for", &Walker::do_for},
      {"if", &Walker::do_if},           {"delete", &Walker::do_delete}, {"pass", &Walker::do_pass},
  };
  auto rule = rules.find(node["do"].text());
  if (rule == rules.end()) throw Unsupported("the statement " + node["do"].text());
  // Not put back when an exception passes, so that it then tells where the exception came from.
  int64_t before = std::exchange(session->line, node["line"].integer());
  Flow flow = (this->*rule->second)(node);
  session->line = before;
  return flow;
}

Flow Walker::do_assign(const Json& node) {
  Value value = expression(node["value"]);
  for (const Json& target : node["to"].array()) assign(target, value);
  return Flow::next;
}

Flow Walker::do_update(const Json& node) {
  const Json& target = node["to"];
  const std::string& symbol = node["operator"].text();
  const std::string& form = target["is"].text();
  if (form == "attribute") {
    Value owner = expression(target["of"]);
    const std::string& name = target["name"].text();
    Value before = get_attribute(owner, name);
    set_attribute(owner, name, update(symbol, before, expression(node["value"])));
  } else if (form == "index") {
    Value owner = expression(target["of"]);
    Value index = expression(target["at"]);
    Value before = get_item(owner, index);
    set_item(owner, index, update(symbol, before, expression(node["value"])));
  } else {
    Value before = expression(target);
    assign(target, update(symbol, before, expression(node["value"])));
  }
  return Flow::next;
}

Flow Walker::do_evaluate(const Json& node) {
  expression(node["value"]);
  return Flow::next;
}

Flow Walker::do_observe(const Json& node) {
  Json::Array seen;
  for (const Value& value : items(node["values"])) seen.push_back(describe(value));
  Json reported = seen.size() == 1 ? std::move(seen.front()) : Json(Json::Object{{"pair", Json(std::move(seen))}});
  session->observed.emplace_back(Json::Array{node["observation"], std::move(reported)});
  return Flow::next;
}

Flow Walker::do_attempt(const Json& node) {
  Json::Object ended;
  Flow flow = Flow::next;
  try {
    flow = block(node["body"]);
    ended = {{"how", "normally"}};
  } catch (...) {
    Failure failure = describe_failure(std::current_exception());
    ended = {{"how", "refused"}, {"kind", failure.kind}, {"type", failure.type}, {"message", failure.message}};
  }
  Json reported(Json::Object{{"ended", Json(std::move(ended))}});
  session->observed.emplace_back(Json::Array{node["observation"], std::move(reported)});
  return flow;
}

Flow Walker::do_record(const Json& node) {
  Json::Array warnings;
  struct Recording {
    explicit Recording(Json::Array* into) { session->recorders.push_back(into); }
    ~Recording() { session->recorders.pop_back(); }
  };
  Flow flow;
  {
    Recording recording(&warnings);
    flow = block(node["body"]);
  }
  Json reported(Json::Object{{"warnings", Json(std::move(warnings))}});
  session->observed.emplace_back(Json::Array{node["observation"], std::move(reported)});
  return flow;
}

Flow Walker::do_within(const Json& node) {
  std::vector<std::unique_ptr<Guard>> guards;
  struct Unwinding {  // the innermost context ends first; a vector destroys in no promised order
    std::vector<std::unique_ptr<Guard>>& guards;
    ~Unwinding() {
      while (!guards.empty()) guards.pop_back();
    }
  } unwinding{guards};
  for (const Json& item : node["contexts"].array()) {
    const Json& made = item["context"];
    auto context = expression(made).object<Context>();
    if (!context) throw Unsupported("such a context");
    guards.push_back(context->enter());
    if (!item["as"].is_null()) assign(item["as"], Value());
  }
  return block(node["body"]);
}

Flow Walker::do_thread(const Json& node) {
  std::exception_ptr raised;
  std::thread thread([&] {
    WarningCollector collector;
    c10::WarningUtils::WarningHandlerGuard collecting(&collector);
    try {
      block(node["body"]);
    } catch (...) {
      raised = std::current_exception();
    }
  });
  thread.join();
  if (raised) std::rethrow_exception(raised);
  return Flow::next;
}

Flow Walker::do_define(const Json& node) {
  if (node["generator"].boolean()) throw Unsupported("generators");
  Value function = make_closure(node, scope_);
  const auto& decorators = node["decorators"].array();
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    if ((*decorator)["is"].text() == "name" && (*decorator)["name"].text() == "staticmethod") continue;
    function = call_value(expression(*decorator), {function});
  }
  scope_->names[node["name"].text()] = function;
  return Flow::next;
}

Flow Walker::do_class(const Json& node) {
  const auto& bases = node["bases"].array();
  if (bases.size() != 1 || !expression(bases.front()).object<FunctionBase>()) throw Unsupported("such a class");
  auto members = session->new_scope(scope_);
  Walker inner(members);
  inner.block(node["body"]);
  const std::string& name = node["name"].text();
  scope_->names[name] = make_function_class(name, std::move(members->names));
  return Flow::next;
}

Flow Walker::do_return(const Json& node) {
  returned_ = optional(node["value"]);
  return Flow::returned;
}

Flow Walker::do_for(const Json& node) {
  for (Value& item : iterate(expression(node["in"]))) {
    assign(node["each"], std::move(item));
    if (block(node["body"]) == Flow::returned) return Flow::returned;
  }
  return Flow::next;
}

Flow Walker::do_if(const Json& node) {
  return block(truth(expression(node["test"])) ? node["then"] : node["else"]);
}

Flow Walker::do_delete(const Json& node) {
  for (const Json& target : node["targets"].array()) erase(target);
  return Flow::next;
}

void Walker::assign(const Json& target, Value value) {
  const std::string& form = target["is"].text();
  if (form == "name") {
    scope_->names[target["name"].text()] = std::move(value);
  } else if (form == "attribute") {
    set_attribute(expression(target["of"]), target["name"].text(), value);
  } else if (form == "index") {
    Value owner = expression(target["of"]);
    set_item(owner, expression(target["at"]), value);
  } else if (form == "tuple" || form == "list") {
    const auto& parts = target["items"].array();
    std::vector<Value> values = iterate(value);
    if (values.size() != parts.size()) throw Broken("ValueError", "the number of values to unpack does not fit");
    for (size_t i = 0; i < parts.size(); ++i) assign(parts[i], std::move(values[i]));
  } else {
    throw Unsupported("assigning to a " + form);
  }
}

void Walker::erase(const Json& target) {
  const std::string& form = target["is"].text();
  if (form == "name") {
    if (scope_->names.erase(target["name"].text()) == 0)
      throw Broken("NameError", "the name " + target["name"].text() + " is not bound");
  } else if (form == "attribute") {
    delete_attribute(expression(target["of"]), target["name"].text());
  } else if (form == "index") {
    Value owner = expression(target["of"]);
    delete_item(owner, expression(target["at"]));
  } else {
    for (const Json& part : target["items"].array()) erase(part);
  }
}

// --- expressions ---

Value Walker::expression(const Json& node) {
  static const std::unordered_map<std::string, ExpressionRule> rules = {
      {"float", &Walker::plain_number}, {"complex", &Walker::plain_number},
      {"name", &Walker::name},          {"call", &Walker::call},
      {"method", &Walker::method},      {"slice", &Walker::slice},
      {"dict", &Walker::dict},
  };
  const std::string& form = node["is"].text();
  if (auto rule = rules.find(form); rule != rules.end()) return (this->*rule->second)(node);
  if (form == "none") return {};
  if (form == "bool") return Value(node["value"].boolean());
  if (form == "int") return Value(node["value"].integer());
  if (form == "string") return Value(node["value"].text());
  if (form == "ellipsis") return Value(std::make_shared<EllipsisMark>());
  if (form == "word") return find_word(node["word"].text());
  if (form == "attribute") return get_attribute(expression(node["of"]), node["name"].text());
  if (form == "list") return Value::list(items(node["items"]));
  if (form == "tuple") return Value::tuple(items(node["items"]));
  if (form == "unary") return unary(node["operator"].text(), expression(node["of"]));
  if (form == "choice") return expression(truth(expression(node["test"])) ? node["then"] : node["else"]);
  if (form == "lambda") return make_closure(node, scope_);
  if (form == "index") {
    Value owner = expression(node["of"]);
    return get_item(owner, expression(node["at"]));
  }
  if (form == "binary" || form == "compare") {
    Value left = expression(node["left"]);
    Value right = expression(node["right"]);
    const std::string& symbol = node["operator"].text();
    return form == "binary" ? binary(symbol, left, right) : compare(symbol, left, right);
  }
  throw Unsupported("the expression " + form);
}

Value Walker::plain_number(const Json& node) {
  const Json& value = node["value"];
  if (node["is"].text() == "float") return Value(value.number());
  return Value(Complex(value.array().at(0).number(), value.array().at(1).number()));
}

Value Walker::name(const Json& node) {
  const std::string& wanted = node["name"].text();
  for (const Scope* scope = scope_.get(); scope; scope = scope->outer.get())
    if (auto found = scope->names.find(wanted); found != scope->names.end()) return found->second;
  throw Broken("NameError", "the name " + wanted + " is not bound");
}

Value Walker::call(const Json& node) {
  const Json& function = node["of"];
  if (function["is"].text() == "word") {
    const std::string& word = function["word"].text();
    if (word == "trace") return trace(arguments(node));
    if (word == "traced") {
      std::vector<Value> traces;
      for (const Json& trace : session->traces) traces.emplace_back(std::make_shared<Described>(trace));
      return Value::list(std::move(traces));
    }
  }
  Value callee = expression(function);
  return call_value(callee, arguments(node));
}

Value Walker::method(const Json& node) {
  Value owner = expression(node["of"]);
  return call_method(owner, node["name"].text(), arguments(node));
}

Value Walker::slice(const Json& node) {
  return Value(std::make_shared<Slice>(optional(node["from"]), optional(node["to"]), optional(node["step"])));
}

Value Walker::dict(const Json& node) {
  Value made(std::make_shared<Dict>());
  for (const Json& pair : node["items"].array()) {
    Value key = expression(pair.array().at(0));
    set_item(made, key, expression(pair.array().at(1)));
  }
  return made;
}

Value Walker::trace(Arguments given) {
  Json::Array entry;
  for (const Value& value : given.positional) entry.push_back(describe(value));
  if (entry.size() == 1) session->traces.push_back(std::move(entry.front()));
  else session->traces.emplace_back(Json::Object{{"tuple", Json(std::move(entry))}});
  return {};
}

std::vector<Value> Walker::items(const Json& nodes) {
  std::vector<Value> found;
  for (const Json& node : nodes.array()) {
    if (node["is"].text() != "starred") {
      found.push_back(expression(node));
      continue;
    }
    for (Value& item : iterate(expression(node["of"]))) found.push_back(std::move(item));
  }
  return found;
}

Arguments Walker::arguments(const Json& node) {
  Arguments found{items(node["args"]), {}};
  for (const auto& [keyword, value] : node["keywords"].object()) found.keywords.emplace_back(keyword, expression(value));
  if (node["unpacked"].is_null()) return found;
  for (const Json& unpacked : node["unpacked"].array()) {
    Value options = expression(unpacked);
    const auto* dict = options.get<std::shared_ptr<Dict>>();
    if (!dict) throw Broken("TypeError", "what ** unpacks must be a dict");
    for (const auto& [keyword, value] : (*dict)->items) found.keywords.emplace_back(to_text(keyword), value);
  }
  return found;
}

}  // namespace

// --- a whole run ---

Session& current_session() { return *session; }

Value make_closure(const Json& definition, std::shared_ptr<Scope> scope) {
  return Value(std::make_shared<Closure>(definition, std::move(scope)));
}

std::shared_ptr<Scope> Session::new_scope(std::shared_ptr<Scope> outer) {
  auto made = std::make_shared<Scope>(std::move(outer));
  scopes_.push_back(made);
  return made;
}

Json Session::how_it_ended() {
  try {
    for (const Json& word : program_["words"].array()) find_word(word.text());
    WarningCollector collector;
    c10::WarningUtils::WarningHandlerGuard collecting(&collector);
    Walker(new_scope(nullptr)).block(program_["body"]);
    return Json(Json::Object{{"how", "finished"}});
  } catch (const Unsupported& lacking) {
    return Json(Json::Object{{"how", "unsupported"}, {"message", lacking.what()}, {"line", line}});
  } catch (const c10::NotImplementedError& lacking) {  // outside of any block that expects it
    return Json(Json::Object{{"how", "unsupported"}, {"message", lacking.what_without_backtrace()}, {"line", line}});
  } catch (...) {
    try {
      Failure failure = describe_failure(std::current_exception());
      return Json(Json::Object{{"how", "error"},
                               {"kind", failure.kind},
                               {"type", failure.type},
                               {"message", failure.message},
                               {"line", line}});
    } catch (const Unsupported& lacking) {
      return Json(Json::Object{{"how", "unsupported"}, {"message", lacking.what()}, {"line", line}});
    }
  }
}

Json::Object Session::run() {
  session = this;
  at::GradMode::set_enabled(true);
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(at::kFloat));
  at::manual_seed(c10::default_rng_seed_val);  // what is random does not depend on the programs before
  auto begun = std::chrono::steady_clock::now();
  Json end = how_it_ended();
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  at::GradMode::set_enabled(true);
  // A closure holds its scope and the scope the closure; what the program leaves behind ends here.
  for (const auto& scope : scopes_)
    if (auto left = scope.lock()) left->names.clear();
  session = nullptr;
  return {{"observed", Json(std::move(observed))}, {"end", std::move(end)}, {"seconds", seconds.count()}};
}

}  // namespace harness
