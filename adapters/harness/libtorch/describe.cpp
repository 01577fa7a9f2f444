#include "describe.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "errors.hpp"

namespace harness {

namespace {

Json keyed(const char* key, Json value) { return Json(Json::Object{{key, std::move(value)}}); }

Json complex_json(double real, double imaginary) {
  return Json(Json::Array{number_json(real), number_json(imaginary)});
}

template <class T, class Write>
Json::Array elements(const at::Tensor& plain, at::ScalarType dtype, Write write) {
  // What is known to be zero has no memory to read until it is copied.
  at::Tensor ready = (plain._is_zerotensor() ? plain.clone() : plain).to(dtype).contiguous();
  const T* data = ready.const_data_ptr<T>();
  Json::Array values;
  values.reserve(static_cast<size_t>(ready.numel()));
  for (int64_t i = 0; i < ready.numel(); ++i) values.push_back(write(data[i]));
  return values;
}

Json::Array values_of(const at::Tensor& plain) {
  if (plain.is_complex())
    return elements<c10::complex<double>>(plain, at::kComplexDouble,
                                          [](auto number) { return complex_json(number.real(), number.imag()); });
  if (plain.is_floating_point())
    return elements<double>(plain, at::kDouble, [](double number) { return number_json(number); });
  if (plain.scalar_type() == at::kBool) return elements<bool>(plain, at::kBool, [](bool truth) { return Json(truth); });
  return elements<int64_t>(plain, at::kLong, [](int64_t number) { return Json(number); });
}

Json describe_tensor(const at::Tensor& tensor) {
  at::NoGradGuard no_grad;
  at::Tensor plain = tensor.detach().cpu().resolve_conj().resolve_neg();
  Json::Array shape;
  for (int64_t length : plain.sizes()) shape.emplace_back(length);
  return keyed("tensor", Json(Json::Object{{"dtype", dtype_name(plain.scalar_type())},
                                           {"shape", Json(std::move(shape))},
                                           {"values", Json(values_of(plain))}}));
}

Json describe_items(const std::vector<Value>& items) {
  Json::Array written;
  for (const Value& item : items) written.push_back(describe(item));
  return Json(std::move(written));
}

}  // namespace

std::string dtype_name(at::ScalarType dtype) {
  switch (dtype) {
    case at::kByte: return "uint8";
    case at::kChar: return "int8";
    case at::kShort: return "int16";
    case at::kInt: return "int32";
    case at::kLong: return "int64";
    case at::kHalf: return "float16";
    case at::kFloat: return "float32";
    case at::kDouble: return "float64";
    case at::kBFloat16: return "bfloat16";
    case at::kComplexFloat: return "complex64";
    case at::kComplexDouble: return "complex128";
    case at::kBool: return "bool";
    default: return c10::toString(dtype);
  }
}

Json describe(const Value& value) {
  if (value.is_none()) return Json();
  if (const auto* found = value.get<bool>()) return Json(*found);
  if (const auto* found = value.get<int64_t>()) return Json(*found);
  if (const auto* found = value.get<double>()) return number_json(*found);
  if (const auto* found = value.get<Complex>()) return keyed("complex", complex_json(found->real(), found->imag()));
  if (const auto* found = value.get<std::string>()) return Json(*found);
  if (const auto* found = value.tensor()) return describe_tensor(*found);
  if (const auto* found = value.get<at::ScalarType>()) return keyed("dtype", dtype_name(*found));
  if (const auto* found = value.get<NodePointer>()) return keyed("node", (*found)->name());
  if (const auto* found = value.get<std::shared_ptr<List>>()) return keyed("list", describe_items((*found)->items));
  if (const auto* found = value.get<std::shared_ptr<Tuple>>()) return keyed("tuple", describe_items((*found)->items));
  if (const auto* found = value.get<std::shared_ptr<Dict>>()) {
    Json::Array pairs;
    for (const auto& [key, item] : (*found)->items) pairs.emplace_back(Json::Array{describe(key), describe(item)});
    return keyed("dict", Json(std::move(pairs)));
  }
  if (auto found = value.object<Described>()) return found->plain;
  return keyed("object", value.type_name());
}

}  // namespace harness
