#include "words.hpp"

#include <sstream>
#include <unordered_map>

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/serialize.h>

#include "custom_function.hpp"
#include "derivatives.hpp"
#include "errors.hpp"
#include "indexing.hpp"
#include "members.hpp"
#include "modules.hpp"
#include "operations.hpp"

namespace harness {

namespace {

using Body = NativeFunction::Body;

// --- contexts ---

template <class State>
struct Holding : Guard {
  explicit Holding(bool mode) : state(mode) {}
  State state;
};

template <class State>
Value context(const char* name, bool mode) {
  return Value(std::make_shared<Context>(name, [mode] { return std::make_unique<Holding<State>>(mode); }));
}

/// A block in which nothing is different.
struct Nothing {
  explicit Nothing(bool) {}
};

/// A word that makes a context, with or without a flag of its own.
template <class State>
Body context_word(const char* name, std::optional<bool> fixed) {
  return [name, fixed](Arguments arguments) {
    ArgumentReader reader(name, std::move(arguments));
    bool mode = fixed ? *fixed : reader.flag("mode", true);
    reader.finish();
    return context<State>(name, mode);
  };
}

/// As a plain call it takes effect at once; a `with` puts the mode of before back.
struct GradModeContext : Context {
  GradModeContext(bool before, bool mode)
      : Context("set_grad_enabled", [before, mode]() -> std::unique_ptr<Guard> {
          at::GradMode::set_enabled(before);
          return std::make_unique<Holding<torch::autograd::AutoGradMode>>(mode);
        }) {}
};

Value set_grad_enabled(Arguments arguments) {
  ArgumentReader reader("set_grad_enabled", std::move(arguments));
  bool mode = to_bool(reader.required("mode"));
  reader.finish();
  bool before = at::GradMode::is_enabled();
  at::GradMode::set_enabled(mode);
  return Value(std::make_shared<GradModeContext>(before, mode));
}

// --- weak references ---

struct WeakReference : Object {
  explicit WeakReference(std::function<bool()> is_alive) : is_alive(std::move(is_alive)) {}
  std::string type_name() const override { return "weakref"; }

  std::function<bool()> is_alive;
};

Value weak(Arguments arguments) {
  ArgumentReader reader("weak", std::move(arguments));
  Value target = reader.required("x");
  reader.finish();
  std::function<bool()> is_alive;
  if (const auto* tensor = target.tensor()) {
    c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl> reference(tensor->getIntrusivePtr());
    is_alive = [reference] { return !reference.expired(); };
  } else if (const auto* object = target.get<std::shared_ptr<Object>>()) {
    std::weak_ptr<Object> reference(*object);
    is_alive = [reference] { return !reference.expired(); };
  } else {
    throw Unsupported("a weak reference to a " + target.type_name());
  }
  return Value(std::make_shared<WeakReference>(std::move(is_alive)));
}

Value alive(Arguments arguments) {
  ArgumentReader reader("alive", std::move(arguments));
  auto reference = reader.required("w").object<WeakReference>();
  reader.finish();
  if (!reference) throw Broken("TypeError", "alive takes a weak reference");
  return Value(reference->is_alive());
}

// --- Python's own ---

Value range(Arguments arguments) {
  ArgumentReader reader("range", std::move(arguments));
  std::vector<Value> given = reader.rest();
  reader.finish();
  if (given.empty() || given.size() > 3) throw Broken("TypeError", "range takes one to three integers");
  int64_t start = given.size() > 1 ? to_int(given[0]) : 0;
  int64_t end = to_int(given[given.size() > 1 ? 1 : 0]);
  int64_t step = given.size() > 2 ? to_int(given[2]) : 1;
  if (step == 0) throw Broken("ValueError", "range needs a step other than 0");
  std::vector<Value> numbers;
  for (int64_t i = start; step > 0 ? i < end : i > end; i += step) numbers.emplace_back(i);
  return Value::list(std::move(numbers));
}

Value length(const Value& value) {
  if (const auto* items = value.items()) return Value(static_cast<int64_t>(items->size()));
  if (const auto* text = value.get<std::string>()) return Value(static_cast<int64_t>(text->size()));
  if (const auto* tensor = value.tensor()) {
    if (tensor->dim() == 0) throw Unsupported("len of a tensor without dimensions");
    return Value(tensor->size(0));
  }
  return Value(static_cast<int64_t>(iterate(value).size()));
}

Value zip(Arguments arguments) {
  ArgumentReader reader("zip", std::move(arguments));
  std::vector<std::vector<Value>> columns;
  for (const Value& column : reader.rest()) columns.push_back(iterate(column));
  reader.finish();
  std::vector<Value> rows;
  for (size_t i = 0; !columns.empty(); ++i) {
    std::vector<Value> row;
    for (const auto& column : columns) {
      if (i == column.size()) return Value::list(std::move(rows));
      row.push_back(column[i]);
    }
    rows.push_back(Value::tuple(std::move(row)));
  }
  return Value::list(std::move(rows));
}

Value enumerate(const Value& value) {
  std::vector<Value> rows;
  for (Value& item : iterate(value)) rows.push_back(Value::tuple({Value(static_cast<int64_t>(rows.size())), item}));
  return Value::list(std::move(rows));
}

Value to_integer(const Value& value) {
  if (const auto* real = value.get<double>()) return Value(static_cast<int64_t>(*real));
  return Value(to_int(value));
}

// --- functions of libtorch that are no operations ---

c10::Device device_of(const Value& value) {
  auto found = value.object<Device>();
  return found ? found->device : c10::Device(to_text(value));
}

Value tensor(Arguments arguments) {
  ArgumentReader reader("tensor", std::move(arguments));
  Value data = reader.required("data");
  Value dtype = reader.optional("dtype");
  bool requires_grad = reader.flag("requires_grad", false);
  Value device = reader.optional("device");
  reader.finish();
  std::optional<at::ScalarType> wanted;
  if (!dtype.is_none()) {
    if (!dtype.get<at::ScalarType>()) throw Unsupported("a dtype of type " + dtype.type_name());
    wanted = *dtype.get<at::ScalarType>();
  }
  at::Tensor made = tensor_of(data, wanted);
  if (!device.is_none()) made = made.to(device_of(device));
  if (requires_grad) made.set_requires_grad(true);
  return Value(made);
}

Value shares_storage(Arguments arguments) {
  ArgumentReader reader("shares_storage", std::move(arguments));
  at::Tensor first = to_tensor(reader.required("a")), second = to_tensor(reader.required("b"));
  reader.finish();
  return Value(first.storage().is_alias_of(second.storage()));
}

Value call(Arguments arguments) {
  if (arguments.positional.empty()) throw Broken("TypeError", "call needs a function");
  Value function = arguments.positional.front();
  arguments.positional.erase(arguments.positional.begin());
  return call_value(function, std::move(arguments));
}

/// The operation beneath gives the places of the values as well.
Value unique(Arguments arguments) {
  ArgumentReader reader("unique", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  reader.finish();
  return Value(std::get<0>(at::_unique2(input)));
}

/// A function of one argument.
Body unary_body(const char* name, Value (*body)(const Value&)) {
  return [name, body](Arguments arguments) {
    ArgumentReader reader(name, std::move(arguments));
    Value argument = reader.required("x");
    reader.finish();
    return body(argument);
  };
}

/// A function of no argument.
Body nullary_body(const char* name, Value (*body)()) {
  return [name, body](Arguments arguments) {
    ArgumentReader(name, std::move(arguments)).finish();
    return body();
  };
}

std::unordered_map<std::string, Body> make_functions() {
  std::unordered_map<std::string, Body> table = {
      {"tensor", tensor},
      {"call", call},
      {"shares_storage", shares_storage},
      {"unique", unique},
      {"weak", weak},
      {"alive", alive},
      {"range", range},
      {"zip", zip},
      {"vjp", vjp},
      {"jvp", jvp},
      {"autograd.grad", autograd_grad},
      {"autograd.backward", autograd_backward},
      {"set_grad_enabled", set_grad_enabled},
      {"no_grad", context_word<torch::autograd::AutoGradMode>("no_grad", false)},
      {"enable_grad", context_word<torch::autograd::AutoGradMode>("enable_grad", true)},
      {"inference_mode", context_word<c10::InferenceMode>("inference_mode", std::nullopt)},
      {"without_collector", context_word<Nothing>("without_collector", true)},  // C++ has no collector
  };
  table.merge(module_functions());
  auto unary = [&](const char* name, Value (*body)(const Value&)) { table[name] = unary_body(name, body); };
  auto nullary = [&](const char* name, Value (*body)()) { table[name] = nullary_body(name, body); };

  unary("is_tensor", [](const Value& x) { return Value(x.tensor() != nullptr); });
  unary("is_node", [](const Value& x) { return Value(x.get<NodePointer>() != nullptr); });
  unary("is_inference", [](const Value& x) { return Value(to_tensor(x).is_inference()); });
  unary("numel", [](const Value& x) { return Value(to_tensor(x).numel()); });
  unary("device", [](const Value& x) { return Value(std::make_shared<Device>(device_of(x))); });
  unary("saved_and_loaded", [](const Value& x) {
    std::stringstream file;
    torch::save(to_tensor(x), file);
    at::Tensor loaded;
    torch::load(loaded, file);
    return Value(loaded);
  });
  unary("autograd.graph.increment_version", [](const Value& x) {
    for (const at::Tensor& tensor : to_tensors(x)) torch::autograd::impl::bump_version(tensor);
    return Value();
  });
  unary("len", length);
  unary("list", [](const Value& x) { return Value::list(iterate(x)); });
  unary("tuple", [](const Value& x) { return x.get<std::shared_ptr<Tuple>>() ? x : Value::tuple(iterate(x)); });
  unary("enumerate", enumerate);
  unary("float", [](const Value& x) { return Value(to_double(x)); });
  unary("int", to_integer);
  unary("bool", [](const Value& x) { return Value(truth(x)); });
  unary("manual_seed", [](const Value& x) {
    at::manual_seed(static_cast<uint64_t>(to_int(x)));
    return Value();
  });
  unary("set_default_dtype", [](const Value& x) {
    if (!x.get<at::ScalarType>()) throw Unsupported("a default dtype of type " + x.type_name());
    c10::set_default_dtype(c10::scalarTypeToTypeMeta(*x.get<at::ScalarType>()));
    return Value();
  });
  nullary("is_grad_enabled", [] { return Value(at::GradMode::is_enabled()); });
  nullary("is_inference_mode_enabled", [] { return Value(c10::InferenceMode::is_enabled()); });
  nullary("get_default_dtype", [] { return Value(c10::typeMetaToScalarType(c10::get_default_dtype())); });
  nullary("cuda.is_available", [] { return Value(at::hasCUDA()); });
  nullary("collect", [] { return Value(); });  // C++ frees at once, and has nothing to collect
  table["stop"] = [](Arguments arguments) -> Value {
    ArgumentReader reader("stop", std::move(arguments));
    throw ProgramStop(to_text(reader.optional("text", Value("stopped"))));
  };
  return table;
}

const std::unordered_map<std::string, at::ScalarType>& dtypes() {
  static const std::unordered_map<std::string, at::ScalarType> table = {
      {"float16", at::kHalf},   {"bfloat16", at::kBFloat16}, {"float32", at::kFloat},
      {"float64", at::kDouble}, {"uint8", at::kByte},        {"int8", at::kChar},
      {"int16", at::kShort},    {"int32", at::kInt},         {"int64", at::kLong},
      {"complex64", at::kComplexFloat}, {"complex128", at::kComplexDouble},
  };
  return table;
}

Value make_word(const std::string& word) {
  static const auto functions = make_functions();
  if (auto found = functions.find(word); found != functions.end())
    return Value(std::make_shared<NativeFunction>(word, found->second));
  if (auto found = dtypes().find(word); found != dtypes().end()) return Value(found->second);
  if (word == "autograd.Function") return Value(std::make_shared<FunctionBase>());
  if (word == "trace" || word == "traced") return {};  // the interpreter's own
  // A word in the place of a context or a class would not be found among the operations.
  std::string operation = word;  // linalg.vector_norm is the operation linalg_vector_norm
  std::replace(operation.begin(), operation.end(), '.', '_');
  if (has_operation(operation))
    return Value(std::make_shared<NativeFunction>(
        word, [operation](Arguments arguments) { return call_operation(operation, std::move(arguments)); }));
  throw Unsupported(word);
}

}  // namespace

Value Context::call(Arguments) { throw Unsupported(name + " as a decorator"); }

Value find_word(const std::string& word) {
  static std::unordered_map<std::string, Value> known;  // one object for each word, so that `is` holds
  auto found = known.find(word);
  if (found == known.end()) found = known.emplace(word, make_word(word)).first;
  return found->second;
}

}  // namespace harness
