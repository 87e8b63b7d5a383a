// The views of the page, each with an address such as `#/history/7`, and what is loaded for them.

import { $, element, isKiosk, root, toast } from './dom.js';
import { texts } from './texts.js';

/** The style sheets of each view, and its module, whose `open(section)` returns an object with `show(rest)`, and perhaps `hide()`. */
const PARTS = {
  brew: ['chart.css tools.css', () => import('./brew.js')],
  count: ['tools.css', () => import('./count.js')],
  history: ['chart.css weighing.css history.css', () => import('./history.js')],
  calibrate: ['chart.css calibration.css', () => import('./calibration.js')],
  settings: ['settings.css', () => import('./settings.js')],
  setup: ['setup.css', () => import('./setup.js')],
};

/** Addresses of earlier versions, which may be bookmarked. */
const RENAMED = [[/^#history$/, '#/history'], [/^#weighing-(\d{1,15})$/, '#/history/$1'], [
  /^#calibrate$/,
  '#/calibrate',
]];

/** The shown view, the one that the address names, and the parts that were opened. */
const views = { shown: 'scale', wanted: { name: 'scale', rest: '' }, opened: new Map() };

export const isShown = (name) => views.shown === name;

/** Loads a part and its style sheets; `null` after it has said that this failed. */
export async function loadPart(styles, load) {
  try {
    // The texts and styles come before the modules that use them.
    const added = ['late.css', ...styles.split(' ')].filter(Boolean).map(addStyle);
    await Promise.all([import('./view-language.js'), ...added]);
    return await load();
  } catch {
    toast(texts.pageNotLoaded, true);
    return null;
  }
}

/** Adds a style sheet, unless it is there; waits until it is loaded. */
const addStyle = (href) =>
  document.querySelector(`link[href="${href}"]`) ? null : new Promise((done, fail) => {
    const link = element('link', null, { rel: 'stylesheet', href });
    link.onload = done;
    link.onerror = () => {
      link.remove();
      fail();
    };
    document.head.append(link);
  });

/** The view that the address names, with the rest of the address; `null` for a place within a view. */
function named() {
  if (location.hash && !location.hash.startsWith('#/')) return null;
  const [, name, rest = ''] = /^#\/(\w+)\/?(.*)$/.exec(location.hash) ?? [];
  return Object.hasOwn(PARTS, name ?? '') && !isKiosk ? { name, rest } : { name: 'scale', rest: '' };
}

/** Opens the view that the address names. */
async function route() {
  const renamed = RENAMED.find(([old]) => old.test(location.hash));
  if (renamed) return location.replace(location.hash.replace(...renamed));
  const wanted = views.wanted = named() ?? views.wanted, { name, rest } = wanted;
  const part = await opened(name);
  // What could not be loaded leaves the view as it is.
  if (views.wanted !== wanted || !part && name !== 'scale') return;
  const left = views.shown;
  views.shown = name;
  mark(name);
  for (const view of document.querySelectorAll('.view')) view.hidden = view.id !== `view-${name}`;
  if (left !== name) {
    (await views.opened.get(left))?.hide?.();
    scrollTo(0, 0);
  }
  part?.show?.(rest);
}

/** Marks the shown view in the navigation. */
function mark(name) {
  root.dataset.view = name;
  for (const link of $('views').children) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** The part of a view; after a failure, the next attempt begins again. */
function opened(name) {
  if (name === 'scale') return null;
  if (!views.opened.has(name)) views.opened.set(name, open(name));
  return views.opened.get(name);
}

async function open(name) {
  const part = await loadPart(...PARTS[name]);
  if (!part) {
    views.opened.delete(name);
    return null;
  }
  const section = element('section', null, { class: 'view', id: `view-${name}`, hidden: '' });
  document.querySelector('main').append(section);
  try {
    return await part.open(section);
  } catch (fault) {
    section.remove();
    views.opened.delete(name);
    toast(texts.pageNotLoaded, true);
    console.error(fault);
    return null;
  }
}

/** Opens the view that could not be loaded while the appliance was away. */
export const openMissing = () => views.wanted.name === views.shown || route();

addEventListener('hashchange', route);
$('views').addEventListener('click', (event) => {
  if (event.target.closest('a')?.hash === location.hash) openMissing();
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  const view = $(`view-${views.shown}`);
  (view.querySelector('#buttons button') ?? view.querySelector('[tabindex="-1"]'))?.focus();
});
route();
