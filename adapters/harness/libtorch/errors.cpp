#include "errors.hpp"

#include <algorithm>
#include <regex>

namespace harness {

namespace {

struct Rule {
  const char* kind;
  const char* type;  // "" for any
  std::regex message;

  Rule(const char* kind, const char* type, const char* pattern)
      : kind(kind), type(type), message(pattern, std::regex::ECMAScript | std::regex::icase | std::regex::optimize) {}

  bool matches(const std::string& found_type, const std::string& text) const {
    return (*type == '\0' || found_type == type) && std::regex_search(text, message);
  }
};

// libtorch throws c10::Error for nearly everything, so that its kinds are told apart by what the
// message is bound to say. The order matters: the first rule that matches decides.
const std::vector<Rule>& refusal_rules() {
  static const char* const any = "";
  static const char* const error = "RuntimeError";
  static const std::vector<Rule> rules = {
      {"leaf-in-place", error, "leaf variable.*(in-place|moved into the graph)"},
      {"saved-modified", error, "modified by an inplace operation"},
      {"view-in-place", error,
       "is a view and (is|its base|was|has).*modified inplace|is being modified inplace|"
       "view was created.*modified inplace"},
      {"graph-freed", error, "backward through the graph a second time|after they have already been freed"},
      {"needs-gradient", error, "can be implicitly created only for"},
      {"no-graph", error, "does not require grad and does not have a grad_fn"},
      {"unused-input", error, "appears to not have been used in the graph"},
      {"does-not-require-grad", error, "one of the differentiated tensors does not require grad"},
      {"gradient-mismatch", any,
       "mismatch in (shape|dtype): grad_output|which is different from tensor of type|expects.*grad.*got|"
       "invalid gradient at index|grad_output.*(complex|real)|grad must be"},
      {"gradient-count", any,
       "(got|expected) [0-9]+ (tensors|gradients|grad)|grad requires non-empty inputs|"
       "inputs.*cannot be empty|grad_tensors.*number"},
      {"not-differentiable-dtype", any,
       "only (tensors|variables) of floating point|only floating.*can require|only support.*floating point.*require"},
      {"not-a-leaf", error,
       "you can only change requires_grad flags of leaf|only (leaf )?(tensors|variables) created explicitly by the user|"
       "can only (register|be registered).*leaf|only defined for leaf|on a non-leaf"},
      {"does-not-require-grad", error, "(can't|cannot) retain_grad on|that doesn't require gradient|doesn't require grad"},
      {"requires-grad", error, "don't support automatic differentiation, but one of the arguments requires grad"},
      {"inference-tensor", error, "inference tensor|inference mode"},
      {"storage", error, "set_data|resize storage|not resizable|can't detach views"},
      {"hook", error, "hook"},
      {"custom-function", error,
       "returned an incorrect number of gradients|save_for_backward|mark_dirty|marked as dirty|can't be marked|"
       "returned a gradient different"},
      {"not-differentiable", any, "derivative for .* is not implemented|not differentiable|trying to differentiate twice"},
      {"wrong-index", "IndexError", "out of range|out of bounds"},
      {"wrong-index", error, "index .* out of (range|bounds)|indices should be"},
      {"wrong-dtype", error,
       "result type .* can't be cast|expected .* dtype|same dtype|not implemented for '|expected .*scalar type|"
       "could not infer output dtype|must have the same dtype|floating point"},
      {"wrong-shape", error, "size of tensor|shape|sizes? |must match|expand|dimension|stride"},
      {"wrong-value", "ValueError", ""},
      {"wrong-type", "TypeError", ""},
      {"wrong-index", "IndexError", ""},
  };
  return rules;
}

const std::vector<Rule>& warning_rules() {
  static const std::vector<Rule> rules = {
      {"non-leaf-grad", "", "not a leaf"},
      {"graph-kept-alive", "", "create_graph"},
      {"deprecated", "", "deprecated"},
      {"scalar-from-grad", "", "requires_grad=True.*scalar"},
  };
  return rules;
}

std::string type_of(const c10::Error& error) {
  if (dynamic_cast<const c10::IndexError*>(&error)) return "IndexError";
  if (dynamic_cast<const c10::ValueError*>(&error)) return "ValueError";
  if (dynamic_cast<const c10::TypeError*>(&error)) return "TypeError";
  if (dynamic_cast<const c10::NotImplementedError*>(&error)) return "NotImplementedError";
  if (dynamic_cast<const c10::LinAlgError*>(&error)) return "LinAlgError";
  return "RuntimeError";
}

/// One line, so that `.` of a pattern reaches over all of it, and not too long for std::regex.
std::string shortened(std::string text, size_t limit) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > limit) text.resize(limit);
  return text;
}

Failure refusal(const std::string& type, const std::string& message) {
  std::string text = shortened(message, 1000);
  for (const Rule& rule : refusal_rules())
    if (rule.matches(type, text)) return {rule.kind, type, text};
  if (type == "NotImplementedError") throw Unsupported(text);
  return {"refused", type, text};
}

}  // namespace

Failure describe_failure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Unsupported&) {
    throw;
  } catch (const ProgramStop& stopped) {
    return {"user", "ProgramError", stopped.what()};
  } catch (const Broken& broken) {
    return {"broken", broken.type, broken.what()};
  } catch (const c10::Error& refused) {
    return refusal(type_of(refused), refused.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return {"broken", "MemoryError", "out of memory"};
  } catch (const std::exception& refused) {  // libtorch also throws plain standard exceptions
    return refusal("RuntimeError", refused.what());
  }
}

Notice describe_warning(const c10::Warning& warning) {
  bool deprecation = std::holds_alternative<c10::DeprecationWarning>(warning.type());
  std::string type = deprecation ? "DeprecationWarning" : "UserWarning";
  std::string text = shortened(warning.msg(), 300);
  for (const Rule& rule : warning_rules())
    if (rule.matches(type, text)) return {rule.kind, type, text};
  return {deprecation ? "deprecated" : type, type, text};
}

}  // namespace harness
