// `x[...]`, read and written.
#pragma once

#include "value.hpp"

namespace harness {

Value get_item(const Value& owner, const Value& index);
void set_item(const Value& owner, const Value& index, const Value& value);
void delete_item(const Value& owner, const Value& index);

/// A tensor from nested lists of plain numbers, as torch::tensor makes it.
at::Tensor tensor_of(const Value& nested, std::optional<at::ScalarType> dtype);

}  // namespace harness
