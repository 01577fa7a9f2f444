// Values as the protocol writes them.
#pragma once

#include "json.hpp"
#include "value.hpp"

namespace harness {

Json describe(const Value& value);
std::string dtype_name(at::ScalarType dtype);

/// A value that was described when it was noted, such as the entries of `traced()`.
struct Described : Object {
  explicit Described(Json plain) : plain(std::move(plain)) {}
  std::string type_name() const override { return "list"; }

  Json plain;
};

}  // namespace harness
