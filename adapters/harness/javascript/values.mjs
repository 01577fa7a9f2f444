// The values of programs that JavaScript lacks, and what an engine's file writes its tables with.

// The engine lacks something that the program needs. `kind` may be "missing-gradient".
export class Unsupported extends Error {
  constructor(message, kind = "unsupported") {
    super(message);
    this.kind = kind;
  }
}

// The engine raises an error of this kind, a name from spec/errors.yaml. An ordinary Error serves too.
export class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// The program's own error, raised by `stop("text")`.
export class ProgramError extends Error {}

// The program itself goes wrong, such as by an unbound name, because of what the engine returned.
export class Fault extends Error {}

// 3, which is not 3.0: a plain number is a float.
export class Integer {
  constructor(value) {
    this.value = value;
  }
  valueOf() {
    return this.value;
  }
}

export class Tuple {
  constructor(items) {
    this.items = [...items];
  }
  [Symbol.iterator]() {
    return this.items.values();
  }
}

// A dict, whose keys may be integers.
export class Dict {
  constructor(pairs) {
    this.pairs = new Map();
    for (const [key, value] of pairs) this.set(key, value);
  }
  set(key, value) {
    this.pairs.set(plain(key), [key, value]);
  }
  get(key) {
    if (!this.pairs.has(plain(key))) throw new Fault(`the dict has no ${plain(key)}`);
    return this.pairs.get(plain(key))[1];
  }
  entries() {
    return this.pairs.values();
  }
  keys() {
    return [...this.pairs.values()].map(([key]) => key);
  }
}

export class Range {
  constructor(...bounds) {
    [this.start, this.stop, this.step] =
      bounds.length === 1 ? [0, bounds[0], 1] : [bounds[0], bounds[1], bounds[2] ?? 1];
  }
  *[Symbol.iterator]() {
    for (let at = this.start; this.step > 0 ? at < this.stop : at > this.stop; at += this.step)
      yield new Integer(at);
  }
}

// `from:to:step`, each a number or null.
export class Slice {
  constructor(from, to, step) {
    this.from = from;
    this.to = to;
    this.step = step;
  }

  // Where it begins over so many items, in which steps, and how many it takes.
  over(size) {
    const step = this.step ?? 1,
      back = step < 0;
    const within = at => Math.min(Math.max(at < 0 ? at + size : at, back ? -1 : 0), back ? size - 1 : size);
    const start = this.from === null ? (back ? size - 1 : 0) : within(this.from);
    const stop = this.to === null ? (back ? -1 : size) : within(this.to);
    return {start, step, length: Math.max(0, Math.ceil((stop - start) / step))};
  }
}

export const ELLIPSIS = Symbol("...");

// What a `with` runs its block in, such as `no_grad()`. As a decorator it is around each call.
export class Context {
  constructor(enter, leave) {
    this.enter = enter;
    this.leave = leave;
  }
  around(block) {
    const entered = this.enter();
    try {
      return block(entered);
    } finally {
      this.leave(entered);
    }
  }
}

// A value that is no tensor and has methods or attributes: a dtype, a node, the ctx of a custom function. `plain` is how
// it is reported. With `open` a program may set any attribute. With `extend` a program may derive a class
// from it: `extend(name, members)` returns what the class is.
export class Thing {
  constructor({
    plain: written,
    methods = {},
    attributes = {},
    setters = {},
    open = false,
    extend = null,
  } = {}) {
    Object.assign(this, {plain: written, methods, attributes: {...attributes}, setters, open, extend});
  }
}

// A value that has been described already.
export class Described {
  constructor(written) {
    this.plain = written;
  }
}

// Say what a function's parameters are called, so that programs may use keywords. The last may be "*rest".
export function taking(parameters, called) {
  const named = (...args) => called(...args);
  named.parameters = parameters;
  if (called.raw) named.raw = true;
  return named;
}

// Let a function have the program's own values: integers as Integer, and tuples as Tuple.
export function raw(called) {
  const own = (...args) => called(...args);
  own.raw = true;
  return own;
}

// A value for the engine: integers as numbers, and tuples as arrays.
export function plain(value) {
  if (value instanceof Integer) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Tuple) return value.items.map(plain);
  if (value instanceof Range) return [...value].map(plain);
  return value;
}

export const integers = sizes => new Tuple(Array.from(sizes, size => new Integer(size)));

// --- Python's arithmetic, on what is no tensor ---

export function iterated(value) {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value instanceof Range) return [...value];
  if (value instanceof Dict) return value.keys();
  throw new Unsupported("iterating over this");
}

export function truth(value) {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Tuple) return value.items.length > 0;
  return value instanceof Integer ? value.value !== 0 : Boolean(value);
}

const modulo = (a, b) => a - b * Math.floor(a / b);
const ARITHMETIC = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
  "//": (a, b) => Math.floor(a / b),
  "%": modulo,
};
const ORDER = {"<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b};

// An operator on numbers, text, lists and tuples.
export function computed(key, operands) {
  const [sort, operator] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
  const [left, right] = operands;
  if (sort === "compare" && (operator === "==" || operator === "!="))
    return equal(left, right) === (operator === "==");
  if (sort === "compare" && ORDER[operator]) return ORDER[operator](plain(left), plain(right));
  if (operands.every(isNumber)) {
    const exact = operands.every(each => each instanceof Integer) && operator !== "/";
    const result =
      sort === "unary" ? {"-": -left, "+": +left}[operator] : ARITHMETIC[operator]?.(+left, +right);
    if (result !== undefined) return exact ? new Integer(result) : result;
  }
  if (operator === "+" && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (operator === "+" && left instanceof Tuple && right instanceof Tuple)
    return new Tuple([...left, ...right]);
  if (operator === "*" && right instanceof Integer && (Array.isArray(left) || left instanceof Tuple)) {
    const items = Array.from({length: Math.max(0, right.value)}, () => [...left]).flat();
    return Array.isArray(left) ? items : new Tuple(items);
  }
  if (operator === "+" && typeof left === "string" && typeof right === "string") return left + right;
  throw new Unsupported(`the operator ${operator} on these`);
}

function isNumber(value) {
  return typeof value === "number" || value instanceof Integer;
}

function equal(left, right) {
  const items = value => (value instanceof Tuple ? value.items : Array.isArray(value) ? value : null);
  const [ours, theirs] = [items(left), items(right)];
  if (ours && theirs)
    return ours.length === theirs.length && ours.every((item, index) => equal(item, theirs[index]));
  return isNumber(left) && isNumber(right) ? +left === +right : left === right;
}

export function compared(operator, left, right) {
  if (operator === "in" || operator === "not in") {
    const found =
      typeof right === "string" ? right.includes(left) : iterated(right).some(item => equal(item, left));
    return found === (operator === "in");
  }
  const same =
    left instanceof Integer && right instanceof Integer ? left.value === right.value : left === right;
  return same === (operator === "is");
}

// --- what several engines need ---

// An index as one entry for each dimension of the tensor, with the new ones in their places: {at: NUMBER},
// {start, step, length}, {added: true}, or {by: VALUE} for a tensor or a list. Whether an index is in range is the
// engine's to say.
export function normalized(at, shape) {
  const given = at instanceof Tuple ? at.items : [at];
  const taken = given.filter(each => each !== null && each !== ELLIPSIS).length;
  if (taken > shape.length) throw new Unsupported(`${taken} indices for ${shape.length} dimensions`);
  const all = Array.from({length: shape.length - taken}, () => new Slice(null, null, null));
  const hole = given.indexOf(ELLIPSIS);
  const entries = hole < 0 ? [...given, ...all] : [...given.slice(0, hole), ...all, ...given.slice(hole + 1)];
  let dimension = 0;
  return entries.map(entry => {
    if (entry === null) return {added: true};
    const size = shape[dimension++];
    if (entry instanceof Slice) {
      if (entry.step !== null && entry.step <= 0)
        throw new Unsupported("a slice with a step that is not positive");
      return entry.over(size);
    }
    if (!(entry instanceof Integer)) return {by: entry};
    return {at: entry.value < 0 && entry.value + size >= 0 ? entry.value + size : entry.value};
  });
}

// The word `vjp` for a tape that only accumulates: fresh leaves, a backward pass from each result, and what it
// left in the leaves. `leaf(x)` is a leaf of the values of `x`, `backward(y, gradient)` runs a pass, and
// `gradient(leaf)` is what arrived, zeros if nothing did.
export function vjpByBackward({leaf, backward, gradient}) {
  let inside = false;
  return taking(
    ["func", "inputs", "cotangents"],
    raw((func, inputs, cotangents) => {
      if (inside) throw new Unsupported("vjp within vjp, from a tape that only accumulates");
      const leaves = [...inputs].map(leaf);
      inside = true;
      try {
        const outputs = func(...leaves);
        const several = outputs instanceof Tuple || Array.isArray(outputs);
        const [roots, seeds] = several ? [[...outputs], [...cotangents]] : [[outputs], [cotangents]];
        roots.forEach((root, index) => backward(root, seeds[index]));
      } finally {
        inside = false;
      }
      return new Tuple(leaves.map(gradient));
    }),
  );
}

// The operators of a program, from an engine's operations under PyTorch's names.
export function operatorsOf(operations) {
  const {add, sub, mul, div, pow, matmul, remainder, floor_divide, neg, eq, ne, lt, le, gt, ge} = operations;
  return {
    "binary +": add, "binary -": sub, "binary *": mul, "binary /": div, "binary **": pow, "binary @": matmul,
    "binary %": remainder, "binary //": floor_divide, "unary -": neg, "compare ==": eq, "compare !=": ne,
    "compare <": lt, "compare <=": le, "compare >": gt, "compare >=": ge,
  };
}
