#include "modules.hpp"

#include <torch/nn/functional/activation.h>
#include <torch/nn/functional/dropout.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/loss.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include "errors.hpp"
#include "indexing.hpp"
#include "operations.hpp"

namespace harness {

namespace {

using Body = NativeFunction::Body;
namespace nn = torch::nn;
namespace functional = torch::nn::functional;

// --- modules ---

struct Module : Object {
  Module(std::string name, nn::AnyModule any) : name(std::move(name)), any(std::move(any)), base(this->any.ptr()) {}
  /// A Sequential, which libtorch does not let stand where any other module may.
  Module(nn::Sequential made, std::vector<Value> parts)
      : name("Sequential"), sequential(made.ptr()), base(made.ptr()), parts(std::move(parts)) {}

  std::string type_name() const override { return name; }

  Value call(Arguments arguments) override {
    ArgumentReader reader(name, std::move(arguments));
    Tensors inputs;
    for (const Value& input : reader.rest()) inputs.push_back(to_tensor(input));
    reader.finish();
    if (inputs.size() == 1) return Value(sequential ? sequential->forward(inputs[0]) : any.forward(inputs[0]));
    if (sequential) throw Unsupported("nn.Sequential of several inputs");
    if (inputs.size() == 2) return Value(any.forward(inputs[0], inputs[1]));
    throw Unsupported(name + " of so many inputs");
  }

  Value attribute(const std::string& wanted) override {
    if (wanted == "training") return Value(base->is_training());
    for (const auto& table : {base->named_parameters(/*recurse=*/false), base->named_buffers(/*recurse=*/false)})
      if (const at::Tensor* found = table.find(wanted)) return Value(*found);
    bool has_bias = base->as<nn::Linear>() || base->as<nn::Conv2d>();
    if (wanted == "bias" && has_bias) return {};  // an undefined tensor, which the tables leave out
    throw Unsupported("a module's " + wanted);
  }

  Value method(const std::string& wanted, Arguments arguments) override;
  Value item(const Value& index) override { return get_item(Value::list(parts), index); }

  std::string name;
  nn::AnyModule any;
  std::shared_ptr<nn::SequentialImpl> sequential;
  std::shared_ptr<nn::Module> base;
  std::vector<Value> parts;  // of a Sequential
};

Value Module::method(const std::string& wanted, Arguments arguments) {
  Value self(std::static_pointer_cast<Module>(shared_from_this()));
  if (wanted == "forward") return call(std::move(arguments));
  ArgumentReader reader(wanted, std::move(arguments));
  if (wanted == "parameters") {
    reader.finish();
    return Value::tuple_of(base->parameters());
  }
  if (wanted == "named_parameters") {
    reader.finish();
    std::vector<Value> rows;
    for (const auto& entry : base->named_parameters())
      rows.push_back(Value::tuple({Value(entry.key()), Value(entry.value())}));
    return Value::list(std::move(rows));
  }
  if (wanted == "zero_grad") {
    bool set_to_none = reader.flag("set_to_none", true);
    reader.finish();
    base->zero_grad(set_to_none);
    return {};
  }
  if (wanted == "register_buffer") {
    std::string buffer = to_text(reader.required("name"));
    at::Tensor tensor = to_optional_tensor(reader.required("tensor"));
    reader.finish();
    base->register_buffer(buffer, tensor);
    return {};
  }
  if (wanted == "train") base->train(reader.flag("mode", true));
  else if (wanted == "eval") base->eval();
  else if (wanted == "double") base->to(at::kDouble);
  else if (wanted == "float") base->to(at::kFloat);
  else if (wanted == "half") base->to(at::kHalf);
  else throw Unsupported("a module's " + wanted);
  reader.finish();
  return self;
}

template <class Holder>
Value module(const char* name, const Holder& holder) {
  return Value(std::make_shared<Module>(name, nn::AnyModule(holder)));
}

Value linear(Arguments arguments) {
  ArgumentReader reader("nn.Linear", std::move(arguments));
  int64_t inputs = to_int(reader.required("in_features")), outputs = to_int(reader.required("out_features"));
  bool bias = reader.flag("bias", true);
  reader.finish();
  return module("Linear", nn::Linear(nn::LinearOptions(inputs, outputs).bias(bias)));
}

Value conv2d(Arguments arguments) {
  ArgumentReader reader("nn.Conv2d", std::move(arguments));
  int64_t inputs = to_int(reader.required("in_channels")), outputs = to_int(reader.required("out_channels"));
  int64_t kernel = to_int(reader.required("kernel_size"));
  int64_t stride = to_int(reader.optional("stride", Value(1))), padding = to_int(reader.optional("padding", Value(0)));
  bool bias = reader.flag("bias", true);
  reader.finish();
  return module("Conv2d",
                nn::Conv2d(nn::Conv2dOptions(inputs, outputs, kernel).stride(stride).padding(padding).bias(bias)));
}

template <class Holder>
Body batch_norm(const char* name) {
  return [name](Arguments arguments) {
    ArgumentReader reader(name, std::move(arguments));
    nn::BatchNormOptions options(to_int(reader.required("num_features")));
    options.eps(to_double(reader.optional("eps", Value(options.eps()))));
    options.momentum(to_double(reader.optional("momentum", Value(*options.momentum()))));
    reader.finish();
    return module(name, Holder(options));
  };
}

template <class Holder>
Body plain_module(const char* name) {
  return [name](Arguments arguments) {
    ArgumentReader(name, std::move(arguments)).finish();
    return module(name, Holder());
  };
}

Value relu_module(Arguments arguments) {
  ArgumentReader reader("nn.ReLU", std::move(arguments));
  bool inplace = reader.flag("inplace", false);
  reader.finish();
  return module("ReLU", nn::ReLU(nn::ReLUOptions().inplace(inplace)));
}

Value dropout_module(Arguments arguments) {
  ArgumentReader reader("nn.Dropout", std::move(arguments));
  double p = to_double(reader.optional("p", Value(0.5)));
  bool inplace = reader.flag("inplace", false);
  reader.finish();
  return module("Dropout", nn::Dropout(nn::DropoutOptions(p).inplace(inplace)));
}

Value sequential(Arguments arguments) {
  ArgumentReader reader("nn.Sequential", std::move(arguments));
  std::vector<Value> parts = reader.rest();
  reader.finish();
  nn::Sequential made;
  for (const Value& part : parts) {
    auto found = part.object<Module>();
    if (!found || found->sequential) throw Unsupported("a part of nn.Sequential that is a " + part.type_name());
    made->push_back(found->any);
  }
  return Value(std::make_shared<Module>(made, std::move(parts)));
}

// --- losses and activations ---

functional::MSELossFuncOptions reduced(ArgumentReader& reader) {
  std::string reduction = to_text(reader.optional("reduction", Value("mean")));
  functional::MSELossFuncOptions options;
  if (reduction == "mean") return options.reduction(torch::kMean);
  if (reduction == "sum") return options.reduction(torch::kSum);
  if (reduction == "none") return options.reduction(torch::kNone);
  throw Unsupported("the reduction " + reduction);
}

Value mse_loss_module(Arguments arguments) {
  ArgumentReader reader("nn.MSELoss", std::move(arguments));
  nn::MSELossOptions options = reduced(reader);
  reader.finish();
  return module("MSELoss", nn::MSELoss(options));
}

Value mse_loss(Arguments arguments) {
  ArgumentReader reader("nn.functional.mse_loss", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input")), target = to_tensor(reader.required("target"));
  auto options = reduced(reader);
  reader.finish();
  return Value(functional::mse_loss(input, target, options));
}

Value relu(Arguments arguments) {
  ArgumentReader reader("nn.functional.relu", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  bool inplace = reader.flag("inplace", false);
  reader.finish();
  return Value(functional::relu(input, functional::ReLUFuncOptions().inplace(inplace)));
}

Value relu6(Arguments arguments) {
  ArgumentReader reader("nn.functional.relu6", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  bool inplace = reader.flag("inplace", false);
  reader.finish();
  return Value(functional::relu6(input, functional::ReLU6FuncOptions().inplace(inplace)));
}

Value leaky_relu(Arguments arguments) {
  ArgumentReader reader("nn.functional.leaky_relu", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  functional::LeakyReLUFuncOptions options;
  options.negative_slope(to_double(reader.optional("negative_slope", Value(options.negative_slope()))));
  options.inplace(reader.flag("inplace", false));
  reader.finish();
  return Value(functional::leaky_relu(input, options));
}

Value hardtanh(Arguments arguments) {
  ArgumentReader reader("nn.functional.hardtanh", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  functional::HardtanhFuncOptions options;
  options.min_val(to_double(reader.optional("min_val", Value(options.min_val()))));
  options.max_val(to_double(reader.optional("max_val", Value(options.max_val()))));
  options.inplace(reader.flag("inplace", false));
  reader.finish();
  return Value(functional::hardtanh(input, options));
}

Value dropout(Arguments arguments) {
  ArgumentReader reader("nn.functional.dropout", std::move(arguments));
  at::Tensor input = to_tensor(reader.required("input"));
  functional::DropoutFuncOptions options;
  options.p(to_double(reader.optional("p", Value(options.p()))));
  options.training(reader.flag("training", true));
  options.inplace(reader.flag("inplace", false));
  reader.finish();
  return Value(functional::dropout(input, options));
}

/// Functions of torch::nn::functional that are plain operations.
Body operation(const char* name) {
  return [name](Arguments arguments) { return call_operation(name, std::move(arguments)); };
}

// --- optimizers ---

struct Optimizer : Object {
  Optimizer(std::string name, std::unique_ptr<torch::optim::Optimizer> optimizer)
      : name(std::move(name)), optimizer(std::move(optimizer)) {}

  std::string type_name() const override { return name; }

  Value method(const std::string& wanted, Arguments arguments) override {
    ArgumentReader reader(wanted, std::move(arguments));
    if (wanted == "zero_grad") {
      bool set_to_none = reader.flag("set_to_none", true);
      reader.finish();
      optimizer->zero_grad(set_to_none);
      return {};
    }
    if (wanted != "step") throw Unsupported("an optimizer's " + wanted);
    Value closure = reader.optional("closure");
    reader.finish();
    if (closure.is_none()) return Value(optimizer->step());
    return Value(optimizer->step([closure] { return to_tensor(call_value(closure, std::vector<Value>{})); }));
  }

  std::string name;
  std::unique_ptr<torch::optim::Optimizer> optimizer;
};

Tensors parameters(ArgumentReader& reader) {
  Value given = reader.required("params");
  if (!given.items()) throw Unsupported("parameters of type " + given.type_name());
  return to_tensors(given);
}

Value sgd(Arguments arguments) {
  ArgumentReader reader("optim.SGD", std::move(arguments));
  Tensors given = parameters(reader);
  torch::optim::SGDOptions options(to_double(reader.optional("lr", Value(1e-3))));
  options.momentum(to_double(reader.optional("momentum", Value(0.0))));
  reader.finish();
  return Value(std::make_shared<Optimizer>("SGD", std::make_unique<torch::optim::SGD>(given, options)));
}

Value adam(Arguments arguments) {
  ArgumentReader reader("optim.Adam", std::move(arguments));
  Tensors given = parameters(reader);
  torch::optim::AdamOptions options(to_double(reader.optional("lr", Value(1e-3))));
  reader.finish();
  return Value(std::make_shared<Optimizer>("Adam", std::make_unique<torch::optim::Adam>(given, options)));
}

Value clip_grad_norm(Arguments arguments) {
  ArgumentReader reader("nn.utils.clip_grad_norm_", std::move(arguments));
  Tensors given = to_tensors(reader.required("parameters"));
  double bound = to_double(reader.required("max_norm"));
  reader.finish();
  return Value(nn::utils::clip_grad_norm_(given, bound));
}

Value clip_grad_value(Arguments arguments) {
  ArgumentReader reader("nn.utils.clip_grad_value_", std::move(arguments));
  Tensors given = to_tensors(reader.required("parameters"));
  double bound = to_double(reader.required("clip_value"));
  reader.finish();
  nn::utils::clip_grad_value_(given, bound);
  return {};
}

}  // namespace

std::unordered_map<std::string, Body> module_functions() {
  return {
      {"nn.Linear", linear},
      {"nn.Conv2d", conv2d},
      {"nn.BatchNorm1d", batch_norm<nn::BatchNorm1d>("BatchNorm1d")},
      {"nn.BatchNorm2d", batch_norm<nn::BatchNorm2d>("BatchNorm2d")},
      {"nn.ReLU", relu_module},
      {"nn.Sigmoid", plain_module<nn::Sigmoid>("Sigmoid")},
      {"nn.Tanh", plain_module<nn::Tanh>("Tanh")},
      {"nn.Dropout", dropout_module},
      {"nn.MSELoss", mse_loss_module},
      {"nn.Sequential", sequential},
      {"nn.functional.relu", relu},
      {"nn.functional.relu6", relu6},
      {"nn.functional.leaky_relu", leaky_relu},
      {"nn.functional.hardtanh", hardtanh},
      {"nn.functional.dropout", dropout},
      {"nn.functional.mse_loss", mse_loss},
      {"nn.functional.linear", operation("linear")},
      {"nn.functional.softmax", operation("softmax")},
      {"nn.functional.conv2d", operation("conv2d")},
      {"nn.utils.clip_grad_norm_", clip_grad_norm},
      {"nn.utils.clip_grad_value_", clip_grad_value},
      {"optim.SGD", sgd},
      {"optim.Adam", adam},
  };
}

}  // namespace harness
