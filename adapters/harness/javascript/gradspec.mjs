// gradspec's harness for engines in JavaScript: it reads programs and runs them on an engine.
//
// It speaks the protocol (adapters/PROTOCOL.md). It knows no engine: a file for each engine calls `serve` with tables of
// what the engine has. Anything that is in no table is answered with `unsupported`, which is not a failure.
//
//     import {serve, taking} from "./gradspec.mjs";
//     serve({
//       name, version,
//       isTensor: value => value instanceof engine.Tensor,
//       describe: x => ({dtype: "float32", shape: x.shape, values: x.data.flat(Infinity)}),
//       words: {tensor: taking(["data", "requires_grad"], engine.tensor)},
//       methods: {backward: taking(["self", "gradient"], (x, g) => x.backward(g))},
//       attributes: {grad: x => x.grad},
//       operators: {"binary +": engine.add, "unary -": engine.neg},
//     });
import {createRequire} from "node:module";
import {resolve} from "node:path";
import {createInterface} from "node:readline";
import {Interpreter} from "./interpreter.mjs";
import {kindOf, messageOf, typeName, whereRaised} from "./reports.mjs";

export * from "./values.mjs";

// --- the conversation: one JSON object per line, request and answer ---

function run(program, engine) {
  const interpreter = new Interpreter(engine);
  let end = {how: "finished"};
  try {
    engine.reset?.();
    interpreter.run(program.body, Object.create(null));
  } catch (error) {
    end = ending(error, interpreter);
  }
  return {observed: interpreter.observed, end};
}

function ending(error, interpreter) {
  try {
    const kind = kindOf(error, interpreter.engine);
    return {
      how: "error",
      kind,
      type: typeName(error),
      message: messageOf(error),
      line: interpreter.line,
      where: whereRaised(error),
    };
  } catch (lacking) {
    const end = {how: "unsupported", message: lacking.message};
    return lacking.kind === "missing-gradient" ? {...end, kind: lacking.kind} : end;
  }
}

function answer(request, engine) {
  if (request.ask === "hello") {
    return {
      answer: "hello",
      gradspec: 1,
      name: engine.name,
      version: engine.version || "",
      language: engine.language || "JavaScript",
      device: request.device || "cpu",
      features: engine.features || null,
      exact_kinds: engine.exactKinds || false,
      widest_float: engine.widestFloat || "float64",
      ...(engine.unavailable ? {unavailable: engine.unavailable} : {}),
    };
  }
  const begun = process.hrtime.bigint();
  const found = run(request.program, engine);
  return {
    answer: "run",
    number: request.number,
    ...found,
    seconds: Number(process.hrtime.bigint() - begun) / 1e9,
  };
}

// Answer requests until there are none. What the engine prints goes to standard error.
export function serve(engine) {
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const lines = createInterface({input: process.stdin});
  lines.on("line", line => {
    const request = JSON.parse(line);
    if (request.ask === "bye") lines.close();
    else print(JSON.stringify(answer(request, engine)) + "\n");
  });
  lines.on("close", () => process.exit(0));
}

// An engine's package and its version, from the folder that the command line names, or the current one.
// If it is not there, the harness says so and ends.
export function packaged(name) {
  const folder = resolve(process.argv[2] || ".");
  const require = createRequire(`${folder}/`);
  try {
    const engine = require(name);
    const entry = require.resolve(name);
    const root = entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`)) + `/node_modules/${name}`;
    return {engine, version: require(`${root}/package.json`).version};
  } catch (error) {
    const unavailable = `${name} cannot be loaded from ${folder}/node_modules (${messageOf(error).split("\n")[0]}); run npm install ${name} there`;
    serve({name, unavailable, isTensor: () => false});
    return null;
  }
}
