// Classes of the program that derive from autograd.Function.
#pragma once

#include <string>
#include <unordered_map>

#include "value.hpp"

namespace harness {

/// The word `autograd.Function` itself.
struct FunctionBase : Object {
  std::string type_name() const override { return "type"; }
};

Value make_function_class(std::string name, std::unordered_map<std::string, Value> members);

}  // namespace harness
