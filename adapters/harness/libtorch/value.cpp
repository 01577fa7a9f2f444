#include "value.hpp"

#include "errors.hpp"

namespace harness {

bool Arguments::take_keyword(const std::string& name, Value& found) {
  for (size_t i = 0; i < keywords.size(); ++i) {
    if (keywords[i].first != name) continue;
    found = std::move(keywords[i].second);
    keywords.erase(keywords.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

Value Object::call(Arguments) { throw Broken("TypeError", "'" + type_name() + "' is not callable"); }

Value Object::method(const std::string& name, Arguments arguments) {
  return call_value(attribute(name), std::move(arguments));
}

Value Object::attribute(const std::string& name) { throw Unsupported(type_name() + "." + name); }

void Object::set_attribute(const std::string& name, Value) {
  throw Unsupported("assigning " + type_name() + "." + name);
}

Value Value::tuple_of(const Tensors& tensors) {
  std::vector<Value> items;
  for (const at::Tensor& tensor : tensors) items.emplace_back(tensor);
  return tuple(std::move(items));
}

Value Object::item(const Value&) { throw Unsupported("indexing a " + type_name()); }

const std::vector<Value>* Value::items() const {
  if (const auto* list = get<std::shared_ptr<List>>()) return &(*list)->items;
  if (const auto* tuple = get<std::shared_ptr<Tuple>>()) return &(*tuple)->items;
  return nullptr;
}

bool Value::is_number() const {
  return get<bool>() || get<int64_t>() || get<double>() || get<Complex>();
}

std::string Value::type_name() const {
  static const char* const names[] = {"NoneType", "bool",  "int",  "float", "complex", "str", "Tensor",
                                      "dtype",    "Node",  "list", "tuple", "dict",    ""};
  if (const auto* found = get<std::shared_ptr<Object>>()) return (*found)->type_name();
  return names[content_.index()];
}

Value call_value(const Value& function, std::vector<Value> positional) {
  return call_value(function, Arguments{std::move(positional), {}});
}

Value call_value(const Value& function, Arguments arguments) {
  if (const auto* node = function.get<NodePointer>()) {
    Tensors found = (**node)(to_tensors(Value::list(std::move(arguments.positional))));
    return found.size() == 1 ? Value(found.front()) : Value::tuple_of(found);  // as Python's nodes do
  }
  const auto* object = function.get<std::shared_ptr<Object>>();
  if (!object) throw Broken("TypeError", "'" + function.type_name() + "' object is not callable");
  auto kept = *object;  // the call may drop the last variable that holds it
  return kept->call(std::move(arguments));
}

bool ArgumentReader::next(const std::string& name, Value& found) {
  if (at_ < arguments_.positional.size()) {
    found = std::move(arguments_.positional[at_++]);
    return true;
  }
  return arguments_.take_keyword(name, found);
}

Value ArgumentReader::optional(const std::string& name, Value fallback) {
  Value found;
  return next(name, found) ? found : fallback;
}

Value ArgumentReader::required(const std::string& name) {
  Value found;
  if (!next(name, found)) throw Unsupported(function_ + " without its argument " + name);
  return found;
}

bool ArgumentReader::flag(const std::string& name, bool fallback) {
  return to_bool(optional(name, Value(fallback)));
}

std::vector<Value> ArgumentReader::rest() {
  std::vector<Value> found;
  while (at_ < arguments_.positional.size()) found.push_back(std::move(arguments_.positional[at_++]));
  return found;
}

void ArgumentReader::finish() {
  if (at_ < arguments_.positional.size()) throw Unsupported(function_ + " with so many arguments");
  if (!arguments_.keywords.empty())
    throw Unsupported("the keyword " + arguments_.keywords.front().first + " of " + function_);
}

namespace {

[[noreturn]] void wrong_type(const char* wanted, const Value& found) {
  throw Unsupported(found.type_name() + " where C++ needs " + wanted);
}

}  // namespace

bool to_bool(const Value& value) {
  if (const auto* found = value.get<bool>()) return *found;
  wrong_type("a bool", value);
}

int64_t to_int(const Value& value) {
  if (const auto* found = value.get<int64_t>()) return *found;
  if (const auto* found = value.get<bool>()) return *found;
  if (const auto* found = value.tensor()) return found->item<int64_t>();
  wrong_type("an integer", value);
}

double to_double(const Value& value) {
  if (const auto* found = value.get<double>()) return *found;
  if (const auto* found = value.get<int64_t>()) return static_cast<double>(*found);
  if (const auto* found = value.get<bool>()) return *found;
  if (const auto* found = value.tensor()) return found->item<double>();
  wrong_type("a number", value);
}

std::string to_text(const Value& value) {
  if (const auto* found = value.get<std::string>()) return *found;
  wrong_type("text", value);
}

at::Tensor to_tensor(const Value& value) {
  if (const auto* found = value.tensor()) return *found;
  wrong_type("a tensor", value);
}

at::Tensor to_optional_tensor(const Value& value) { return value.is_none() ? at::Tensor() : to_tensor(value); }

at::Scalar to_scalar(const Value& value) {
  if (const auto* found = value.get<bool>()) return at::Scalar(*found);
  if (const auto* found = value.get<int64_t>()) return at::Scalar(*found);
  if (const auto* found = value.get<double>()) return at::Scalar(*found);
  if (const auto* found = value.get<Complex>()) return at::Scalar(c10::complex<double>(found->real(), found->imag()));
  wrong_type("a number", value);
}

Value from_scalar(const at::Scalar& scalar) {
  if (scalar.isBoolean()) return Value(scalar.to<bool>());
  if (scalar.isIntegral(/*includeBool=*/false)) return Value(scalar.to<int64_t>());
  if (scalar.isFloatingPoint()) return Value(scalar.to<double>());
  auto number = scalar.to<c10::complex<double>>();
  return Value(Complex(number.real(), number.imag()));
}

Tensors to_tensors(const Value& value) {
  const auto* items = value.items();
  if (!items) return {to_tensor(value)};
  Tensors found;
  for (const Value& item : *items) found.push_back(to_optional_tensor(item));
  return found;
}

bool truth(const Value& value) {
  if (value.is_none()) return false;
  if (const auto* found = value.get<bool>()) return *found;
  if (const auto* found = value.get<int64_t>()) return *found != 0;
  if (const auto* found = value.get<double>()) return *found != 0;
  if (const auto* found = value.get<Complex>()) return *found != Complex();
  if (const auto* found = value.get<std::string>()) return !found->empty();
  if (const auto* found = value.tensor()) return found->is_nonzero();
  if (const auto* found = value.get<std::shared_ptr<Dict>>()) return !(*found)->items.empty();
  if (const auto* found = value.items()) return !found->empty();
  return true;
}

bool identical(const Value& left, const Value& right) {
  if (left.content().index() != right.content().index()) return false;
  if (const auto* tensor = left.tensor()) return tensor->is_same(*right.tensor());
  if (const auto* node = left.get<NodePointer>()) return node->get() == right.get<NodePointer>()->get();
  return std::visit(
      [&](const auto& content) {
        using T = std::remove_cvref_t<decltype(content)>;
        if constexpr (std::is_same_v<T, at::Tensor> || std::is_same_v<T, NodePointer>) return false;
        else return content == *right.get<T>();
      },
      left.content());
}

std::vector<Value> iterate(const Value& value) {
  if (const auto* items = value.items()) return *items;
  if (const auto* tensor = value.tensor()) {
    TORCH_CHECK_TYPE(tensor->dim() > 0, "iteration over a 0-d tensor");
    std::vector<Value> rows;
    for (at::Tensor& row : tensor->unbind(0)) rows.emplace_back(std::move(row));
    return rows;
  }
  if (const auto* dict = value.get<std::shared_ptr<Dict>>()) {
    std::vector<Value> keys;
    for (const auto& [key, item] : (*dict)->items) keys.push_back(key);
    return keys;
  }
  throw Broken("TypeError", "'" + value.type_name() + "' object is not iterable");
}

}  // namespace harness
