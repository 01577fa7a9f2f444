// Python's operators: tensors through libtorch's operations, plain values as Python computes them.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "errors.hpp"
#include "operations.hpp"

namespace harness {

namespace {

struct TensorOperator {
  const char* name;       // left and right as they stand
  const char* in_place;   // "" where tensors have none
  const char* reflected;  // with the tensor first, for a plain number on the left; "" to keep the order
};

const std::unordered_map<std::string, TensorOperator>& tensor_operators() {
  static const std::unordered_map<std::string, TensorOperator> table = {
      {"+", {"add", "add_", "add"}},
      {"-", {"sub", "sub_", "rsub"}},
      {"*", {"mul", "mul_", "mul"}},
      {"/", {"div", "div_", ""}},
      {"**", {"pow", "pow_", ""}},
      {"@", {"matmul", "", ""}},
      {"//", {"floor_divide", "floor_divide_", ""}},
      {"%", {"remainder", "remainder_", ""}},
      {"&", {"__and__", "__iand__", "__and__"}},
      {"|", {"__or__", "__ior__", "__or__"}},
      {"^", {"__xor__", "__ixor__", "__xor__"}},
      {"<<", {"__lshift__", "__ilshift__", ""}},
      {">>", {"__rshift__", "__irshift__", ""}},
  };
  return table;
}

[[noreturn]] void no_operator(const std::string& symbol, const Value& left, const Value& right) {
  throw Broken("TypeError",
               "unsupported operands for " + symbol + ": " + left.type_name() + " and " + right.type_name());
}

[[noreturn]] void division_by_zero() { throw Broken("ZeroDivisionError", "division by zero"); }

Value integers(const std::string& symbol, int64_t left, int64_t right) {
  if (symbol == "+") return Value(left + right);
  if (symbol == "-") return Value(left - right);
  if (symbol == "*") return Value(left * right);
  if (symbol == "&") return Value(left & right);
  if (symbol == "|") return Value(left | right);
  if (symbol == "^") return Value(left ^ right);
  if (symbol == "<<") return Value(left << right);
  if (symbol == ">>") return Value(left >> right);
  if (symbol == "**") {
    if (right < 0) return Value(std::pow(static_cast<double>(left), static_cast<double>(right)));
    int64_t product = 1;
    for (int64_t i = 0; i < right; ++i) product *= left;
    return Value(product);
  }
  if (right == 0) division_by_zero();
  if (symbol == "/") return Value(static_cast<double>(left) / static_cast<double>(right));
  int64_t rest = left % right;
  bool rounds_down = rest != 0 && (rest < 0) != (right < 0);
  if (symbol == "//") return Value(left / right - (rounds_down ? 1 : 0));
  if (symbol == "%") return Value(rest + (rounds_down ? right : 0));
  no_operator(symbol, Value(left), Value(right));
}

Value reals(const std::string& symbol, double left, double right) {
  if (symbol == "+") return Value(left + right);
  if (symbol == "-") return Value(left - right);
  if (symbol == "*") return Value(left * right);
  if (symbol == "**") return Value(std::pow(left, right));
  if (right == 0) division_by_zero();
  if (symbol == "/") return Value(left / right);
  if (symbol == "//") return Value(std::floor(left / right));
  if (symbol == "%") return Value(left - right * std::floor(left / right));
  no_operator(symbol, Value(left), Value(right));
}

Complex to_complex(const Value& value) {
  if (const auto* found = value.get<Complex>()) return *found;
  return Complex(to_double(value), 0);
}

Value complexes(const std::string& symbol, Complex left, Complex right) {
  if (symbol == "+") return Value(left + right);
  if (symbol == "-") return Value(left - right);
  if (symbol == "*") return Value(left * right);
  if (symbol == "**") return Value(std::pow(left, right));
  if (symbol == "/") {
    if (right == Complex()) division_by_zero();
    return Value(left / right);
  }
  no_operator(symbol, Value(left), Value(right));
}

Value numbers(const std::string& symbol, const Value& left, const Value& right) {
  if (left.get<Complex>() || right.get<Complex>()) return complexes(symbol, to_complex(left), to_complex(right));
  if (left.get<double>() || right.get<double>()) return reals(symbol, to_double(left), to_double(right));
  return integers(symbol, to_int(left), to_int(right));
}

Value sequences(const std::string& symbol, const Value& left, const Value& right) {
  bool is_list = left.get<std::shared_ptr<List>>() != nullptr;
  std::vector<Value> joined;
  if (symbol == "+" && left.content().index() == right.content().index()) {
    joined = *left.items();
    joined.insert(joined.end(), right.items()->begin(), right.items()->end());
  } else if (symbol == "*" && right.get<int64_t>()) {
    for (int64_t i = 0; i < *right.get<int64_t>(); ++i)
      joined.insert(joined.end(), left.items()->begin(), left.items()->end());
  } else {
    no_operator(symbol, left, right);
  }
  return is_list ? Value::list(std::move(joined)) : Value::tuple(std::move(joined));
}

Value tensors(const std::string& symbol, const Value& left, const Value& right) {
  const TensorOperator& chosen = tensor_operators().at(symbol);
  if (left.tensor()) return call_operation(chosen.name, {left, right});
  if (*chosen.reflected) return call_operation(chosen.reflected, {right, left});
  if (symbol == "/" && left.is_number())  // as PyTorch defines a number divided by a tensor
    return call_operation("mul", {call_operation("reciprocal", {right}), left});
  return call_operation(chosen.name, {left, right});
}

bool equal(const Value& left, const Value& right);

bool equal_items(const std::vector<Value>& left, const std::vector<Value>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Value& one, const Value& other) { return identical(one, other) || equal(one, other); });
}

bool equal(const Value& left, const Value& right) {
  if (left.tensor() || right.tensor()) return truth(compare("==", left, right));
  if (left.is_number() && right.is_number()) return to_complex(left) == to_complex(right);
  if (left.content().index() != right.content().index()) return false;
  if (left.items()) return equal_items(*left.items(), *right.items());
  if (const auto* object = left.get<std::shared_ptr<Object>>())
    return (*object)->equals(**right.get<std::shared_ptr<Object>>());
  if (const auto* dict = left.get<std::shared_ptr<Dict>>()) {
    const auto& others = (*right.get<std::shared_ptr<Dict>>())->items;
    return (*dict)->items.size() == others.size() &&
           std::all_of((*dict)->items.begin(), (*dict)->items.end(), [&](const auto& entry) {
             return std::any_of(others.begin(), others.end(), [&](const auto& other) {
               return equal(entry.first, other.first) && equal(entry.second, other.second);
             });
           });
  }
  return identical(left, right);
}

bool contains(const Value& container, const Value& wanted) {
  if (const auto* text = container.get<std::string>()) return text->find(to_text(wanted)) != std::string::npos;
  for (const Value& item : iterate(container))
    if (identical(item, wanted) || equal(item, wanted)) return true;
  return false;
}

template <class T>
bool ordered(const std::string& symbol, const T& left, const T& right) {
  if (symbol == "<") return left < right;
  if (symbol == "<=") return left <= right;
  if (symbol == ">") return left > right;
  return left >= right;
}

}  // namespace

Value binary(const std::string& symbol, const Value& left, const Value& right) {
  if (left.tensor() || right.tensor()) return tensors(symbol, left, right);
  if (left.is_number() && right.is_number()) return numbers(symbol, left, right);
  if (left.items()) return sequences(symbol, left, right);
  if (left.get<std::string>() && right.get<std::string>() && symbol == "+")
    return Value(to_text(left) + to_text(right));
  no_operator(symbol, left, right);
}

Value update(const std::string& symbol, const Value& target, const Value& operand) {
  if (target.tensor()) {
    const char* in_place = tensor_operators().at(symbol).in_place;
    if (*in_place) return call_operation(in_place, {target, operand});
  }
  if (const auto* list = target.get<std::shared_ptr<List>>(); list && symbol == "+") {
    for (Value& item : iterate(operand)) (*list)->items.push_back(std::move(item));
    return target;
  }
  return binary(symbol, target, operand);
}

Value unary(const std::string& symbol, const Value& operand) {
  if (symbol == "not") return Value(!truth(operand));
  if (operand.tensor()) {
    const char* name = symbol == "-" ? "neg" : symbol == "~" ? "bitwise_not" : "positive";
    return call_operation(name, {operand});
  }
  if (!operand.is_number()) throw Broken("TypeError", "bad operand for unary " + symbol + ": " + operand.type_name());
  if (symbol == "~") return Value(~to_int(operand));
  if (symbol == "+") return operand;
  return numbers("*", Value(-1), operand);
}

Value compare(const std::string& symbol, const Value& left, const Value& right) {
  if (symbol == "is") return Value(identical(left, right));
  if (symbol == "is not") return Value(!identical(left, right));
  if (symbol == "in") return Value(contains(right, left));
  if (symbol == "not in") return Value(!contains(right, left));

  bool with_numbers = (left.tensor() || left.is_number()) && (right.tensor() || right.is_number());
  if ((left.tensor() || right.tensor()) && with_numbers) {
    static const std::unordered_map<std::string, std::pair<const char*, const char*>> names = {
        {"==", {"eq", "eq"}}, {"!=", {"ne", "ne"}}, {"<", {"lt", "gt"}},
        {"<=", {"le", "ge"}}, {">", {"gt", "lt"}},  {">=", {"ge", "le"}}};
    const auto& [name, mirrored] = names.at(symbol);
    return left.tensor() ? call_operation(name, {left, right}) : call_operation(mirrored, {right, left});
  }
  if (left.tensor() || right.tensor()) {
    if (symbol == "==") return Value(false);
    if (symbol == "!=") return Value(true);
    no_operator(symbol, left, right);
  }
  if (symbol == "==") return Value(equal(left, right));
  if (symbol == "!=") return Value(!equal(left, right));
  if (left.get<std::string>() && right.get<std::string>())
    return Value(ordered(symbol, to_text(left), to_text(right)));
  if (left.is_number() && right.is_number()) return Value(ordered(symbol, to_double(left), to_double(right)));
  no_operator(symbol, left, right);
}

}  // namespace harness
