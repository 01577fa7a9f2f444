#include "indexing.hpp"

#include <ATen/Functions.h>
#include <ATen/TensorIndexing.h>

#include "errors.hpp"
#include "operations.hpp"

namespace harness {

namespace {

using at::indexing::TensorIndex;

std::optional<c10::SymInt> bound(const Value& value) {
  if (value.is_none()) return std::nullopt;
  return c10::SymInt(to_int(value));
}

TensorIndex tensor_index(const Value& value) {
  if (value.is_none()) return TensorIndex(at::indexing::None);
  if (const auto* found = value.get<bool>()) return TensorIndex(*found);
  if (const auto* found = value.get<int64_t>()) return TensorIndex(*found);
  if (const auto* found = value.tensor()) return TensorIndex(*found);
  if (value.object<EllipsisMark>()) return TensorIndex(at::indexing::Ellipsis);
  if (auto slice = value.object<Slice>())
    return TensorIndex(at::indexing::Slice(bound(slice->from), bound(slice->to), bound(slice->step)));
  if (value.get<std::shared_ptr<List>>()) {
    bool empty = value.items()->empty();  // whose dtype would be that of floats
    return TensorIndex(tensor_of(value, empty ? std::optional(at::kLong) : std::nullopt));
  }
  throw Unsupported("an index of type " + value.type_name());
}

std::vector<TensorIndex> tensor_indices(const Value& index) {
  std::vector<TensorIndex> found;
  if (const auto* tuple = index.get<std::shared_ptr<Tuple>>()) {
    for (const Value& part : (*tuple)->items) found.push_back(tensor_index(part));
  } else {
    found.push_back(tensor_index(index));
  }
  return found;
}

size_t place_in(const std::vector<Value>& items, const Value& index) {
  if (index.tensor() && !at::isIntegralType(index.tensor()->scalar_type(), false))
    throw Unsupported("a list indexed by a tensor of floats");
  int64_t place = to_int(index);
  auto length = static_cast<int64_t>(items.size());
  if (place < 0) place += length;
  if (place < 0 || place >= length) throw Broken("IndexError", "list index out of range");
  return static_cast<size_t>(place);
}

Value sliced(const Value& owner, const Slice& slice) {
  const auto& items = *owner.items();
  auto length = static_cast<int64_t>(items.size());
  auto clip = [&](const Value& value, int64_t fallback) {
    if (value.is_none()) return fallback;
    int64_t place = to_int(value);
    if (place < 0) place += length;
    return std::clamp<int64_t>(place, 0, length);
  };
  int64_t step = slice.step.is_none() ? 1 : to_int(slice.step);
  std::vector<Value> found;
  if (step > 0) {
    for (int64_t i = clip(slice.from, 0); i < clip(slice.to, length); i += step) found.push_back(items[i]);
  } else if (step < 0 && slice.from.is_none() && slice.to.is_none()) {
    for (int64_t i = length - 1; i >= 0; i += step) found.push_back(items[i]);
  } else {
    throw Unsupported("such a slice of a list");
  }
  return owner.get<std::shared_ptr<List>>() ? Value::list(std::move(found)) : Value::tuple(std::move(found));
}

/// Where a key stands in a dict, or its end.
auto find_key(Dict& dict, const Value& key) {
  return std::find_if(dict.items.begin(), dict.items.end(),
                      [&](const auto& entry) { return truth(compare("==", entry.first, key)); });
}

// --- tensors from nested lists ---

struct Flattened {
  std::vector<int64_t> shape;
  std::vector<Value> values;
  bool any_complex = false, any_real = false, any_integer = false;
};

void flatten(const Value& nested, size_t depth, Flattened& found) {
  if (const auto* items = nested.items()) {
    auto length = static_cast<int64_t>(items->size());
    TORCH_CHECK_VALUE(depth < found.shape.size() || found.values.empty(), "a list beside a number");
    if (depth == found.shape.size()) found.shape.push_back(length);
    TORCH_CHECK_VALUE(found.shape[depth] == length, "expected sequence of length ", found.shape[depth], " at dim ",
                      depth, " (got ", length, ")");
    for (const Value& item : *items) flatten(item, depth + 1, found);
    return;
  }
  if (!nested.is_number()) throw Unsupported("a tensor made of values of type " + nested.type_name());
  TORCH_CHECK_VALUE(depth == found.shape.size(), "a number beside a list");
  found.any_complex |= nested.get<Complex>() != nullptr;
  found.any_real |= nested.get<double>() != nullptr;
  found.any_integer |= nested.get<int64_t>() != nullptr;
  found.values.push_back(nested);
}

template <class T, class Convert>
at::Tensor flat_tensor(const std::vector<Value>& values, at::ScalarType dtype, Convert convert) {
  at::Tensor made = at::empty({static_cast<int64_t>(values.size())}, dtype);
  T* data = made.mutable_data_ptr<T>();
  for (const Value& value : values) *data++ = convert(value);
  return made;
}

at::Tensor flat_tensor(const Flattened& found) {
  if (found.any_complex)
    return flat_tensor<c10::complex<double>>(found.values, at::kComplexDouble, [](const Value& value) {
      return to_scalar(value).to<c10::complex<double>>();
    });
  if (found.any_real || found.values.empty()) return flat_tensor<double>(found.values, at::kDouble, to_double);
  if (found.any_integer) return flat_tensor<int64_t>(found.values, at::kLong, to_int);
  return flat_tensor<bool>(found.values, at::kBool, to_bool);
}

at::ScalarType inferred_dtype(const Flattened& found) {
  at::ScalarType standard = c10::typeMetaToScalarType(c10::get_default_dtype());
  if (found.any_complex) return c10::toComplexType(standard);
  if (found.any_real || found.values.empty()) return standard;
  return found.any_integer ? at::kLong : at::kBool;
}

}  // namespace

at::Tensor tensor_of(const Value& nested, std::optional<at::ScalarType> dtype) {
  Flattened found;
  flatten(nested, 0, found);
  // Made below autograd, as torch::tensor does it: a fresh tensor has seen no change and no view.
  at::AutoDispatchBelowADInplaceOrView below;
  at::Tensor made = flat_tensor(found).to(dtype.value_or(inferred_dtype(found)));
  made.unsafeGetTensorImpl()->set_sizes_contiguous(found.shape);
  return made;
}

Value get_item(const Value& owner, const Value& index) {
  if (const auto* tensor = owner.tensor()) return Value(tensor->index(tensor_indices(index)));
  if (const auto* items = owner.items()) {
    if (auto slice = index.object<Slice>()) return sliced(owner, *slice);
    return (*items)[place_in(*items, index)];
  }
  if (const auto* dict = owner.get<std::shared_ptr<Dict>>()) {
    auto entry = find_key(**dict, index);
    if (entry == (*dict)->items.end()) throw Broken("KeyError", "no such key");
    return entry->second;
  }
  if (const auto* object = owner.get<std::shared_ptr<Object>>()) return (*object)->item(index);
  throw Broken("TypeError", "'" + owner.type_name() + "' object is not subscriptable");
}

void set_item(const Value& owner, const Value& index, const Value& value) {
  if (const auto* tensor = owner.tensor()) {
    at::Tensor target = *tensor;
    if (value.is_number()) target.index_put_(tensor_indices(index), to_scalar(value));
    else target.index_put_(tensor_indices(index), to_tensor(value));
  } else if (const auto* list = owner.get<std::shared_ptr<List>>()) {
    (*list)->items[place_in((*list)->items, index)] = value;
  } else if (const auto* dict = owner.get<std::shared_ptr<Dict>>()) {
    auto entry = find_key(**dict, index);
    if (entry == (*dict)->items.end()) (*dict)->items.emplace_back(index, value);
    else entry->second = value;
  } else {
    throw Broken("TypeError", "'" + owner.type_name() + "' object does not support item assignment");
  }
}

void delete_item(const Value& owner, const Value& index) {
  if (const auto* list = owner.get<std::shared_ptr<List>>()) {
    auto& items = (*list)->items;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(place_in(items, index)));
  } else if (const auto* dict = owner.get<std::shared_ptr<Dict>>()) {
    auto entry = find_key(**dict, index);
    if (entry == (*dict)->items.end()) throw Broken("KeyError", "no such key");
    (*dict)->items.erase(entry);
  } else {
    throw Unsupported("deleting an item of a " + owner.type_name());
  }
}

}  // namespace harness
