// What pointers and arrow keys move over a drawing of the pad.

export const clamp = (value) => Math.min(Math.max(value, 0), 1);

/** The directions of the arrow keys. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Follows a pointer until it is released. */
export function followPointer({ pointerId }, node, { move, end = () => {} }) {
  node.setPointerCapture(pointerId);
  const ends = new AbortController();
  const on = (name, perform) =>
    node.addEventListener(name, (event) => event.pointerId === pointerId && perform(event), ends);
  on('pointermove', move);
  for (const name of ['pointerup', 'pointercancel']) {
    on(name, (event) => {
      ends.abort();
      end(event);
    });
  }
}
