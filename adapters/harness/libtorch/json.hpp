// JSON as the protocol uses it: a value, a parser and a writer. Nothing here knows of tensors.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace harness {

/// The line is no JSON, or not what the protocol promises. The harness cannot go on from that.
struct MalformedJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // few keys, kept in their order

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : content_(value) {}
  Json(int value) : content_(static_cast<int64_t>(value)) {}
  Json(int64_t value) : content_(value) {}
  Json(double value) : content_(value) {}
  Json(const char* value) : content_(std::string(value)) {}
  Json(std::string value) : content_(std::move(value)) {}
  Json(Array value) : content_(std::move(value)) {}
  Json(Object value) : content_(std::move(value)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(content_); }
  bool is_object() const { return std::holds_alternative<Object>(content_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(content_); }

  bool boolean() const { return as<bool>("a boolean"); }
  int64_t integer() const { return as<int64_t>("an integer"); }
  const std::string& text() const { return as<std::string>("text"); }
  const Array& array() const { return as<Array>("an array"); }
  const Object& object() const { return as<Object>("an object"); }
  /// A number; {"number": "nan" | "inf" | "-inf"} stands for what JSON cannot say.
  double number() const;

  /// The value of a key, or null if the object has none.
  const Json& operator[](std::string_view key) const;

  std::string write() const;

 private:
  template <class T>
  const T& as(const char* what) const {
    if (const T* found = std::get_if<T>(&content_)) return *found;
    throw MalformedJson(std::string("the JSON should have ") + what + " here");
  }
  void write_to(std::string& out) const;

  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> content_;
};

/// Throws MalformedJson for text that is no JSON.
Json parse_json(std::string_view text);

/// A number as the protocol writes it.
Json number_json(double value);

}  // namespace harness
