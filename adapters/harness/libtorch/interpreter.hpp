// Walks the tree of a program.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "json.hpp"
#include "value.hpp"

namespace harness {

/// The variables of one function, with those around it.
struct Scope {
  explicit Scope(std::shared_ptr<Scope> outer) : outer(std::move(outer)) {}

  std::unordered_map<std::string, Value> names;
  std::shared_ptr<Scope> outer;
};

/// What one run reports.
class Session {
 public:
  explicit Session(const Json& program) : program_(program) {}

  /// Runs the program and returns the answer, without its number.
  Json::Object run();

  Json::Array observed;
  Json::Array traces;
  int64_t line = 0;
  std::vector<Json::Array*> recorders;  // innermost `record` block last

  std::shared_ptr<Scope> new_scope(std::shared_ptr<Scope> outer);

 private:
  Json how_it_ended();

  const Json& program_;
  std::vector<std::weak_ptr<Scope>> scopes_;
};

/// The one program that runs now.
Session& current_session();

/// A function or lambda of the program.
Value make_closure(const Json& definition, std::shared_ptr<Scope> scope);

}  // namespace harness
