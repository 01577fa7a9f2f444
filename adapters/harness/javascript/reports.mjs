// What is reported: values and errors, as PROTOCOL.md writes them.
import {basename} from "node:path";
import {
  Described,
  Dict,
  Integer,
  ProgramError,
  Range,
  Refused,
  Thing,
  Tuple,
  Unsupported,
} from "./values.mjs";

export function described(value, engine) {
  const inner = each => described(each, engine);
  if (value === undefined) return null;
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (value instanceof Integer) return value.value;
  if (typeof value === "number") return number(value);
  if (value instanceof Described) return value.plain;
  if (engine.isTensor(value)) {
    const {dtype, shape, values} = engine.describe(value);
    return {
      tensor: {
        dtype,
        shape: [...shape],
        values: Array.from(values, each => (typeof each === "number" ? number(each) : each)),
      },
    };
  }
  if (value instanceof Thing && value.plain !== undefined) return value.plain;
  if (Array.isArray(value)) return {list: value.map(inner)};
  if (value instanceof Tuple) return {tuple: value.items.map(inner)};
  if (value instanceof Range) return {list: [...value].map(inner)};
  if (value instanceof Dict) return {dict: [...value.entries()].map(pair => pair.map(inner))};
  return {object: value?.constructor?.name || typeof value};
}

function number(value) {
  return Number.isFinite(value) ? value : {number: Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf"};
}

// What JavaScript itself says about a bug. An engine raises other errors on purpose, of any type.
const BUGS = new RegExp(
  [
    "^Cannot (read|set) propert",
    "is not (a function|iterable|a constructor|defined|extensible)",
    "^Cannot (convert|destructure|mix|create|access)",
    "^Assignment to constant",
    "^Reduce of empty array",
    "^Invalid (array length|count value|typed array)",
    "call stack",
    "(undefined|null)['\"]? is not",
  ].join("|"),
);

// The kind of an error. An ordinary Error is an engine's refusal, whose reason is unknown. Raises `Unsupported`
// if the engine's own table (`kinds`) says that something is missing.
export function kindOf(error, engine) {
  if (error instanceof Unsupported) throw error;
  if (error instanceof ProgramError) return "user";
  if (error instanceof Refused) return error.kind;
  const text = messageOf(error);
  const [, kind] = (engine.kinds || []).find(([pattern]) => pattern.test(text)) || [];
  if (kind === "unsupported" || kind === "missing-gradient") throw new Unsupported(text, kind);
  if (kind) return kind;
  const native = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return native && BUGS.test(text) ? "broken" : "refused";
}

export function messageOf(error) {
  return String(error?.message ?? error).slice(0, 4000);
}

export function typeName(error) {
  return error?.constructor?.name || typeof error;
}

// The file and line that raised, from the first line of the stack that names a file: "engine.js:88".
export function whereRaised(error) {
  const stack = String(error?.stack ?? "").replace(
    /^.*(node:|(gradspec|interpreter|reports|values)\.mjs:).*$/gm,
    "",
  );
  const found = /\(?([^()\s]+?):(\d+):\d+\)?$/m.exec(stack);
  return found ? `${basename(found[1])}:${found[2]}` : "";
}
