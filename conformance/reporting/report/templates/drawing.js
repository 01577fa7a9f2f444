// A graph as svg.py draws it, by what `plan_of` says there.
const {CHARACTER, LINE, PADDING, MARGIN, SMALL, HEAD, BROAD} = {{ drawing_sizes | data }};
const ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"};
const escaped = text => text.replace(/[&<>"']/g, letter => ESCAPED[letter]);
const whole = number => number.toFixed(0);
function svgOf(boxes, edges) {
  const places = boxes.map(([x, y, text, starts]) => {
    const lines = text.split("\n"), longest = Math.max(...lines.map(line => [...line].length - 1));
    return {x, y, lines, starts, leaf: lines[0][0] === "l", width: longest * CHARACTER + 2 * PADDING, height: lines.length * LINE + 2 * PADDING - 4};
  });
  const paths = edges.map(([source, target, , ...points]) => {
    const between = [];
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = points.slice(at, at + 2), row = places.filter(place => place.y === y);
      between.push({x, y, width: 8, height: Math.max(1, ...row.map(place => place.height))});
    }
    return [places[source], ...between, places[target]];
  });
  const width = Math.max(...[places, ...paths].flat().map(place => place.x + place.width / 2));
  let spare = MARGIN, bottom = Math.max(...places.map(place => place.y + place.height / 2));
  // A gradient beside an arrow, and how far it reaches to both sides.
  function gradient(label, x, y, left) {
    const wide = [...label].length * CHARACTER * SMALL + 4;
    spare = Math.max(spare, left ? wide - x : -x, (left ? x : x + wide) - width);
    return `<text class="${left ? "g left" : "g"}" x="${whole(x)}" y="${whole(y)}">${escaped(label)}</text>`;
  }
  function beside(x, other, y, label) {
    const left = x < other - 4;
    return gradient(label, x + (left ? -6 : 6), y, left);
  }
  function arrow([first, ...rest], label) {
    let x = first.x, y = first.y - first.height / 2, drawn = `M${whole(x)} ${whole(y)}`;
    rest.forEach((place, index) => {
      const end = place.y + place.height / 2, bend = (y + end) / 2;
      drawn += `C${whole(x)} ${whole(bend)} ${whole(place.x)} ${whole(bend)} ${whole(place.x)} ${whole(end)}`;
      x = place.x;
      y = place.y - place.height / 2;
      if (index < rest.length - 1) drawn += `L${whole(x)} ${whole(y)}`;
    });
    return `<path${label ? "" : ' class="idle"'} d="${drawn}${HEAD}"/>`;
  }
  const parts = paths.map((path, index) => arrow(path, edges[index][2]));
  paths.forEach((path, index) => {
    const [, target, label] = edges[index], [below, above] = path.slice(-2);
    if (!label) return;
    const shared = edges.filter(edge => edge[1] === target).length > 1;
    parts.push(shared ? beside(below.x, above.x, below.y - below.height / 2 - 8, label) : beside(above.x, below.x, above.y + above.height / 2 + 17, label));
  });
  for (const {x, y, lines, leaf, width, height} of places) {
    const top = y - height / 2;
    parts.push(`<rect${leaf ? ' class="leaf"' : ""} x="${whole(x - width / 2)}" y="${whole(top)}" width="${whole(width)}" height="${whole(height)}" rx="${leaf ? 9 : 3}"/>`);
    lines.forEach((line, number) => parts.push(`<text class="${line[0] === "l" ? "t" : line[0]}" x="${whole(x)}" y="${whole(top + PADDING + LINE / 2 + 2 + number * LINE)}">${escaped(line.slice(1))}</text>`));
  }
  for (const {x, y, starts, height} of places) {
    const end = y + height / 2;
    if (starts === null) continue;
    parts.push(`<path d="M${whole(x)} ${whole(end + 22)}V${whole(end)}${HEAD}"/>`, gradient(starts, x + 6, end + 20, false));
    bottom = Math.max(bottom, end + 24);
  }
  const titles = leaf => places.filter(place => place.leaf === leaf).map(place => place.lines[0].slice(1)).join(", ");
  const said = `Recorded graph. Leaves: ${titles(true) || "none"}. Operations: ${titles(false)}.`;
  const size = `width="${whole(width + 2 * spare)}" height="${whole(bottom + 2 * MARGIN)}" viewBox="${whole(-spare)} ${whole(-MARGIN)} ${whole(width + 2 * spare)} ${whole(bottom + 2 * MARGIN)}"`;
  return `<svg class="${width + 2 * spare > BROAD ? "graph broad" : "graph"}" role="img" aria-label="${escaped(said)}" ${size}>${parts.join("")}</svg>`;
}
