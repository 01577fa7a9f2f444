#include "operations.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <ATen/ScalarOps.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>

#include "errors.hpp"

namespace harness {

namespace {

using c10::FunctionSchema;
using c10::IValue;
using c10::TypeKind;
using Overloads = std::vector<c10::OperatorHandle>;

/// All overloads by base name, collected once from the dispatcher.
const std::unordered_map<std::string, Overloads>& operations() {
  static const auto table = [] {
    std::unordered_map<std::string, Overloads> found;
    auto& dispatcher = c10::Dispatcher::singleton();
    std::vector<c10::OperatorName> names = dispatcher.getAllOpNames();
    std::sort(names.begin(), names.end(), [](const auto& left, const auto& right) {
      return std::tie(left.name, left.overload_name) < std::tie(right.name, right.overload_name);
    });
    for (const c10::OperatorName& name : names) {
      if (name.name.rfind("aten::", 0) != 0) continue;
      if (name.name == "aten::stft" && name.overload_name.empty()) continue;  // without what centres windows
      if (auto handle = dispatcher.findSchema(name)) found[name.name.substr(6)].push_back(*handle);
    }
    return found;
  }();
  return table;
}

/// Operations whose C++ form takes a plain number in the place of their second tensor.
bool wraps_numbers(const std::string& name) {
  static const std::unordered_set<std::string> names = {"add", "sub", "mul", "div", "true_divide", "floor_divide"};
  bool in_place = name.size() > 1 && name.back() == '_';
  return names.count(in_place ? name.substr(0, name.size() - 1) : name) > 0;
}

// --- fitting one value to one parameter ---

// How far a value is from the parameter's type; the overload with the smallest sum is called.
constexpr int kExact = 0, kConverted = 1, kWrapped = 3, kGathered = 1;

struct Fitted {
  IValue value;
  int distance;
};

using MaybeFitted = std::optional<Fitted>;

MaybeFitted fit(const Value& value, const c10::Type& type, const c10::Argument& parameter, bool wrap_numbers);

bool is_integer_kind(TypeKind kind) { return kind == TypeKind::IntType || kind == TypeKind::SymIntType; }

MaybeFitted fit_tensor(const Value& value, bool wrap_numbers) {
  if (const auto* tensor = value.tensor()) return Fitted{*tensor, kExact};
  if (wrap_numbers && value.is_number()) return Fitted{at::native::wrapped_scalar_tensor(to_scalar(value)), kWrapped};
  return std::nullopt;
}

MaybeFitted fit_number(const Value& value) {
  if (value.is_number()) return Fitted{to_scalar(value), kConverted};
  return std::nullopt;
}

MaybeFitted fit_integer(const Value& value) {
  if (const auto* found = value.get<int64_t>()) return Fitted{*found, kExact};
  return std::nullopt;
}

MaybeFitted fit_float(const Value& value) {
  if (const auto* found = value.get<double>()) return Fitted{*found, kExact};
  if (const auto* found = value.get<int64_t>()) return Fitted{static_cast<double>(*found), kConverted};
  return std::nullopt;
}

MaybeFitted fit_device(const Value& value) {
  if (const auto* name = value.get<std::string>()) return Fitted{c10::Device(*name), kExact};
  if (auto found = value.object<Device>()) return Fitted{found->device, kExact};
  return std::nullopt;
}

template <class T, class Convert>
MaybeFitted fit_items(const std::vector<Value>& items, Convert convert) {
  c10::List<T> list;
  int distance = kExact;
  for (const Value& item : items) {
    MaybeFitted fitted = convert(item);
    if (!fitted) return std::nullopt;
    distance = std::max(distance, fitted->distance);
    list.push_back(fitted->value.template to<T>());
  }
  return Fitted{list, distance};
}

MaybeFitted fit_list(const Value& value, const c10::Type& element, const c10::Argument& parameter) {
  std::vector<Value> repeated;
  const auto* items = value.items();
  if (!items) {  // one number may stand for a list of known length
    if (!parameter.N() || !value.is_number()) return std::nullopt;
    repeated.assign(static_cast<size_t>(*parameter.N()), value);
    items = &repeated;
  }
  if (is_integer_kind(element.kind())) return fit_items<int64_t>(*items, fit_integer);
  switch (element.kind()) {
    case TypeKind::FloatType: return fit_items<double>(*items, fit_float);
    case TypeKind::NumberType: return fit_items<at::Scalar>(*items, fit_number);
    case TypeKind::BoolType:
      return fit_items<bool>(*items, [](const Value& item) -> MaybeFitted {
        if (const auto* found = item.get<bool>()) return Fitted{*found, kExact};
        return std::nullopt;
      });
    case TypeKind::TensorType:
      return fit_items<at::Tensor>(*items, [](const Value& item) { return fit_tensor(item, false); });
    case TypeKind::OptionalType:
      return fit_items<std::optional<at::Tensor>>(*items, [](const Value& item) -> MaybeFitted {
        if (item.is_none()) return Fitted{IValue(), kExact};
        return fit_tensor(item, false);
      });
    default: return std::nullopt;
  }
}

MaybeFitted fit(const Value& value, const c10::Type& type, const c10::Argument& parameter, bool wrap_numbers) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      if (value.is_none()) return Fitted{IValue(), kExact};
      return fit(value, *type.castRaw<c10::OptionalType>()->getElementType(), parameter, wrap_numbers);
    case TypeKind::TensorType: return fit_tensor(value, wrap_numbers);
    case TypeKind::NumberType: return fit_number(value);
    case TypeKind::IntType:
    case TypeKind::SymIntType: return fit_integer(value);
    case TypeKind::FloatType: return fit_float(value);
    case TypeKind::BoolType:
      if (const auto* found = value.get<bool>()) return Fitted{*found, kExact};
      return std::nullopt;
    case TypeKind::StringType:
      if (const auto* found = value.get<std::string>()) return Fitted{*found, kExact};
      return std::nullopt;
    case TypeKind::ScalarTypeType:
      if (const auto* found = value.get<at::ScalarType>()) return Fitted{static_cast<int64_t>(*found), kExact};
      return std::nullopt;
    case TypeKind::DeviceObjType: return fit_device(value);
    case TypeKind::ListType:
      return fit_list(value, *type.castRaw<c10::ListType>()->getElementType(), parameter);
    default: return std::nullopt;
  }
}

// --- fitting all arguments to one schema ---

struct Match {
  c10::Stack stack;
  int distance = 0;
};

/// `x.reshape(2, 3)` and `einsum(text, a, b)`: what follows a list parameter's place is the list.
std::optional<Arguments> gathered(const FunctionSchema& schema, const Arguments& given) {
  const auto& parameters = schema.arguments();
  for (size_t place = 0; place < parameters.size() && place < given.positional.size(); ++place) {
    const auto* list = parameters[place].real_type()->castRaw<c10::ListType>();
    if (!list || parameters[place].N()) continue;
    auto first = given.positional.begin() + static_cast<std::ptrdiff_t>(place);
    if (first->items()) return std::nullopt;
    Arguments changed{{given.positional.begin(), first}, given.keywords};
    changed.positional.push_back(Value::list({first, given.positional.end()}));
    return changed;
  }
  return std::nullopt;
}

std::optional<Match> match(const std::string& name, const FunctionSchema& schema, const Arguments& given) {
  bool wrap_numbers = wraps_numbers(name);
  Match found;
  size_t place = 0, used_keywords = 0;
  for (const c10::Argument& parameter : schema.arguments()) {
    const Value* value = nullptr;
    if (!parameter.kwarg_only() && place < given.positional.size()) {
      value = &given.positional[place++];
    } else {
      for (const auto& [keyword, content] : given.keywords) {
        if (keyword != parameter.name() && !(keyword == "input" && parameter.name() == "self")) continue;
        value = &content;
        ++used_keywords;
      }
    }
    if (!value) {
      if (!parameter.default_value()) return std::nullopt;
      found.stack.push_back(*parameter.default_value());
      continue;
    }
    MaybeFitted fitted = fit(*value, *parameter.real_type(), parameter, wrap_numbers);
    if (!fitted) return std::nullopt;
    // A plain number and a tensor of one: the overloads for plain numbers of these few operations
    // are left to TorchScript, and have other derivatives.
    if (wrap_numbers && parameter.real_type()->kind() == TypeKind::NumberType && parameter.name() == "other")
      fitted->distance = kWrapped + 1;
    found.distance += fitted->distance;
    found.stack.push_back(std::move(fitted->value));
  }
  if (place < given.positional.size() || used_keywords < given.keywords.size()) return std::nullopt;
  return found;
}

bool takes(const Overloads& overloads, const std::string& keyword) {
  for (const auto& overload : overloads)
    for (const c10::Argument& parameter : overload.schema().arguments())
      if (parameter.name() == keyword) return true;
  return false;
}

// --- results ---

Value from_ivalue(const IValue& value, const c10::Type& type) {
  if (value.isNone()) return {};
  if (value.isTensor()) return Value(value.toTensor());
  if (type.kind() == TypeKind::ScalarTypeType) return Value(value.toScalarType());
  if (value.isBool()) return Value(value.toBool());
  if (value.isScalar()) return from_scalar(value.toScalar());
  if (value.isTensorList()) {
    return Value::tuple_of(value.toTensorVector());
  }
  if (value.isIntList()) {
    std::vector<Value> items;
    for (int64_t number : value.toIntVector()) items.emplace_back(number);
    return Value::tuple(std::move(items));
  }
  throw Unsupported("a result of type " + value.tagKind());
}

Value results(const FunctionSchema& schema, const c10::Stack& stack) {
  const auto& returns = schema.returns();
  if (returns.empty()) return {};
  if (returns.size() == 1) return from_ivalue(stack.front(), *returns.front().real_type());
  std::vector<Value> items;
  std::vector<std::string> names;
  for (size_t i = 0; i < returns.size(); ++i) {
    items.push_back(from_ivalue(stack[i], *returns[i].real_type()));
    names.push_back(returns[i].name());
  }
  return Value::tuple(std::move(items), std::move(names));
}

}  // namespace

bool has_operation(const std::string& name) { return operations().count(name) > 0; }

Value call_operation(const std::string& name, std::vector<Value> positional) {
  return call_operation(name, Arguments{std::move(positional), {}});
}

Value call_operation(const std::string& name, Arguments arguments) {
  auto entry = operations().find(name);
  if (entry == operations().end()) throw Unsupported(name);
  const Overloads& overloads = entry->second;

  // torch::zeros and its like take `requires_grad` among their options; the operations beneath do not.
  Value requires_grad(false);
  if (!takes(overloads, "requires_grad")) arguments.take_keyword("requires_grad", requires_grad);

  const c10::OperatorHandle* best = nullptr;
  std::optional<Match> best_match;
  for (const auto& overload : overloads) {
    std::optional<Match> found = match(name, overload.schema(), arguments);
    if (!found) {
      if (auto changed = gathered(overload.schema(), arguments)) found = match(name, overload.schema(), *changed);
      if (found) found->distance += kGathered;
    }
    if (found && (!best_match || found->distance < best_match->distance)) {
      best = &overload;
      best_match = std::move(found);
    }
  }
  if (!best) {
    for (const auto& [keyword, value] : arguments.keywords)
      if (keyword != "input" && !takes(overloads, keyword)) throw Unsupported("the keyword " + keyword + " of " + name);
    std::string types;
    for (const Value& value : arguments.positional) types += (types.empty() ? "" : ", ") + value.type_name();
    throw Unsupported(name + "(" + types + (arguments.keywords.empty() ? ")" : ", ...)"));
  }
  c10::Stack stack = std::move(best_match->stack);
  best->callBoxed(stack);
  Value result = results(best->schema(), stack);
  if (to_bool(requires_grad)) to_tensor(result).set_requires_grad(true);
  return result;
}

}  // namespace harness
