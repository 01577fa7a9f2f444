#include "custom_function.hpp"

#include <array>

#include <torch/csrc/autograd/custom_function.h>

#include "errors.hpp"

namespace harness {

namespace {

using torch::autograd::AutogradContext;

constexpr size_t kMaxArguments = 6;  // of `apply`, whose template needs their number

/// The `ctx` of a program's forward and backward: libtorch's own, and the program's notes on it.
struct FunctionContext : Object {
  std::string type_name() const override { return "AutogradContext"; }

  Value method(const std::string& name, Arguments arguments) override {
    ArgumentReader reader(name, std::move(arguments));
    if (name == "set_materialize_grads") {
      context->set_materialize_grads(to_bool(reader.required("value")));
      reader.finish();
      return {};
    }
    Tensors tensors = to_tensors(Value::tuple(reader.rest()));
    reader.finish();
    if (name == "save_for_backward") context->save_for_backward(std::move(tensors));
    else if (name == "mark_dirty") context->mark_dirty(tensors);
    else if (name == "mark_non_differentiable") context->mark_non_differentiable(tensors);
    else throw Unsupported("a function context's " + name);
    return {};
  }

  Value attribute(const std::string& name) override {
    if (name == "saved_tensors") {
      return Value::tuple_of(context->get_saved_variables());
    }
    if (name == "needs_input_grad") return needs_input_grad();
    auto found = notes.find(name);
    if (found == notes.end()) throw Unsupported("a function context's " + name);
    return found->second;
  }

  void set_attribute(const std::string& name, Value value) override { notes[name] = std::move(value); }

  /// libtorch counts the edges of tensor inputs only, and knows them during the backward pass.
  Value needs_input_grad() {
    if (!in_backward) throw Unsupported("needs_input_grad outside a backward");
    std::vector<Value> items;
    size_t edge = 0;
    for (bool is_tensor : tensor_arguments) items.emplace_back(is_tensor && context->needs_input_grad(edge++));
    return Value::tuple(std::move(items));
  }

  AutogradContext* context = nullptr;  // set anew at each entry; libtorch owns it
  bool in_backward = false;
  std::vector<bool> tensor_arguments;
  std::unordered_map<std::string, Value> notes;
};

struct FunctionClass : Object {
  FunctionClass(std::string name, std::unordered_map<std::string, Value> members)
      : name(std::move(name)), members(std::move(members)) {}

  std::string type_name() const override { return "FunctionMeta"; }
  Value attribute(const std::string& wanted) override;
  Value call(Arguments) override { throw Unsupported("an object of a class of autograd.Function"); }
  Value member(const std::string& wanted) const {
    auto found = members.find(wanted);
    if (found == members.end()) throw Unsupported("autograd.Function without " + wanted);
    return found->second;
  }

  std::string name;
  std::unordered_map<std::string, Value> members;
};

/// One call of `apply`, from which forward takes the arguments as the program wrote them.
struct Application {
  std::shared_ptr<FunctionClass> owner;
  std::vector<Value> arguments;
  bool single = true;  // whether forward returned one tensor, not several
};

/// What backward needs, kept where libtorch keeps such things.
struct Kept : torch::CustomClassHolder {
  std::shared_ptr<FunctionClass> owner;
  std::shared_ptr<FunctionContext> context;
};

/// libtorch's custom function whose forward and backward are the program's.
struct Interpreted : torch::autograd::Function<Interpreted> {
  template <class... Inputs>
  static Tensors forward(AutogradContext* raw, Application* application, Inputs&&...) {
    return run_forward(raw, *application);
  }

  static Tensors run_forward(AutogradContext* raw, Application& application) {
    auto context = std::make_shared<FunctionContext>();
    context->context = raw;
    std::vector<Value> given{Value(context)};
    for (const Value& argument : application.arguments) {
      context->tensor_arguments.push_back(argument.tensor() != nullptr);
      given.push_back(argument);
    }
    auto kept = c10::make_intrusive<Kept>();
    kept->owner = application.owner;
    kept->context = context;
    raw->saved_data["kept"] = c10::IValue::make_capsule(std::move(kept));
    Value outputs = call_value(application.owner->member("forward"), std::move(given));
    application.single = outputs.items() == nullptr;
    Tensors tensors = to_tensors(outputs);
    for (const at::Tensor& tensor : tensors)
      if (!tensor.defined()) throw Unsupported("a forward that returns None");
    return tensors;
  }

  static Tensors backward(AutogradContext* raw, Tensors gradients) {
    auto kept = c10::static_intrusive_pointer_cast<Kept>(raw->saved_data["kept"].toCapsule());
    FunctionContext& context = *kept->context;
    context.context = raw;
    context.in_backward = true;
    std::vector<Value> given{Value(kept->context)};
    for (at::Tensor& gradient : gradients) given.emplace_back(std::move(gradient));
    Tensors found{at::Tensor()};  // the application itself, the first argument, has no gradient
    Value result = call_value(kept->owner->member("backward"), std::move(given));
    for (at::Tensor& gradient : result.is_none() ? Tensors{at::Tensor()} : to_tensors(result))
      found.push_back(std::move(gradient));
    return found;
  }
};

template <size_t... Places>
Tensors apply_to(Application& application, const std::vector<std::optional<at::Tensor>>& tensors,
                       std::index_sequence<Places...>) {
  return Interpreted::apply(&application, tensors[Places]...);
}

template <size_t Count = 0>
Tensors apply_any(Application& application, const std::vector<std::optional<at::Tensor>>& tensors) {
  if constexpr (Count <= kMaxArguments) {
    if (tensors.size() == Count) return apply_to(application, tensors, std::make_index_sequence<Count>());
    return apply_any<Count + 1>(application, tensors);
  } else {
    throw Unsupported("autograd.Function with more than " + std::to_string(kMaxArguments) + " arguments");
  }
}

Value FunctionClass::attribute(const std::string& wanted) {
  if (wanted != "apply") return member(wanted);
  // libtorch's forward always gets the context, and has no forward derivative of its own.
  for (const char* lacking : {"setup_context", "jvp", "vmap"})
    if (members.count(lacking)) throw Unsupported(std::string("autograd.Function with ") + lacking);
  auto self = std::static_pointer_cast<FunctionClass>(shared_from_this());
  return Value(std::make_shared<NativeFunction>("apply", [self](Arguments arguments) {
    if (!arguments.keywords.empty()) throw Unsupported("keywords of apply");
    Application application{self, std::move(arguments.positional)};
    std::vector<std::optional<at::Tensor>> tensors;
    for (const Value& argument : application.arguments)
      tensors.push_back(argument.tensor() ? std::make_optional(*argument.tensor()) : std::nullopt);
    Tensors outputs = apply_any(application, tensors);
    return application.single ? Value(outputs.front()) : Value::tuple_of(outputs);
  }));
}

}  // namespace

Value make_function_class(std::string name, std::unordered_map<std::string, Value> members) {
  return Value(std::make_shared<FunctionClass>(std::move(name), std::move(members)));
}

}  // namespace harness
