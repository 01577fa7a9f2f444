// Methods. Those of tensors that are operations need no row here.
#include <unordered_map>

#include <ATen/Functions.h>

#include "derivatives.hpp"
#include "errors.hpp"
#include "hooks.hpp"
#include "members.hpp"
#include "operations.hpp"

namespace harness {

namespace {

using MethodRule = Value (*)(const at::Tensor&, Arguments);

Arguments with_self(const at::Tensor& tensor, Arguments arguments) {
  arguments.positional.insert(arguments.positional.begin(), Value(tensor));
  return arguments;
}

void no_arguments(const char* name, Arguments arguments) { ArgumentReader(name, std::move(arguments)).finish(); }

Value integers(at::IntArrayRef numbers) {
  std::vector<Value> items;
  for (int64_t number : numbers) items.emplace_back(number);
  return Value::tuple(std::move(items));
}

Value nested_list(const at::Tensor& tensor) {
  if (tensor.dim() == 0) return from_scalar(tensor.item());
  std::vector<Value> rows;
  for (const at::Tensor& row : tensor.unbind(0)) rows.push_back(nested_list(row));
  return Value::list(std::move(rows));
}

template <at::ScalarType dtype>
Value converted(const at::Tensor& x, Arguments arguments) {
  no_arguments("a conversion", std::move(arguments));
  return Value(x.to(dtype));
}

/// One of the lengths or strides where a dimension is given, all of them otherwise.
template <class All, class One>
Value all_or_one(const char* name, Arguments arguments, All all, One one) {
  ArgumentReader reader(name, std::move(arguments));
  Value dim = reader.optional("dim");
  reader.finish();
  return dim.is_none() ? integers(all()) : Value(one(to_int(dim)));
}

Value single_function(const char* name, Arguments arguments) {
  ArgumentReader reader(name, std::move(arguments));
  Value function = reader.required("hook");
  reader.finish();
  return function;
}

Value to(const at::Tensor& x, Arguments arguments) {
  // The operation has no form that takes a device alone by place, as the C++ method does.
  const auto& given = arguments.positional;
  if (!given.empty() && (given.front().get<std::string>() || given.front().object<Device>())) {
    arguments.keywords.emplace_back("device", arguments.positional.front());
    arguments.positional.erase(arguments.positional.begin());
  }
  return call_operation("to", with_self(x, std::move(arguments)));
}

const std::unordered_map<std::string, MethodRule>& tensor_methods() {
  static const std::unordered_map<std::string, MethodRule> table = {
      {"backward", [](const at::Tensor& x, Arguments given) { return tensor_backward(x, std::move(given)); }},
      {"register_hook",
       [](const at::Tensor& x, Arguments given) {
         return register_tensor_hook(x, single_function("register_hook", std::move(given)));
       }},
      {"register_post_accumulate_grad_hook",
       [](const at::Tensor& x, Arguments given) {
         const char* name = "register_post_accumulate_grad_hook";
         return register_post_accumulate_hook(x, single_function(name, std::move(given)));
       }},
      {"retain_grad",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("retain_grad", std::move(given));
         x.retain_grad();
         return Value();
       }},
      {"where",  // its operation takes the condition first
       [](const at::Tensor& x, Arguments given) {
         ArgumentReader reader("where", std::move(given));
         Value condition = reader.required("condition");
         Value other = reader.required("other");
         reader.finish();
         return call_operation("where", {condition, Value(x), other});
       }},
      {"requires_grad_",
       [](const at::Tensor& x, Arguments given) {
         ArgumentReader reader("requires_grad_", std::move(given));
         bool wanted = reader.flag("requires_grad", true);
         reader.finish();
         x.requires_grad_(wanted);
         return Value(x);
       }},
      {"item",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("item", std::move(given));
         return from_scalar(x.item());
       }},
      {"tolist",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("tolist", std::move(given));
         return nested_list(x.detach());
       }},
      {"numel",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("numel", std::move(given));
         return Value(x.numel());
       }},
      {"dim",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("dim", std::move(given));
         return Value(x.dim());
       }},
      {"size",
       [](const at::Tensor& x, Arguments given) {
         return all_or_one(
             "size", std::move(given), [&] { return x.sizes(); }, [&](int64_t dim) { return x.size(dim); });
       }},
      {"stride",
       [](const at::Tensor& x, Arguments given) {
         return all_or_one(
             "stride", std::move(given), [&] { return x.strides(); }, [&](int64_t dim) { return x.stride(dim); });
       }},
      {"is_contiguous",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("is_contiguous", std::move(given));
         return Value(x.is_contiguous());
       }},
      {"storage_offset",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("storage_offset", std::move(given));
         return Value(x.storage_offset());
       }},
      {"data_ptr",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("data_ptr", std::move(given));
         return Value(reinterpret_cast<int64_t>(x.const_data_ptr()));
       }},
      {"_is_view",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("_is_view", std::move(given));
         return Value(x.is_view());
       }},
      {"is_inference",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("is_inference", std::move(given));
         return Value(x.is_inference());
       }},
      {"cpu",
       [](const at::Tensor& x, Arguments given) {
         no_arguments("cpu", std::move(given));
         return Value(x.cpu());
       }},
      {"type",
       [](const at::Tensor& x, Arguments given) {
         ArgumentReader reader("type", std::move(given));
         Value dtype = reader.required("dtype");
         reader.finish();
         if (!dtype.get<at::ScalarType>()) throw Unsupported("type(" + dtype.type_name() + ")");
         return Value(x.toType(*dtype.get<at::ScalarType>()));
       }},
      {"to", to},
      {"float", converted<at::kFloat>},
      {"double", converted<at::kDouble>},
      {"half", converted<at::kHalf>},
      {"bfloat16", converted<at::kBFloat16>},
      {"int", converted<at::kInt>},
      {"long", converted<at::kLong>},
      {"bool", converted<at::kBool>},
  };
  return table;
}

Value tensor_method(const at::Tensor& tensor, const std::string& name, Arguments arguments) {
  if (auto rule = tensor_methods().find(name); rule != tensor_methods().end())
    return rule->second(tensor, std::move(arguments));
  return call_operation(name, with_self(tensor, std::move(arguments)));
}

Value node_method(const NodePointer& node, const std::string& name, Arguments arguments) {
  if (name == "name") {
    no_arguments("name", std::move(arguments));
    return Value(node->name());
  }
  if (name == "register_hook") return register_node_hook(node, single_function("register_hook", std::move(arguments)));
  if (name == "register_prehook")
    return register_node_prehook(node, single_function("register_prehook", std::move(arguments)));
  throw Unsupported("a node's " + name);
}

Value dtype_method(at::ScalarType dtype, const std::string& name) {
  if (name == "is_floating_point") return Value(c10::isFloatingType(dtype));
  if (name == "is_complex") return Value(c10::isComplexType(dtype));
  throw Unsupported("a dtype's " + name);
}

}  // namespace

Value call_method(const Value& owner, const std::string& name, Arguments arguments) {
  if (const auto* tensor = owner.tensor()) return tensor_method(*tensor, name, std::move(arguments));
  if (const auto* node = owner.get<NodePointer>()) return node_method(*node, name, std::move(arguments));
  if (const auto* dtype = owner.get<at::ScalarType>()) return dtype_method(*dtype, name);
  if (const auto* object = owner.get<std::shared_ptr<Object>>()) return (*object)->method(name, std::move(arguments));
  if (const auto* list = owner.get<std::shared_ptr<List>>(); list && name == "append") {
    ArgumentReader reader("append", std::move(arguments));
    (*list)->items.push_back(reader.required("item"));
    reader.finish();
    return {};
  }
  if (const auto* dict = owner.get<std::shared_ptr<Dict>>(); dict && name == "get") {
    ArgumentReader reader("get", std::move(arguments));
    Value wanted = reader.required("key");
    Value fallback = reader.optional("default");
    reader.finish();
    for (const auto& [key, value] : (*dict)->items)
      if (truth(compare("==", key, wanted))) return value;
    return fallback;
  }
  if (owner.items() && name == "numel") {  // of a shape
    int64_t product = 1;
    for (const Value& length : *owner.items()) product *= to_int(length);
    return Value(product);
  }
  throw Broken("AttributeError", "'" + owner.type_name() + "' object has no attribute '" + name + "'");
}

}  // namespace harness
