// Elements that several views are made of.

import { widthOf } from './display.js';
import { element, svg } from './dom.js';

export const soft = (text) => element('p', text, { class: 'soft' });
export const row = (...content) => element('p', content, { class: 'row' });
export const details = (summary, ...content) => element('details', [element('summary', summary), ...content]);

/** Elements that belong together, with a name for screen readers. */
export const group = (label, content, name = 'row') =>
  element('div', content, { class: name, role: 'group', 'aria-label': label });

/** A list of names, each with its value: a text, or a `dd`. */
export const pairs = (rows, attributes) =>
  element(
    'dl',
    rows.map(([name, value]) => element('div', [element('dt', name), value.nodeType ? value : element('dd', value)])),
    attributes,
  );

/** The options of a choice, of `[value, name]` pairs. */
export const options = (choices) => choices.map(([value, name]) => element('option', name, { value }));

/** A table that scrolls on its own; numbers are in all columns but the first. */
export function table(label, heads, rows) {
  const cells = (tag, words, more = {}) =>
    words.map((word, index) => element(tag, word, { class: index ? 'n' : '', ...more }));
  return element(
    'div',
    element('table', [
      element('thead', element('tr', cells('th', heads, { scope: 'col' }))),
      element('tbody', rows.map((each) => element('tr', cells('td', each)))),
    ]),
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
  );
}

/** What the colours of a chart mean. */
export const legend = (keys) =>
  element('ul', Object.entries(keys).map(([kind, text]) => element('li', text, { class: `k-${kind}` })), {
    class: 'legend',
    'aria-hidden': 'true',
  });

/** A text in a picture. */
export const word = (text, x, y, anchor, more) => svg('text', { x, y, 'text-anchor': anchor, ...more }, text);

/** The font size of a node in pixels, and a function that measures texts in its font. */
export function fontOf(node) {
  const { fontSize, fontFamily } = getComputedStyle(node);
  return { em: parseFloat(fontSize), measure: (text) => widthOf(text, `${fontSize} ${fontFamily}`) };
}

/** A picture that is drawn in CSS pixels, so that its text is not scaled, as often as its size changes; has a label until then. */
export function drawn(label, draw) {
  const picture = svg('svg', { role: 'img', 'aria-label': label });
  const watch = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height, isConnected } = picture;
    if (!isConnected) return watch.disconnect();
    if (!width) return;
    picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    draw(picture, width, height, fontOf(picture));
  });
  watch.observe(picture);
  return picture;
}
