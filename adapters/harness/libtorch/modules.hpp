// Modules and optimizers: torch::nn and torch::optim, as C++ has them.
#pragma once

#include <string>
#include <unordered_map>

#include "value.hpp"

namespace harness {

/// The words that begin with `nn.` and `optim.`. Those that C++ lacks, such as nn.Parameter, are
/// not among them.
std::unordered_map<std::string, NativeFunction::Body> module_functions();

}  // namespace harness
