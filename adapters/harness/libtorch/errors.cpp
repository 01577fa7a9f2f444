#include "errors.hpp"

#include <algorithm>
#include <regex>

namespace harness {

namespace {

class Rule {
 public:
  bool of_type() const { return !type_.empty(); }
  explicit Rule(const RuleRow& row) : Rule(row.kind, row.type, row.pattern) {}
  Rule(std::string kind, std::string type, const std::string& pattern)
      : kind(std::move(kind)),
        type_(std::move(type)),
        message_(pattern, std::regex::ECMAScript | std::regex::icase | std::regex::optimize) {}

  bool matches(const std::string& type, const std::string& text) const {
    return (type_.empty() || type_ == type) && std::regex_search(text, message_);
  }

  std::string kind;

 private:
  std::string type_;
  std::regex message_;
};

/// The first rule that matches decides; libtorch's own come first, where C++ words a refusal differently.
const std::vector<Rule>& refusal_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<RuleRow> rows = {
        {"does-not-require-grad", "RuntimeError", "of the input tensors does not require grad"},
        {"needs-gradient", "RuntimeError", "can be computed only for real scalar outputs"},
        {"gradient-count", "RuntimeError", "got [0-9]+ tensors and [0-9]+ gradients"},
        {"wrong-type", "RuntimeError", "on undefined tensor"},  // what None is to libtorch
        {"custom-function", "RuntimeError", "returned a gradient different that is defined"},
        {"not-a-leaf", "RuntimeError", "can't optimize a non-leaf"},
        {"wrong-value", "RuntimeError", "has to be between 0 and 1|Invalid learning rate|more than 1 value per channel"},
    };
    for (const RuleRow& row : pytorch_rules()) rows.push_back(row);
    rows.push_back({"wrong-index", "IndexError", ""});
    return std::vector<Rule>(rows.begin(), rows.end());
  }();
  return rules;
}

/// The specification's rules, which come after those of the engine.
std::vector<Rule> general_rules, warning_rules;

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
  bool exact = type == "TypeError" || type == "IndexError";  // which say what they are by their type
  for (const Rule& rule : general_rules)
    if ((rule.of_type() || !exact) && rule.matches(type, text)) return {rule.kind, type, text};
  return {"refused", type, text};
}

}  // namespace

Failure describe_failure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Unsupported&) {
    throw;
  } catch (const MalformedJson&) {
    throw;
  } catch (const ProgramStop& stopped) {
    return {"user", "ProgramError", stopped.what()};
  } catch (const Broken& broken) {
    if (broken.type == "IndexError") return {"wrong-index", broken.type, broken.what()};
    if (broken.type == "TypeError") return {"wrong-type", broken.type, broken.what()};
    return {"broken", broken.type, broken.what()};
  } catch (const c10::Error& refused) {
    return refusal(type_of(refused), refused.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return {"broken", "MemoryError", "out of memory"};
  } catch (const std::exception& refused) {  // libtorch also throws plain standard exceptions
    return refusal("RuntimeError", refused.what());
  }
}

void learn_rules(const Json& kinds) {
  general_rules.clear();
  warning_rules.clear();
  for (const Json& kind : kinds.array()) {
    std::vector<Rule>& rules = kind["sort"].text() == "warning" ? warning_rules : general_rules;
    Json::Array types = kind["exceptions"].array(), patterns = kind["patterns"].array();
    if (types.empty()) types.emplace_back("");
    if (patterns.empty()) patterns.emplace_back("");
    for (const Json& type : types)
      for (const Json& pattern : patterns) rules.emplace_back(kind["name"].text(), type.text(), pattern.text());
  }
}

Notice describe_warning(const c10::Warning& warning) {
  bool deprecation = std::holds_alternative<c10::DeprecationWarning>(warning.type());
  std::string type = deprecation ? "DeprecationWarning" : "UserWarning";
  std::string text = shortened(warning.msg(), 300);
  for (const Rule& rule : warning_rules)
    if (rule.matches(type, text)) return {rule.kind, type, text};
  return {deprecation ? "deprecated" : type, type, text};
}

}  // namespace harness
