// What stands after a dot.
#pragma once

#include <string>

#include "value.hpp"

namespace harness {

Value get_attribute(const Value& owner, const std::string& name);
void set_attribute(const Value& owner, const std::string& name, const Value& value);
void delete_attribute(const Value& owner, const std::string& name);
Value call_method(const Value& owner, const std::string& name, Arguments arguments);

}  // namespace harness
