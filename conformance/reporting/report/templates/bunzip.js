// The data of a large page is compressed with bzip2, which makes it a fifth smaller than what browsers can undo themselves.
function bunzip(bytes, size) {
  const out = new Uint8Array(size), held = new Uint32Array(900000), starts = new Int32Array(256);
  let at = 4, word = 0, left = 0, end = 0;  // the place in the input, bits that were read and how many, the end of the output
  const bits = count => {
    while (left < count) { word = word << 8 | bytes[at++]; left += 8; }
    left -= count;
    return word >>> left & (1 << count) - 1;
  };
  const toFront = (list, place) => {
    const found = list[place];
    for (; place; place--) list[place] = list[place - 1];
    return list[0] = found;
  };
  const inSteps = range => Uint8Array.from({length: range}, (_, index) => index);
  // A code's symbols by its lengths: of each length the first code beyond it, and where its symbols begin.
  function codeOf(lengths) {
    const code = {least: Math.min(...lengths), limits: new Int32Array(21), shifts: new Int32Array(21), symbols: []};
    for (let length = code.least, next = 0; length <= 20; length++, next <<= 1) {
      code.shifts[length] = code.symbols.length - next;
      lengths.forEach((other, symbol) => { if (other === length) { code.symbols.push(symbol); next += 1; } });
      code.limits[length] = next;
    }
    return code;
  }
  function symbolOf({least, limits, shifts, symbols}) {
    while (left < 20) { word = word << 8 | bytes[at++]; left += 8; }
    const ahead = word >>> left - 20 & 0xfffff;  // no code is longer
    let length = least;
    while (ahead >>> 20 - length >= limits[length]) length += 1;
    left -= length;
    return symbols[(ahead >>> 20 - length) + shifts[length]];
  }
  // The next block's bytes, sorted by what follows them; returns how many, and which is the first.
  function readBlock() {
    bits(16); bits(16);  // a checksum
    bits(1);
    const first = bits(24), ranges = bits(16), used = [];
    for (let range = 0; range < 16; range++) {
      if (!(ranges >> 15 - range & 1)) continue;
      const inRange = bits(16);
      for (let place = 0; place < 16; place++) if (inRange >> 15 - place & 1) used.push(16 * range + place);
    }
    const last = used.length + 1, order = inSteps(bits(3)), choices = [];
    for (let number = bits(15); number; number--) {
      let place = 0;
      while (bits(1)) place += 1;
      choices.push(toFront(order, place));
    }
    const codes = Array.from(order, () => {
      let length = bits(5);
      return codeOf(Array.from({length: last + 1}, () => {
        while (bits(1)) length += bits(1) ? -1 : 1;
        return length;
      }));
    });
    const recent = Uint8Array.from(used);
    starts.fill(0);
    let size = 0, run = 0, weight = 1;
    for (let read = 0; ; read++) {
      const symbol = symbolOf(codes[choices[read / 50 | 0]]);
      if (symbol < 2) { run += weight << symbol; weight <<= 1; continue; }
      if (run) {
        held.fill(recent[0], size, size + run);
        starts[recent[0]] += run;
        size += run;
        run = 0; weight = 1;
      }
      if (symbol === last) return [size, first];
      const byte = toFront(recent, symbol - 1);
      starts[byte] += 1;
      held[size++] = byte;
    }
  }
  // Puts a block in order, and undoes its runs: after four equal bytes one says how many more follow.
  function write(size, first) {
    for (let byte = 0, sum = 0; byte < 256; byte++) { const count = starts[byte]; starts[byte] = sum; sum += count; }
    for (let place = 0; place < size; place++) held[starts[held[place] & 255]++] |= place << 8;
    let next = held[first] >>> 8, before = -1, same = 0;
    for (let count = 0; count < size; count++) {
      const byte = held[next] & 255;
      next = held[next] >>> 8;
      if (same === 4) { out.fill(before, end, end += byte); same = 0; before = -1; continue; }
      same = byte === before ? same + 1 : 1;
      out[end++] = before = byte;
    }
  }
  return async () => {
    while (bits(24) === 0x314159) {
      bits(24);
      write(...readBlock());
      await new Promise(done => setTimeout(done));  // the page stays usable
    }
    return new TextDecoder().decode(out);
  };
}
