// Evaluates a program on an engine: its statements and expressions, as the tables of PROTOCOL.md list them.
import {
  Context,
  Described,
  Dict,
  ELLIPSIS,
  Fault,
  Integer,
  ProgramError,
  Range,
  Refused,
  Slice,
  Thing,
  Tuple,
  Unsupported,
  compared,
  computed,
  iterated,
  plain,
  raw,
  taking,
  truth,
} from "./values.mjs";
import {described, kindOf, messageOf, typeName} from "./reports.mjs";

class Return {
  constructor(value) {
    this.value = value;
  }
} // a `return` on its way out of a function

// --- statements: one method each, as in the table of PROTOCOL.md ---

export class Interpreter {
  constructor(engine) {
    this.engine = engine;
    this.observed = [];
    this.traced = [];
    this.line = 0;
    const own = this.ownWords();
    const {trace, traced} = own; // an engine's `trace` is a method, of matrices
    this.words = {...own, ...engine.words, trace, traced};
  }

  run(body, names) {
    for (const statement of body) {
      this.line = statement.line;
      if (!Object.hasOwn(STATEMENTS, statement.do)) throw new Unsupported(`the statement ${statement.do}`);
      STATEMENTS[statement.do].call(this, statement, names);
    }
  }

  describe(value) {
    return described(value, this.engine);
  }

  attempt(s, names) {
    let ended = {how: "normally"};
    try {
      this.run(s.body, names);
    } catch (error) {
      if (error instanceof Return) throw error;
      const kind = kindOf(error, this.engine); // passes on what is unsupported
      ended = {how: "refused", kind, type: typeName(error), message: messageOf(error)};
    }
    this.observed.push([s.observation, {ended}]);
  }

  within(contexts, body, names) {
    if (!contexts.length) return this.run(body, names);
    const [{context, as}, ...rest] = contexts;
    const manager = this.value(context, names);
    if (!(manager instanceof Context)) throw new Unsupported("`with` on this");
    return manager.around(entered => {
      if (as) this.assign(as, entered, names);
      return this.within(rest, body, names);
    });
  }

  class(s, names) {
    const bases = s.bases.map(base => this.value(base, names));
    if (bases.length !== 1 || !(bases[0] instanceof Thing) || !bases[0].extend)
      throw new Unsupported("a class with these bases");
    const members = Object.create(null);
    const inner = Object.create(names);
    for (const statement of s.body) {
      if (statement.do === "define") members[statement.name] = this.define(statement, names);
      else if (statement.do === "assign") {
        const value = this.value(statement.value, inner);
        for (const target of statement.to) {
          this.assign(target, value, inner);
          members[target.name] = value;
        }
      } else if (statement.do !== "pass") throw new Unsupported(`${statement.do} in a class`);
    }
    return bases[0].extend(s.name, members);
  }

  define(s, names) {
    const decorators = (s.decorators || [])
      .filter(item => !(item.is === "name" && item.name === "staticmethod"))
      .map(item => this.value(item, names));
    let made = this.function(s, names);
    for (const decorator of decorators.reverse()) {
      if (decorator instanceof Context) {
        const inner = made;
        made = raw((...given) => decorator.around(() => inner(...given)));
      } else made = this.invoke(decorator, [made], {}, "the decorator");
    }
    return made;
  }

  assign(target, value, names) {
    if (target.is === "name") {
      names[target.name] = value;
    } else if (target.is === "tuple" || target.is === "list") {
      const items = this.iterated(value);
      if (items.length !== target.items.length)
        throw new Fault(`${items.length} values for ${target.items.length} names`);
      target.items.forEach((part, index) => this.assign(part, items[index], names));
    } else if (target.is === "attribute") {
      const owner = this.value(target.of, names);
      if (owner instanceof Thing && owner.open) owner.attributes[target.name] = () => value;
      else this.found(owner, "setters", target.name, `assigning ${target.name}`)(owner, value);
    } else if (target.is === "index") {
      const owner = this.value(target.of, names),
        at = this.value(target.at, names);
      if (this.engine.isTensor(owner) && this.engine.setItem) this.engine.setItem(owner, at, value);
      else if (owner instanceof Dict) owner.set(at, value);
      else if (Array.isArray(owner) && at instanceof Integer) owner[place(at, owner.length)] = value;
      else throw new Unsupported("assigning to an index");
    } else {
      throw new Unsupported(`assigning to ${target.is}`);
    }
  }

  // --- expressions ---

  value(e, names) {
    if (!Object.hasOwn(EXPRESSIONS, e.is)) throw new Unsupported(`the expression ${e.is}`);
    return EXPRESSIONS[e.is].call(this, e, names);
  }

  items(expressions, names) {
    return expressions.flatMap(item =>
      item.is === "starred" ? this.iterated(this.value(item.of, names)) : [this.value(item, names)],
    );
  }

  // The items of a list, a tuple or a range; of a tensor, its slices along the first dimension.
  iterated(value) {
    if (this.engine.isTensor(value) && this.engine.getItem) {
      const [size] = this.engine.describe(value).shape;
      if (size === undefined)
        throw new Refused("wrong-type", "a tensor without dimensions cannot be iterated over");
      return Array.from({length: size}, (_, index) => this.engine.getItem(value, new Integer(index)));
    }
    return iterated(value);
  }

  index(owner, at) {
    if (this.engine.isTensor(owner) && this.engine.getItem) return this.engine.getItem(owner, at);
    if (owner instanceof Dict) return owner.get(at);
    if (Array.isArray(owner) || owner instanceof Tuple) {
      const items = [...owner];
      if (at instanceof Integer) return items[place(at, items.length)];
      if (at instanceof Slice) {
        const {start, step, length} = at.over(items.length);
        const chosen = Array.from({length}, (_, index) => items[start + index * step]);
        return owner instanceof Tuple ? new Tuple(chosen) : chosen;
      }
    }
    throw new Unsupported("this index");
  }

  // What a value has under a name, in a table of the engine's or, for an object of its own, in the object's.
  found(owner, table, name, what) {
    const own =
      owner instanceof Thing ? owner[table] : this.engine.isTensor(owner) ? this.engine[table] : null;
    if (!own || !Object.hasOwn(own, name)) throw new Unsupported(what);
    return own[name];
  }

  operator(key, operands) {
    if (operands.some(each => this.engine.isTensor(each))) {
      const {operators} = this.engine;
      if (!operators || !Object.hasOwn(operators, key)) throw new Unsupported(`the operator ${key}`);
      return this.invoke(operators[key], operands, {}, key);
    }
    return computed(key, operands);
  }

  call(e, names) {
    const owner = this.value(e.of, names);
    const args = this.items(e.args, names);
    const keywords = Object.create(null);
    for (const [name, item] of Object.entries(e.keywords)) keywords[name] = this.value(item, names);
    for (const item of e.unpacked || []) {
      for (const [name, value] of this.value(item, names).entries()) keywords[name] = value;
    }
    if (e.is !== "method") return this.invoke(owner, args, keywords, e.of.word || e.of.name || "this");
    if (Array.isArray(owner) && e.name === "append") {
      owner.push(args[0]);
      return null;
    }
    if (owner instanceof Thing)
      return this.invoke(
        this.found(owner, "methods", e.name, `the method ${e.name}`),
        args,
        keywords,
        e.name,
      );
    const method = this.found(owner, "methods", e.name, `the method ${e.name}`);
    return this.invoke(method, [owner, ...args], keywords, e.name);
  }

  // Call a function of the program's or the engine's. One of the engine's gets plain numbers and arrays, unless
  // it is `raw`. An argument or a keyword that it does not list (see `taking`) is unsupported.
  invoke(called, args, keywords, name) {
    if (typeof called !== "function") throw new Unsupported(`calling ${name}`);
    if (called.bound) return called.bound(args, keywords);
    const parameters = called.parameters || [];
    const rest = parameters.findIndex(each => each.startsWith("*"));
    const listed = Boolean(called.parameters);
    if (listed && rest < 0 && args.length > parameters.length)
      throw new Unsupported(`${args.length} arguments of ${name}`);
    const given = rest < 0 ? [...args] : [...args.slice(0, rest), args.slice(rest)];
    for (const [keyword, value] of Object.entries(keywords)) {
      let at = parameters.indexOf(keyword);
      if (at < 0) at = parameters.indexOf(`*${keyword}`);
      if (at < 0) throw new Unsupported(`the keyword ${keyword} of ${name}`);
      given[at] = value;
    }
    return called.raw ? called(...given) : called(...given.map(plain));
  }

  function(definition, names) {
    if (definition.generator) throw new Unsupported("generators");
    const {parameters} = definition;
    const defaults = Object.create(null);
    for (const item of parameters) if (item.default) defaults[item.name] = this.value(item.default, names);
    const bound = (args, keywords) => {
      const inner = Object.create(names); // what the body does not bind is looked up around it
      bind(parameters, defaults, args, keywords, inner);
      if (definition.is === "lambda") return this.value(definition.body, inner);
      try {
        this.run(definition.body, inner);
      } catch (result) {
        if (result instanceof Return) return result.value;
        throw result;
      }
      return null;
    };
    const called = (...args) => bound(args, {});
    called.bound = bound;
    return called;
  }

  // The language's own words, which need no engine.
  ownWords() {
    return {
      range: taking(["*bounds"], bounds => new Range(...bounds)),
      len: raw(value => new Integer(this.iterated(value).length)),
      list: raw((value = []) => [...this.iterated(value)]),
      tuple: raw((value = []) => (value instanceof Tuple ? value : new Tuple(this.iterated(value)))),
      enumerate: raw(value =>
        this.iterated(value).map((item, index) => new Tuple([new Integer(index), item])),
      ),
      zip: raw((...each) => {
        const all = each.map(value => this.iterated(value));
        return all[0]
          .slice(0, Math.min(...all.map(items => items.length)))
          .map((_, index) => new Tuple(all.map(items => items[index])));
      }),
      trace: raw((label, ...values) => {
        const entry = [label, ...values].map(value => this.describe(value));
        this.traced.push(new Described(values.length ? {tuple: entry} : label));
        return null;
      }),
      traced: raw(() => [...this.traced]),
      stop: raw(text => {
        throw new ProgramError(text);
      }),
      afterwards: raw(
        f =>
          new Context(
            () => null,
            () => f(),
          ),
      ),
      float: raw(value => Number(this.number(value))),
      int: raw(value => new Integer(Math.trunc(Number(this.number(value))))),
      bool: raw(value => truth(value)),
    };
  }

  number(value) {
    if (!this.engine.isTensor(value)) return value;
    if (!this.engine.methods || !Object.hasOwn(this.engine.methods, "item"))
      throw new Unsupported("a tensor as a number");
    return this.engine.methods.item(value);
  }
}

const STATEMENTS = {
  assign(s, names) {
    const value = this.value(s.value, names);
    for (const target of s.to) this.assign(target, value, names);
  },
  update(s, names) {
    const current = this.value(s.to, names),
      value = this.value(s.value, names);
    const key = `${this.engine.isTensor(current) ? "update" : "binary"} ${s.operator}`;
    this.assign(s.to, this.operator(key, [current, value]), names);
  },
  evaluate(s, names) {
    this.value(s.value, names);
  },
  observe(s, names) {
    const found = s.values.map(value => this.describe(this.value(value, names)));
    this.observed.push([s.observation, found.length === 1 ? found[0] : {pair: found}]);
  },
  attempt(s, names) {
    this.attempt(s, names);
  },
  within(s, names) {
    this.within(s.contexts, s.body, names);
  },
  define(s, names) {
    names[s.name] = this.define(s, names);
  },
  class(s, names) {
    names[s.name] = this.class(s, names);
  },
  return(s, names) {
    throw new Return(s.value === null ? null : this.value(s.value, names));
  },
  for(s, names) {
    for (const item of this.iterated(this.value(s.in, names))) {
      this.assign(s.each, item, names);
      this.run(s.body, names);
    }
  },
  if(s, names) {
    this.run(this.truth(s.test, names) ? s.then : s.else, names);
  },
  delete(s, names) {
    for (const target of s.targets) {
      if (target.is !== "name") throw new Unsupported(`deleting this ${target.is}`);
      delete names[target.name];
    }
  },
  pass() {},
};

const EXPRESSIONS = {
  none: () => null,
  ellipsis: () => ELLIPSIS,
  bool: e => e.value,
  string: e => e.value,
  int: e => new Integer(e.value),
  float: e =>
    typeof e.value === "object" ? {nan: NaN, inf: Infinity, "-inf": -Infinity}[e.value.number] : e.value,
  name(e, names) {
    if (!(e.name in names)) throw new Fault(`the name ${e.name} is not bound`);
    return names[e.name];
  },
  word(e) {
    if (!Object.hasOwn(this.words, e.word)) throw new Unsupported(e.word);
    return this.words[e.word];
  },
  list(e, names) {
    return this.items(e.items, names);
  },
  tuple(e, names) {
    return new Tuple(this.items(e.items, names));
  },
  dict(e, names) {
    return new Dict(e.items.map(([key, value]) => [this.value(key, names), this.value(value, names)]));
  },
  slice(e, names) {
    return new Slice(
      ...[e.from, e.to, e.step].map(part => (part === null ? null : plain(this.value(part, names)))),
    );
  },
  lambda(e, names) {
    return this.function(e, names);
  },
  choice(e, names) {
    return this.value(this.truth(e.test, names) ? e.then : e.else, names);
  },
  call(e, names) {
    return this.call(e, names);
  },
  method(e, names) {
    return this.call(e, names);
  },
  attribute(e, names) {
    const owner = this.value(e.of, names);
    return this.found(owner, "attributes", e.name, `the attribute ${e.name}`)(owner);
  },
  index(e, names) {
    return this.index(this.value(e.of, names), this.value(e.at, names));
  },
  unary(e, names) {
    const operand = this.value(e.of, names);
    return e.operator === "not"
      ? !this.truth(e.of, names, operand)
      : this.operator(`unary ${e.operator}`, [operand]);
  },
  binary(e, names) {
    return this.operator(`binary ${e.operator}`, [this.value(e.left, names), this.value(e.right, names)]);
  },
  compare(e, names) {
    const sides = [this.value(e.left, names), this.value(e.right, names)];
    const identity = ["is", "is not", "in", "not in"].includes(e.operator);
    return identity ? compared(e.operator, ...sides) : this.operator(`compare ${e.operator}`, sides);
  },
};

Interpreter.prototype.truth = function (expression, names, value = this.value(expression, names)) {
  return truth(this.engine.isTensor(value) ? this.number(value) : value);
};

// The index of an item, counted from the end if it is negative.
function place(at, size) {
  const index = at.value < 0 ? at.value + size : at.value;
  if (index < 0 || index >= size) throw new Fault(`the index ${at.value} of ${size} items`);
  return index;
}

// Bind a call's arguments to the parameters of a function of the program's.
function bind(parameters, defaults, args, keywords, names) {
  const waiting = [...args],
    left = {...keywords};
  for (const {name, sort} of parameters) {
    if (sort === "rest") names[name] = new Tuple(waiting.splice(0));
    else if (sort === "keywords") {
      names[name] = new Dict(Object.entries(left));
      for (const keyword of Object.keys(left)) delete left[keyword];
    } else if (sort === "plain" && waiting.length) names[name] = waiting.shift();
    else if (Object.hasOwn(left, name)) {
      names[name] = left[name];
      delete left[name];
    } else if (name in defaults) names[name] = defaults[name];
    else throw new Fault(`the argument ${name} is missing`);
  }
  if (waiting.length || Object.keys(left).length)
    throw new Fault(`a call with ${args.length} arguments does not fit its function`);
}
