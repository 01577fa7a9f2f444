// What a program's variables hold: plain values, containers, and libtorch's own tensors and nodes.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>

namespace harness {

class Value;

/// libtorch has changed the smart pointer that holds its nodes; this is whichever it has now.
using NodePointer = std::remove_cvref_t<decltype(std::declval<const at::Tensor&>().grad_fn())>;
using Complex = std::complex<double>;
using Tensors = std::vector<at::Tensor>;

struct List {
  std::vector<Value> items;
};

struct Tuple {
  std::vector<Value> items;
  std::vector<std::string> names;  // of the parts, where libtorch names them
};

struct Dict {
  std::vector<std::pair<Value, Value>> items;
};

/// Arguments of a call. Those that `take` asks for are removed, so that `finish` sees what is left.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;

  bool empty() const { return positional.empty() && keywords.empty(); }
  /// The keyword's value if it was given; it is removed.
  bool take_keyword(const std::string& name, Value& found);
};

/// Everything that is not a plain value: functions, contexts, handles, classes and so on.
struct Object : std::enable_shared_from_this<Object> {
  virtual ~Object() = default;
  virtual std::string type_name() const = 0;
  virtual Value call(Arguments arguments);
  virtual Value method(const std::string& name, Arguments arguments);
  virtual Value attribute(const std::string& name);
  virtual void set_attribute(const std::string& name, Value value);
  virtual Value item(const Value& index);
  /// Python's `==`; identity unless a class says more.
  virtual bool equals(const Object& other) const { return this == &other; }
};

class Value {
 public:
  using Content =
      std::variant<std::monostate, bool, int64_t, double, Complex, std::string, at::Tensor, at::ScalarType,
                   NodePointer, std::shared_ptr<List>, std::shared_ptr<Tuple>, std::shared_ptr<Dict>,
                   std::shared_ptr<Object>>;

  Value() = default;
  Value(int value) : content_(static_cast<int64_t>(value)) {}
  Value(const char* value) : content_(std::string(value)) {}
  /// libtorch's undefined tensor and empty node are what a program calls None.
  Value(at::Tensor value) {
    if (value.defined()) content_ = std::move(value);
  }
  Value(NodePointer value) {
    if (value) content_ = std::move(value);
  }
  template <class T>
    requires(std::same_as<T, bool> || std::same_as<T, int64_t> || std::same_as<T, double> ||
             std::same_as<T, Complex> || std::same_as<T, std::string> || std::same_as<T, at::ScalarType> ||
             std::same_as<T, std::shared_ptr<List>> || std::same_as<T, std::shared_ptr<Tuple>> ||
             std::same_as<T, std::shared_ptr<Dict>>)
  Value(T value) : content_(std::move(value)) {}
  template <class T>
    requires std::derived_from<T, Object>
  Value(std::shared_ptr<T> value) : content_(std::shared_ptr<Object>(std::move(value))) {}

  static Value list(std::vector<Value> items) { return Value(std::make_shared<List>(List{std::move(items)})); }
  static Value tuple(std::vector<Value> items, std::vector<std::string> names = {}) {
    return Value(std::make_shared<Tuple>(Tuple{std::move(items), std::move(names)}));
  }

  static Value tuple_of(const Tensors& tensors);

  template <class T>
  const T* get() const {
    return std::get_if<T>(&content_);
  }
  /// The object behind the value if it is one of this class, else null.
  template <class T>
  std::shared_ptr<T> object() const {
    const auto* found = get<std::shared_ptr<Object>>();
    return found ? std::dynamic_pointer_cast<T>(*found) : nullptr;
  }
  const at::Tensor* tensor() const { return get<at::Tensor>(); }
  /// The items of a list or tuple, else null.
  const std::vector<Value>* items() const;

  bool is_none() const { return std::holds_alternative<std::monostate>(content_); }
  bool is_number() const;  // booleans count, as they do in Python
  std::string type_name() const;
  const Content& content() const { return content_; }

 private:
  Content content_;
};

/// A function that the harness itself offers.
struct NativeFunction : Object {
  using Body = std::function<Value(Arguments)>;
  NativeFunction(std::string name, Body body) : name(std::move(name)), body(std::move(body)) {}
  std::string type_name() const override { return "builtin_function_or_method"; }
  Value call(Arguments arguments) override { return body(std::move(arguments)); }

  std::string name;
  Body body;
};

struct Device : Object {
  explicit Device(c10::Device device) : device(device) {}
  std::string type_name() const override { return "device"; }
  bool equals(const Object& other) const override {
    const auto* found = dynamic_cast<const Device*>(&other);
    return found && found->device == device;
  }

  c10::Device device;
};

struct EllipsisMark : Object {
  std::string type_name() const override { return "ellipsis"; }
};

struct Slice : Object {
  Slice(Value from, Value to, Value step) : from(std::move(from)), to(std::move(to)), step(std::move(step)) {}
  std::string type_name() const override { return "slice"; }

  Value from, to, step;
};

Value call_value(const Value& function, std::vector<Value> positional);
Value call_value(const Value& function, Arguments arguments);

/// Reads the arguments of a native function by position or name, then complains about the rest.
class ArgumentReader {
 public:
  ArgumentReader(std::string function, Arguments arguments)
      : function_(std::move(function)), arguments_(std::move(arguments)) {}

  /// The next positional argument, or the keyword; `fallback` where neither was given.
  Value optional(const std::string& name, Value fallback = {});
  Value required(const std::string& name);
  bool flag(const std::string& name, bool fallback);
  std::vector<Value> rest();
  /// Throws Unsupported if an argument was given that libtorch does not take.
  void finish();

 private:
  bool next(const std::string& name, Value& found);

  std::string function_;
  Arguments arguments_;
  size_t at_ = 0;
};

// --- conversions; each throws Unsupported for a type that C++ could not even compile ---
bool to_bool(const Value& value);
int64_t to_int(const Value& value);
double to_double(const Value& value);
std::string to_text(const Value& value);
at::Tensor to_tensor(const Value& value);
/// None becomes the undefined tensor.
at::Tensor to_optional_tensor(const Value& value);
at::Scalar to_scalar(const Value& value);
Value from_scalar(const at::Scalar& scalar);
/// One tensor, or a list or tuple of tensors and None.
Tensors to_tensors(const Value& value);

bool truth(const Value& value);
/// Python's `is`.
bool identical(const Value& left, const Value& right);
/// The values that a `for` goes through.
std::vector<Value> iterate(const Value& value);

}  // namespace harness
