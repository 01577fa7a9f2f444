// Undoes what `packed` in html.py does: LZMA without a header, of which literals depend on the three highest bits
// of the byte before. Only this is decoded by hand: what browsers decompress themselves makes a third more of it.
async function unlzma(bytes, size) {
  // Where the chances of each kind of bit begin.
  const MATCH = 0, REPEAT = 12, OLDER = 24, OLDER2 = 36, OLDER3 = 48, LONG = 60, SLOT = 72, SPECIAL = 328, ALIGN = 444, LENGTH = 460, AGAIN = 734, LITERAL = 1008;
  const PART = 1 << 18;  // how many bytes are made before the browser may do something else
  const chances = new Uint16Array(LITERAL + 8 * 768).fill(1024), made = new Uint8Array(size), coder = new Uint32Array([-1, 0]);
  let place = 5;
  for (const byte of bytes.subarray(1, place)) coder[1] = coder[1] << 8 | byte;
  function more() {
    coder[0] <<= 8;
    coder[1] = coder[1] << 8 | bytes[place++];
  }
  function bit(chance) {
    const of = chances[chance], bound = (coder[0] >>> 11) * of, one = coder[1] >= bound;
    if (one) {
      coder[0] -= bound;
      coder[1] -= bound;
      chances[chance] = of - (of >>> 5);
    } else {
      coder[0] = bound;
      chances[chance] = of + (2048 - of >>> 5);
    }
    if (coder[0] < 16777216) more();
    return one ? 1 : 0;
  }
  function number(first, bits) {
    let found = 1;
    while (found < 1 << bits) found = found << 1 | bit(first + found);
    return found - (1 << bits);
  }
  function lowestFirst(first, bits) {
    let node = 1, found = 0;
    for (let at = 0; at < bits; at++) {
      const one = bit(first + node);
      node = node << 1 | one;
      found |= one << at;
    }
    return found;
  }
  function even(bits) {  // each bit as likely as not
    let found = 0;
    while (bits--) {
      coder[0] >>>= 1;
      const one = coder[1] >= coder[0];
      if (one) coder[1] -= coder[0];
      found = found << 1 | one;
      if (coder[0] < 16777216) more();
    }
    return found;
  }
  const lengthOf = first => (!bit(first) ? 2 + number(first + 2, 3) : !bit(first + 1) ? 10 + number(first + 10, 3) : 18 + number(first + 18, 8));
  function distance(length) {
    const slot = number(SLOT + 64 * Math.min(length - 2, 3), 6), bits = (slot >> 1) - 1;
    if (slot < 4) return slot;
    const high = (2 | slot & 1) << bits;
    if (slot < 14) return high + lowestFirst(SPECIAL + high - slot, bits);
    return high + (even(bits - 4) << 4) + lowestFirst(ALIGN, 4);
  }
  let state = 0, latest = [0, 0, 0, 0], stop = PART;  // `latest`: the distances used last
  for (let at = 0; at < size;) {
    if (at > stop) {
      await new Promise(done => setTimeout(done));
      stop = at + PART;
    }
    if (!bit(MATCH + state)) {
      const first = LITERAL + 768 * (at ? made[at - 1] >> 5 : 0);
      let letter = 1;
      if (state > 6) {
        for (let expected = made[at - latest[0] - 1]; letter < 256; expected <<= 1) {
          const wanted = expected >> 7 & 1, found = bit(first + (1 + wanted << 8) + letter);
          letter = letter << 1 | found;
          if (found !== wanted) break;
        }
      }
      while (letter < 256) letter = letter << 1 | bit(first + letter);
      made[at++] = letter;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    const [first, second, third, fourth] = latest;
    let length = 1;
    if (!bit(REPEAT + state)) {
      length = lengthOf(LENGTH);
      latest = [distance(length), first, second, third];
      state = state < 7 ? 7 : 10;
    } else {
      const older = bit(OLDER + state);
      if (older) latest = !bit(OLDER2 + state) ? [second, first, third, fourth] : !bit(OLDER3 + state) ? [third, first, second, fourth] : [fourth, first, second, third];
      if (older || bit(LONG + state)) {
        length = lengthOf(AGAIN);
        state = state < 7 ? 8 : 11;
      } else state = state < 7 ? 9 : 11;
    }
    for (const end = at + length; at < end; at++) made[at] = made[at - latest[0] - 1];
  }
  return made;
}
