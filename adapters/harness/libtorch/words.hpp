// Words that stand alone: functions, contexts, classes and dtypes.
#pragma once

#include <memory>
#include <string>

#include "value.hpp"

namespace harness {

/// What a word is. Throws Unsupported for a word that libtorch, or this harness, lacks.
Value find_word(const std::string& word);

/// State that lasts while it lives, and is put back when it is destroyed.
struct Guard {
  virtual ~Guard() = default;
};

/// What a `with` takes, such as `no_grad()`.
struct Context : Object {
  using Enter = std::function<std::unique_ptr<Guard>()>;
  Context(std::string name, Enter enter) : name(std::move(name)), enter(std::move(enter)) {}
  std::string type_name() const override { return name; }
  Value call(Arguments) override;  // decorating a function, which C++ has not

  std::string name;
  Enter enter;
};

}  // namespace harness
