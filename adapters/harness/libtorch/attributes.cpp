// Attributes, read, assigned and deleted.
#include <unordered_map>

#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include "errors.hpp"
#include "members.hpp"
#include "operations.hpp"

namespace harness {

namespace {

using AttributeRule = Value (*)(const at::Tensor&);

Value shape_of(const at::Tensor& tensor) {
  std::vector<Value> lengths;
  for (int64_t length : tensor.sizes()) lengths.emplace_back(length);
  return Value::tuple(std::move(lengths));
}

// Templates, so that they compile against a libtorch from before tensors had this property.
template <class Tensor>
Value grad_dtype(const Tensor& tensor) {
  if constexpr (requires { tensor.grad_dtype(); }) {
    auto found = tensor.grad_dtype();
    return found ? Value(*found) : Value();
  } else {
    throw Unsupported("the attribute grad_dtype");
  }
}

template <class Tensor>
void set_grad_dtype(const Tensor& tensor, const Value& value) {
  if constexpr (requires { tensor.set_grad_dtype(std::nullopt); }) {
    if (value.is_none()) return tensor.set_grad_dtype(std::nullopt);
    if (const auto* dtype = value.get<at::ScalarType>()) return tensor.set_grad_dtype(*dtype);
  }
  throw Unsupported("assigning a " + value.type_name() + " to grad_dtype");
}

const std::unordered_map<std::string, AttributeRule>& tensor_attributes() {
  static const std::unordered_map<std::string, AttributeRule> table = {
      {"shape", shape_of},
      {"ndim", [](const at::Tensor& x) { return Value(x.dim()); }},
      {"dtype", [](const at::Tensor& x) { return Value(x.scalar_type()); }},
      {"is_cuda", [](const at::Tensor& x) { return Value(x.is_cuda()); }},
      {"requires_grad", [](const at::Tensor& x) { return Value(x.requires_grad()); }},
      {"is_leaf", [](const at::Tensor& x) { return Value(x.is_leaf()); }},
      {"retains_grad", [](const at::Tensor& x) { return Value(x.retains_grad()); }},
      {"grad", [](const at::Tensor& x) { return Value(x.grad()); }},
      {"grad_fn", [](const at::Tensor& x) { return Value(x.grad_fn()); }},
      {"data", [](const at::Tensor& x) { return Value(x.variable_data()); }},
      {"device", [](const at::Tensor& x) { return Value(std::make_shared<Device>(x.device())); }},
      {"output_nr", [](const at::Tensor& x) { return Value(static_cast<int64_t>(x.output_nr())); }},
      {"_base", [](const at::Tensor& x) { return x.is_view() ? Value(at::Tensor(x._base())) : Value(); }},
      {"grad_dtype", [](const at::Tensor& x) { return grad_dtype(x); }},
      {"_version", [](const at::Tensor& x) { return Value(static_cast<int64_t>(x._version())); }},
      {"T", [](const at::Tensor& x) { return Value(x.numpy_T()); }},
      {"mT", [](const at::Tensor& x) { return Value(x.mT()); }},
      {"H", [](const at::Tensor& x) { return Value(x.matrix_H()); }},
      {"real", [](const at::Tensor& x) { return call_operation("real", {Value(x)}); }},
      {"imag", [](const at::Tensor& x) { return call_operation("imag", {Value(x)}); }},
  };
  return table;
}

Value next_functions(const NodePointer& node) {
  std::vector<Value> edges;
  for (const auto& edge : node->next_edges())
    edges.push_back(Value::tuple({Value(edge.function), Value(static_cast<int64_t>(edge.input_nr))}));
  return Value::tuple(std::move(edges));
}

Value node_attribute(const NodePointer& node, const std::string& name) {
  if (name == "next_functions") return next_functions(node);
  if (name == "variable")
    if (auto* accumulating = dynamic_cast<torch::autograd::AccumulateGrad*>(node.get()))
      return Value(accumulating->variable);
  throw Unsupported("a node's " + name);
}

}  // namespace

Value get_attribute(const Value& owner, const std::string& name) {
  if (const auto* tensor = owner.tensor()) {
    auto rule = tensor_attributes().find(name);
    if (rule == tensor_attributes().end()) throw Unsupported("the attribute " + name);
    return rule->second(*tensor);
  }
  if (const auto* node = owner.get<NodePointer>()) return node_attribute(*node, name);
  if (const auto* object = owner.get<std::shared_ptr<Object>>()) return (*object)->attribute(name);
  if (const auto* tuple = owner.get<std::shared_ptr<Tuple>>()) {
    for (size_t i = 0; i < (*tuple)->names.size(); ++i)
      if ((*tuple)->names[i] == name) return (*tuple)->items[i];
  }
  if (const auto* number = owner.get<Complex>()) {
    if (name == "real") return Value(number->real());
    if (name == "imag") return Value(number->imag());
  }
  throw Broken("AttributeError", "'" + owner.type_name() + "' object has no attribute '" + name + "'");
}

void set_attribute(const Value& owner, const std::string& name, const Value& value) {
  if (const auto* object = owner.get<std::shared_ptr<Object>>()) return (*object)->set_attribute(name, value);
  const auto* tensor = owner.tensor();
  if (!tensor) throw Unsupported("assigning " + name + " of a " + owner.type_name());
  // C++ has functions where Python has attributes to assign; what it has none for cannot be assigned.
  if (name == "grad") tensor->mutable_grad() = to_optional_tensor(value);
  else if (name == "requires_grad") tensor->requires_grad_(to_bool(value));
  else if (name == "data") tensor->set_data(to_tensor(value));
  else if (name == "grad_dtype") set_grad_dtype(*tensor, value);
  else throw Unsupported("assigning the attribute " + name);
}

void delete_attribute(const Value& owner, const std::string& name) {
  if (!owner.tensor() || name != "grad") throw Unsupported("deleting " + name);
  owner.tensor()->mutable_grad().reset();
}

}  // namespace harness
