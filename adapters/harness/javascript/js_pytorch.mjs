// js-pytorch (https://github.com/eduardoleao052/js-torch), a tape with PyTorch's names.
//
//     npm install js-pytorch@0.7.2 --ignore-scripts
//     gradspec run --impl="exec:node js_pytorch.mjs FOLDER"        # the folder that has node_modules
import {
  Integer,
  Thing,
  Unsupported,
  integers,
  normalized,
  packaged,
  raw,
  serve,
  taking,
  vjpByBackward,
} from "./gradspec.mjs";

const found = packaged("js-pytorch");
if (found) start(found.engine.torch, found.version);

function start(torch, version) {
  const isTensor = value => value instanceof torch.Tensor;
  const flat = data => data.flat(Infinity);

  // Its tensors have one dimension at least: a sum of everything has the shape [1]. Such results, and what is computed from
  // them alone, are reported as tensors without dimensions, which they stand for.
  const numbers = new WeakSet();
  const isNumber = value => typeof value === "number" || numbers.has(value);
  const asNumber = tensor => {
    numbers.add(tensor);
    return tensor;
  };
  const keeping =
    operation =>
    (...operands) => {
      const result = operation(...operands);
      return operands.some(isTensor) && operands.every(isNumber) ? asNumber(result) : result;
    };

  // `grad` is an array, zeros from the start. The same array is the same tensor.
  const gradients = new WeakMap();
  const gradient = keeping(x => {
    if (!gradients.has(x.grad)) gradients.set(x.grad, new torch.Tensor(x.grad));
    return gradients.get(x.grad);
  });

  const doubles = new Thing({plain: {dtype: "float64"}}); // its only dtype: JavaScript's numbers
  const tensor = raw((data, requiresGrad = false, dtype = null) => {
    if (isTensor(data) || typeof data === "boolean")
      throw new Unsupported("tensors of booleans or of tensors");
    if (dtype !== null && dtype !== doubles) throw new Unsupported("other dtypes than float64");
    if (!Array.isArray(data) && !data.items) throw new Unsupported("tensors without dimensions");
    const items = [...data].flat(Infinity);
    if (items.some(item => typeof item === "boolean")) throw new Unsupported("tensors of booleans");
    if (dtype === null && items.length && items.every(item => item instanceof Integer))
      throw new Unsupported("tensors of integers");
    return new torch.Tensor(nested(data), requiresGrad);
  });
  const nested = data => (Array.isArray(data) || data.items ? [...data].map(nested) : Number(data));

  const sized = make =>
    taking(["*size", "requires_grad", "dtype"], (size, requiresGrad = false) => {
      const shape = size.flat();
      if (!shape.length || shape.includes(0))
        throw new Unsupported("tensors without dimensions, or without elements");
      return make(shape, requiresGrad);
    });

  // A reduction over one dimension, or over all: its own default is the last dimension.
  const reduction = reduce =>
    taking(["self", "dim", "keepdim"], (x, dim = null, keepdim = false) => {
      if (numbers.has(x) || Array.isArray(dim)) throw new Unsupported("reducing several dimensions, or none");
      if (dim !== null) {
        const reduced = reduce(x, dim, keepdim);
        return x.shape.length === 1 && !keepdim ? asNumber(reduced) : reduced;
      }
      if (keepdim) throw new Unsupported("keepdim without dim");
      const line = x.shape.length === 1 ? x : x.reshape([flat(x.data).length]);
      return asNumber(reduce(line, 0, false));
    });

  const reshape = taking(["self", "*shape"], (x, shape) => {
    const sizes = shape.flat();
    if (!sizes.length || sizes.includes(-1)) throw new Unsupported("reshaping to no dimensions, or by -1");
    return x.reshape(sizes);
  });

  const transpose = taking(["self", "dim0", "dim1"], (x, first, second) => {
    const places = [first, second].map(dim => (dim < 0 ? dim + x.shape.length : dim));
    if (Math.abs(places[0] - places[1]) !== 1)
      throw new Unsupported("transposing dimensions that are not consecutive");
    return x.transpose(first, second);
  });

  function getItem(x, at) {
    const [first, ...others] = normalized(at, x.shape);
    const whole = (entry, index) =>
      entry.length === x.shape[index + 1] && entry.step === 1 && entry.start === 0;
    if (first.added || !others.every(whole)) {
      const places = [first, ...others];
      if (places.every(entry => Number.isInteger(entry.at)) && places.length === 2)
        return asNumber(x.at([first.at], [others[0].at]));
      throw new Unsupported("indices of several dimensions");
    }
    if (first.at !== undefined) {
      const row = x.at([first.at]);
      return others.length ? row.reshape(x.shape.slice(1)) : asNumber(row);
    }
    if (first.by && !Array.isArray(first.by)) throw new Unsupported("an index that is no list of integers");
    const rows = first.by
      ? first.by.map(Number)
      : Array.from({length: first.length}, (_, index) => first.start + index * first.step);
    if (!rows.length) throw new Unsupported("tensors without elements");
    return x.at(rows);
  }

  const unary = Object.fromEntries(
    ["exp", "log", "sqrt", "neg"].map(name => [
      name,
      taking(
        ["self"],
        keeping(x => x[name]()),
      ),
    ]),
  );
  const add = taking(
    ["self", "other"],
    keeping((x, y) => (isTensor(x) ? x.add(y) : y.add(x))),
  );
  const mul = taking(
    ["self", "other"],
    keeping((x, y) => (isTensor(x) ? x.mul(y) : y.mul(x))),
  );
  const sub = taking(
    ["self", "other"],
    keeping((x, y) => (isTensor(x) ? x.sub(y) : y.neg().add(x))),
  );
  const div = taking(
    ["self", "other"],
    keeping((x, y) => torch.div(x, y)),
  );
  const pow = taking(
    ["self", "exponent"],
    keeping((x, n) => {
      if (!isTensor(x) || isTensor(n)) throw new Unsupported("an exponent that is a tensor");
      return x.pow(n);
    }),
  );
  const matmul = taking(["self", "other"], (x, y) => {
    const result = x.matmul(y);
    return x.shape.length === 1 && y.shape.length === 1 ? asNumber(result) : result;
  });
  const shared = {
    ...unary,
    add,
    sub,
    mul,
    div,
    pow,
    matmul,
    reshape,
    transpose,
    sum: reduction((x, dim, keep) => x.sum(dim, keep)),
    mean: reduction((x, dim, keep) => x.mean(dim, keep)),
  };
  const backward = taking(["self", "gradient"], (x, gradient = null) => {
    x.backward(gradient);
    return null;
  });
  const track = taking(["self", "requires_grad"], (x, flag = true) => {
    if (flag !== true || x.operation)
      throw new Unsupported("requires_grad_ of what is no leaf, or to other values than True");
    x.requires_grad = true;
    if (x.grad === undefined) x.zero_grad(); // only the constructor and this make room for a gradient
    return x;
  });
  const applied = (layer, ...parameters) =>
    taking(["input", ...parameters], (...given) => layer().forward(...given));
  const linear = taking(["input", "weight", "bias"], (x, weight, bias = null) => {
    const layer = new torch.nn.Linear(weight.shape[1], weight.shape[0], "cpu", bias !== null);
    [layer.W, layer.b] = [weight.transpose(0, 1), bias]; // its weights are (in, out)
    return layer.forward(x);
  });

  serve({
    name: "js-pytorch",
    version,
    isTensor,
    // Its numbers are doubles. A program that names no dtype means float32, and is compared as such.
    describe: x => ({dtype: "float32", shape: numbers.has(x) ? [] : x.shape, values: flat(x.data)}),
    words: {
      tensor: taking(["data", "requires_grad", "dtype"], tensor),
      zeros: sized((shape, flag) => torch.zeros(shape, flag)),
      ones: sized((shape, flag) => torch.ones(shape, flag)),
      is_tensor: raw(isTensor),
      float64: doubles,
      vjp: vjpByBackward({
        leaf: x => new torch.Tensor(structuredClone(x.data), true),
        backward: (y, gradient) => {
          if (y.requires_grad) y.backward(gradient);
        },
        gradient: leaf => new torch.Tensor(leaf.grad),
      }),
      ...shared,
      "nn.functional.relu": applied(() => new torch.nn.ReLU()),
      relu: applied(() => new torch.nn.ReLU()),
      softmax: applied(() => new torch.nn.Softmax(), "dim"),
      "nn.functional.softmax": applied(() => new torch.nn.Softmax(), "dim"),
      "nn.functional.linear": linear,
    },
    methods: {
      ...shared,
      backward,
      requires_grad_: track,
      softmax: applied(() => new torch.nn.Softmax(), "dim"),
      relu: applied(() => new torch.nn.ReLU()),
      t: taking(["self"], x => x.transpose(0, 1)),
      item: taking(["self"], x => {
        if (flat(x.data).length !== 1) throw new Unsupported("item of several elements"); // it is a word of this file
        return flat(x.data)[0];
      }),
      tolist: taking(["self"], x => (numbers.has(x) ? x.data[0] : x.tolist())),
      dim: taking(["self"], x => new Integer(numbers.has(x) ? 0 : x.shape.length)),
    },
    attributes: {
      shape: x => integers(numbers.has(x) ? [] : x.shape),
      ndim: x => new Integer(numbers.has(x) ? 0 : x.shape.length),
      grad: x => (x.grad === undefined ? null : gradient(x)),
      requires_grad: x => x.requires_grad,
      T: x => x.transpose(0, 1),
      mT: x => x.transpose(-2, -1),
    },
    operators: {
      "binary +": add,
      "binary -": sub,
      "binary *": mul,
      "binary /": div,
      "binary **": pow,
      "binary @": matmul,
      "unary -": unary.neg,
    },
    getItem,
  });
}
