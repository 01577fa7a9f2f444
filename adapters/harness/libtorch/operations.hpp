// Every ATen operation by its name, through libtorch's own table of schemas.
#pragma once

#include <string>

#include "value.hpp"

namespace harness {

bool has_operation(const std::string& name);

/// Calls the overload of `aten::name` whose schema the arguments fit best.
/// Throws Unsupported when there is none: in C++ such a call would not compile.
Value call_operation(const std::string& name, Arguments arguments);
Value call_operation(const std::string& name, std::vector<Value> positional);

/// Python's operators, on tensors and on plain numbers.
Value binary(const std::string& symbol, const Value& left, const Value& right);
Value update(const std::string& symbol, const Value& target, const Value& operand);
Value unary(const std::string& symbol, const Value& operand);
Value compare(const std::string& symbol, const Value& left, const Value& right);

}  // namespace harness
