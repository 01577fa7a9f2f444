#include "derivatives.hpp"

#include <algorithm>

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

/// Forward mode has one level; its duals are plain tensors again when this ends. Python nests transforms, which
/// C++ has not.
struct DualLevel {
  DualLevel() {
    if (open) throw Unsupported("a jvp within a jvp");
    level = torch::autograd::forward_ad::enter_dual_level();
    open = true;
  }
  ~DualLevel() {
    torch::autograd::forward_ad::exit_dual_level(level);
    open = false;
  }
  DualLevel(const DualLevel&) = delete;

  uint64_t level;
  static thread_local bool open;
};

thread_local bool DualLevel::open = false;

/// How many calls of functions that are being differentiated lie around this point.
struct Differentiating {
  Differentiating() { ++depth; }
  ~Differentiating() { --depth; }

  static thread_local int depth;
};

thread_local int Differentiating::depth = 0;

Value differentiated(const Value& function, const std::vector<Value>& arguments) {
  Differentiating differentiating;
  return call_value(function, arguments);
}

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

// Within another vjp or jvp the inputs stay part of the outer computation and the backward pass
// records itself, so that derivatives nest; an input that was not used gets zeros.
Value vjp(Arguments arguments) {
  ArgumentReader reader("vjp", std::move(arguments));
  Value function = reader.required("f");
  Tensors inputs = to_tensors(reader.required("inputs"));
  Value cotangents = reader.required("cotangents");
  reader.finish();

  bool nested = Differentiating::depth > 0 ||
                std::any_of(inputs.begin(), inputs.end(), [](const at::Tensor& x) { return x.requires_grad(); });
  std::vector<Value> traced;
  Tensors leaves;
  for (const at::Tensor& input : inputs) {
    at::Tensor leaf = nested ? input.view_as(input) : input.detach();
    if (!leaf.requires_grad()) leaf.requires_grad_();
    leaves.push_back(leaf);
    traced.emplace_back(leaf);
  }
  Value outputs = differentiated(function, traced);
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
    if (!found[i].defined()) found[i] = at::zeros_like(inputs[i]);
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
  Value outputs = differentiated(function, duals);
  bool several = outputs.items() != nullptr;
  Tensors found;
  for (const at::Tensor& output : to_tensors(outputs)) {
    at::Tensor tangent = std::get<1>(at::_unpack_dual(output, level));
    found.push_back(tangent.defined() ? tangent : at::zeros_like(output));
  }
  return several ? Value::tuple_of(found) : Value(found.front());
}

}  // namespace harness
