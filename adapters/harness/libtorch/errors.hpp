// How a program can fail, and which of the specification's kinds a failure of libtorch is.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <c10/util/Exception.h>

#include "json.hpp"

namespace harness {

/// libtorch, or this harness, lacks what the program needs. No fault.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program's own `stop("...")`.
struct ProgramStop : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program itself went wrong, such as calling what is no function: no refusal by libtorch.
struct Broken : std::runtime_error {
  Broken(std::string type, const std::string& message) : std::runtime_error(message), type(std::move(type)) {}
  std::string type;
};

/// An exception of this type ("" for any) whose message matches is a refusal of this kind.
struct RuleRow {
  const char *kind, *type, *pattern;
};

/// The rules of the adapter for PyTorch. Written into the build from adapters/torch_engine.py, so that
/// the two cannot differ.
std::vector<RuleRow> pytorch_rules();

struct Failure {
  std::string kind, type, message;
};

/// What an exception means. One that is Unsupported, or tells of malformed JSON, is thrown on.
Failure describe_failure(const std::exception_ptr& error);

struct Notice {
  std::string kind, type, message;
};

/// Takes the rules for errors and warnings from the kinds that the hello lists.
void learn_rules(const Json& kinds);

Notice describe_warning(const c10::Warning& warning);

}  // namespace harness
