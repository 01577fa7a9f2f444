#include "derivatives.hpp"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/autograd.h>

#include "errors.hpp"

namespace harness {

namespace {

std::optional<bool> optional_flag(const Value& value) {
  if (value.is_none()) return std::nullopt;
  return to_bool(value);
}

Tensors optional_tensors(const Value& value) { return value.is_none() ? Tensors() : to_tensors(value); }

/// Forward mode has one level; its duals are plain tensors again when this ends.
struct DualLevel {
  DualLevel() : level(torch::autograd::forward_ad::enter_dual_level()) {}
  ~DualLevel() { torch::autograd::forward_ad::exit_dual_level(level); }
  DualLevel(const DualLevel&) = delete;

  uint64_t level;
};

}  // namespace

Value tensor_backward(const at::Tensor& root, Arguments arguments) {
  ArgumentReader reader("backward", std::move(arguments));
  at::Tensor gradient = to_optional_tensor(reader.optional("gradient"));
  std::optional<bool> retain_graph = optional_flag(reader.optional("retain_graph"));
  bool create_graph = reader.flag("create_graph", false);
  Value inputs = reader.optional("inputs");
  reader.finish();
  if (inputs.is_none()) root.backward(gradient, retain_graph, create_graph);
  else root.backward(gradient, retain_graph, create_graph, at::TensorList(to_tensors(inputs)));
  return {};
}

Value autograd_backward(Arguments arguments) {
  ArgumentReader reader("autograd.backward", std::move(arguments));
  Tensors roots = to_tensors(reader.required("tensors"));
  Tensors gradients = optional_tensors(reader.optional("grad_tensors"));
  std::optional<bool> retain_graph = optional_flag(reader.optional("retain_graph"));
  bool create_graph = reader.flag("create_graph", false);
  Tensors inputs = optional_tensors(reader.optional("inputs"));
  reader.finish();
  torch::autograd::backward(roots, gradients, retain_graph, create_graph, inputs);
  return {};
}

Value autograd_grad(Arguments arguments) {
  ArgumentReader reader("autograd.grad", std::move(arguments));
  Tensors outputs = to_tensors(reader.required("outputs"));
  Tensors inputs = to_tensors(reader.required("inputs"));
  Tensors gradients = optional_tensors(reader.optional("grad_outputs"));
  std::optional<bool> retain_graph = optional_flag(reader.optional("retain_graph"));
  bool create_graph = reader.flag("create_graph", false);
  if (!reader.flag("only_inputs", true)) throw Unsupported("only_inputs=False of autograd.grad");
  bool allow_unused = reader.flag("allow_unused", false);
  reader.finish();
  return Value::tuple_of(torch::autograd::grad(outputs, inputs, gradients, retain_graph, create_graph, allow_unused));
}

// As the protocol defines it for engines with a tape: an input that requires grad already stays
// part of the outer computation, and one that was not used gets zeros.
Value vjp(Arguments arguments) {
  ArgumentReader reader("vjp", std::move(arguments));
  Value function = reader.required("f");
  std::vector<Value> inputs = iterate(reader.required("inputs"));
  Value cotangents = reader.required("cotangents");
  reader.finish();

  bool nested = false;
  std::vector<Value> traced;
  Tensors leaves;
  for (const Value& input : inputs) {
    at::Tensor tensor = to_tensor(input);
    nested |= tensor.requires_grad();
    leaves.push_back(tensor.requires_grad() ? tensor.view_as(tensor) : tensor.detach().set_requires_grad(true));
    traced.emplace_back(leaves.back());
  }
  Value outputs = call_value(function, traced);
  bool several = outputs.items() != nullptr;
  std::vector<Value> roots = several ? *outputs.items() : std::vector<Value>{outputs};
  std::vector<Value> seeds = several ? iterate(cotangents) : std::vector<Value>{cotangents};
  if (roots.size() != seeds.size()) throw Broken("ValueError", "vjp needs one cotangent for each result");
  Tensors kept_roots, kept_seeds;
  for (size_t i = 0; i < roots.size(); ++i) {
    at::Tensor root = to_tensor(roots[i]);
    if (!root.requires_grad()) continue;
    kept_roots.push_back(root);
    kept_seeds.push_back(to_tensor(seeds[i]));
  }
  Tensors found(inputs.size());
  if (!kept_roots.empty())
    found = torch::autograd::grad(kept_roots, leaves, kept_seeds, std::nullopt, nested, /*allow_unused=*/true);
  for (size_t i = 0; i < found.size(); ++i)
    if (!found[i].defined()) found[i] = to_tensor(inputs[i]).mul(0);
  return Value::tuple_of(found);
}

Value jvp(Arguments arguments) {
  ArgumentReader reader("jvp", std::move(arguments));
  Value function = reader.required("f");
  std::vector<Value> inputs = iterate(reader.required("inputs"));
  std::vector<Value> tangents = iterate(reader.required("tangents"));
  reader.finish();
  if (inputs.size() != tangents.size()) throw Broken("ValueError", "jvp needs one tangent for each input");

  DualLevel dual;
  auto level = static_cast<int64_t>(dual.level);
  std::vector<Value> duals;
  for (size_t i = 0; i < inputs.size(); ++i)
    duals.emplace_back(at::_make_dual(to_tensor(inputs[i]), to_tensor(tangents[i]), level));
  Value outputs = call_value(function, duals);
  bool several = outputs.items() != nullptr;
  Tensors found;
  for (const at::Tensor& output : to_tensors(outputs)) {
    at::Tensor tangent = std::get<1>(at::_unpack_dual(output, level));
    found.push_back(tangent.defined() ? tangent : output.mul(0));
  }
  return several ? Value::tuple_of(found) : Value(found.front());
}

}  // namespace harness
