/// Measures the geometry of the page as it is shown.
enum Audit {
  /// Gives what is wrong, one string a fault: text under 12 pixels, texts that overlap, leave the window or are cut off, words
  /// outside the ring, targets under 44 pixels, a page that scrolls sideways, a message over the number, and a gap under the
  /// chart.
  ///
  /// 12 and 44 pixels are those of the platform guidelines for touch (Apple HIG; WCAG 2.2, 2.5.5).
  static let script = """
    (() => {
      const faults = [];
      const round = box => [box.left, box.top, box.right, box.bottom].map(Math.round).join(' ');
      const box = selector => document.querySelector(selector).getBoundingClientRect();
      const open = document.querySelector('dialog[open]');
      const isSeen = node => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && !node.closest('.unseen, .skip, noscript') && (!open || open.contains(node)) && !isClipped(node);
      // Kept for screen readers only.
      const isClipped = node => node && (getComputedStyle(node).clipPath.startsWith('inset') || isClipped(node.parentElement));
      const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

      // Every run of text, each line of it, without the room above and below the letters.
      const words = [];
      const walker = document.createTreeWalker(open ?? document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        const text = walker.currentNode.data.trim();
        if (!text || !parent || !isSeen(parent)) continue;
        const style = getComputedStyle(parent);
        const scale = parent instanceof SVGElement ? parent.getScreenCTM().a : 1;
        const size = parseFloat(style.fontSize) * scale;
        if (size < 12) faults.push(`${text}: text of ${size.toFixed(1)} px`);
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        let lines = [...range.getClientRects()].map(r => {
          const spare = (r.height - size * .72) / 2;
          return new DOMRect(r.x, r.y + Math.max(spare, 0), r.width, Math.min(r.height, size * .72));
        });
        for (let n = parent; n && n !== document.body; n = n.parentElement) {
          const overflow = getComputedStyle(n).overflowX;
          if (overflow === 'visible' || n instanceof SVGElement) continue;
          const edge = n.getBoundingClientRect();
          if (overflow === 'hidden') {
            for (const r of lines) if (r.left < edge.left - 1 || r.right > edge.right + 1 || r.top < edge.top - 1 || r.bottom > edge.bottom + 1) faults.push(`${text}: cut off (${round(r)} in ${round(edge)})`);
          } else {
            if (n.scrollWidth > n.clientWidth + 1) faults.push(`${n.id || n.className}: scrolls sideways`);
            lines = lines.filter(r => r.top >= edge.top && r.bottom <= edge.bottom);
          }
        }
        for (const r of lines) {
          if (r.left < -1 || r.right > innerWidth + 1) faults.push(`${text}: leaves the window (${round(r)})`);
          words.push({ text, parent, r });
        }
      }
      for (let i = 0; i < words.length; i++) {
        for (let j = i + 1; j < words.length; j++) {
          const [a, b] = [words[i], words[j]];
          const isMessage = w => w.parent.closest('#toast'), isHeader = w => w.parent.closest('header');
          // A message lies over everything but the number, see below, and the bar and the stop at the foot over what can be scrolled.
          const isFoot = w => w.parent.closest('#views, #dosing');
          if (Boolean(isMessage(a)) !== Boolean(isMessage(b)) || Boolean(isFoot(a)) !== Boolean(isFoot(b))) continue;
          // A preview scrolls under its buttons.
          const isBelow = w => w.parent.closest('#peek .choice');
          if (open?.scrollHeight > open?.clientHeight && Boolean(isBelow(a)) !== Boolean(isBelow(b))) continue;
          // The page scrolls under its header.
          if (scrollY > 0 && Boolean(isHeader(a)) !== Boolean(isHeader(b))) continue;
          if (meets(a.r, b.r)) faults.push(`"${a.text}" overlaps "${b.text}" (${round(a.r)}, ${round(b.r)})`);
        }
      }

      // The words of the ring lie within its inner edge, 88 of 240.
      const ring = box('#ring');
      for (const { text, parent, r } of words.filter(w => w.parent.closest('#ring') && getComputedStyle(w.parent.closest('#ring p')).position === 'absolute')) {
        const radius = Math.max(...[r.left, r.right].flatMap(x => [r.top, r.bottom].map(y => Math.hypot(x - ring.left - ring.width / 2, y - ring.top - ring.height / 2))));
        if (radius > ring.width * 88 / 240 + .5) faults.push(`${text}: ${Math.round(radius - ring.width * 88 / 240)} px over the ring of ${Math.round(ring.width)} px`);
      }

      for (const node of document.querySelectorAll('a[href], button, input, summary')) {
        if (!isSeen(node) || node.closest('dialog:not([open])')) continue;
        const { width, height } = node.getBoundingClientRect();
        if (width < 43.5 || height < 43.5) faults.push(`${node.innerText || node.id}: target of ${Math.round(width)} x ${Math.round(height)} px`);
        if (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1) faults.push(`${node.innerText || node.id}: text cut off`);
      }

      if (document.documentElement.scrollWidth > innerWidth) faults.push(`scrolls sideways by ${document.documentElement.scrollWidth - innerWidth} px`);
      const isShort = innerHeight <= 20 * parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (document.querySelector('#toast').dataset.show && !isShort) {
        for (const part of ['#digits', '#mark-state']) if (meets(box('#toast'), box(part))) faults.push(`the message lies over ${part}`);
      }
      const legend = document.querySelector('#chart-card .legend');
      const gap = legend?.checkVisibility() ? box('#chart-card').bottom - legend.getBoundingClientRect().bottom : 0;
      if (gap > 2 * parseFloat(getComputedStyle(document.documentElement).fontSize)) faults.push(`a gap of ${Math.round(gap)} px below the chart`);
      return faults;
    })()
    """
}
