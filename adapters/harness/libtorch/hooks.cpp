#include "hooks.hpp"

#include <algorithm>

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include "errors.hpp"

namespace harness {

namespace {

using WeakTensor = c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>;

struct Handle : Object {
  explicit Handle(std::function<void()> remover) : remover(std::move(remover)) {}
  std::string type_name() const override { return "RemovableHandle"; }

  Value method(const std::string& name, Arguments arguments) override {
    if (name != "remove" || !arguments.empty()) throw Unsupported("a handle's " + name);
    if (auto once = std::exchange(remover, nullptr)) once();
    return {};
  }

  std::function<void()> remover;
};

Value handle(std::function<void()> remover) { return Value(std::make_shared<Handle>(std::move(remover))); }

/// A handle must not keep its tensor alive.
WeakTensor weak_tensor(const at::Tensor& tensor) { return WeakTensor(tensor.getIntrusivePtr()); }

/// libtorch has one place for such a hook on a tensor; this one holds all that the program registers.
struct PostAccumulateHooks : torch::autograd::PostAccumulateGradHook {
  void operator()(const at::Tensor& tensor) override {
    auto running = functions;  // a hook may remove itself
    for (const auto& [key, function] : running) {
      if (!call_value(function, std::vector<Value>{Value(tensor)}).is_none())
        throw Unsupported("a result of a hook after accumulation");
    }
  }

  std::vector<std::pair<int64_t, Value>> functions;
  int64_t next_key = 0;
};

struct NodeHook : torch::autograd::FunctionPostHook {
  explicit NodeHook(Value function) : function(std::move(function)) {}

  Tensors operator()(const Tensors& outputs, const Tensors& inputs) override {
    Value result = call_value(function, {Value::tuple_of(outputs), Value::tuple_of(inputs)});
    return result.is_none() ? outputs : to_tensors(result);
  }

  Value function;
};

struct NodePrehook : torch::autograd::FunctionPreHook {
  explicit NodePrehook(Value function) : function(std::move(function)) {}

  Tensors operator()(const Tensors& gradients) override {
    Value result = call_value(function, std::vector<Value>{Value::tuple_of(gradients)});
    return result.is_none() ? gradients : to_tensors(result);
  }

  Value function;
};

}  // namespace

Value register_tensor_hook(const at::Tensor& tensor, const Value& function) {
  unsigned place = tensor.register_hook([function](const at::Tensor& gradient) -> at::Tensor {
    return to_optional_tensor(call_value(function, std::vector<Value>{Value(gradient)}));
  });
  return handle([place, weak = weak_tensor(tensor)] {
    if (auto alive = weak.lock()) at::Tensor(std::move(alive)).remove_hook(place);
  });
}

Value register_post_accumulate_hook(const at::Tensor& tensor, const Value& function) {
  namespace impl = torch::autograd::impl;
  auto hooks_of = [](const at::Tensor& owner) {
    return dynamic_cast<PostAccumulateHooks*>(impl::post_acc_grad_hooks(owner).get());
  };
  impl::materialize_autograd_meta(tensor);
  if (!hooks_of(tensor)) impl::set_post_acc_grad_hooks(tensor, std::make_unique<PostAccumulateHooks>());
  PostAccumulateHooks* hooks = hooks_of(tensor);
  int64_t key = hooks->next_key++;
  hooks->functions.emplace_back(key, function);
  return handle([key, weak = weak_tensor(tensor), hooks_of] {
    auto alive = weak.lock();
    if (!alive) return;
    if (auto* hooks = hooks_of(at::Tensor(std::move(alive))))
      std::erase_if(hooks->functions, [key](const auto& entry) { return entry.first == key; });
  });
}

Value register_node_hook(const NodePointer& node, const Value& function) {
  auto key = node->add_post_hook(std::make_unique<NodeHook>(function));
  return handle([key, node] { node->del_post_hook(key); });
}

Value register_node_prehook(const NodePointer& node, const Value& function) {
  node->add_pre_hook(std::make_unique<NodePrehook>(function));
  auto* hook = node->pre_hooks().back().get();
  return handle([hook, node] {
    std::erase_if(node->pre_hooks(), [hook](const auto& entry) { return entry.get() == hook; });
  });
}

}  // namespace harness
