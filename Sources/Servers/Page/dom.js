// Elements of the document.

import { texts } from './texts.js';

export const $ = (id) => document.getElementById(id);
export const root = document.documentElement;
/** Whether the page fills a screen next to the scale, see kiosk.js. */
export const isKiosk = location.pathname.endsWith('/kiosk');

/** An element with attributes and content, which may be one node or text, or an array of them; `null` is left out. */
export function element(name, content, attributes = {}) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat().filter((each) => each !== null && each !== undefined));
  return node;
}

/** A button; `run` gets the event of a click. */
export function button(content, run, attributes = {}) {
  const node = element('button', content, { type: 'button', ...attributes });
  node.addEventListener('click', run);
  return node;
}

/** An element of SVG. */
export function svg(name, attributes = {}, ...content) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

/** Sets a text only if it differs, so that it is announced once. */
export const set = (node, text = '') => {
  if (node.textContent !== text) node.textContent = text;
};

/** Tells screen readers something that is seen anyway. */
export const announce = (text) => set($('announce'), text);

const toasted = { timer: 0 };

/** Shows a message at the foot of the page for some seconds; it covers neither the number nor its state. */
export function toast(text, isBad = false) {
  set($('toast'), text);
  $('toast').dataset.show = isBad ? 'bad' : 'good';
  clearTimeout(toasted.timer);
  toasted.timer = setTimeout(() => delete $('toast').dataset.show, isBad ? 6000 : 3500);
}

/** Inserts the texts that the markup below a node names by their keys. */
export function insertTexts(node) {
  for (const each of node.querySelectorAll('[data-t]')) each.textContent = texts[each.dataset.t];
  for (const each of node.querySelectorAll('[data-label]')) each.setAttribute('aria-label', texts[each.dataset.label]);
  for (const each of node.querySelectorAll('[data-placeholder]')) each.placeholder = texts[each.dataset.placeholder];
}
