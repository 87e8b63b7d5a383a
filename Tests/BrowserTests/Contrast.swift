/// Looks for text that is too faint.
enum Contrast {
  /// Gives the texts whose contrast with their ground is less than 4.5, or 3 where they are large (WCAG 2.2, 1.4.3); what is
  /// disabled does not count.
  static let script = """
    (() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 1;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const rgba = color => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
      };
      const ground = node => {
        const layers = [];
        // The words of the ring lie on its disc.
        const words = node.closest('#ring p');
        if (words && getComputedStyle(words).position === 'absolute') layers.push(rgba(getComputedStyle(document.querySelector('#ring .disc')).fill));
        for (let n = node; n; n = n.parentElement) {
          const layer = rgba(getComputedStyle(n).backgroundColor);
          layers.push(layer);
          if (layer[3] === 255) break;
        }
        return layers.reverse().reduce((below, [r, g, b, a]) => below.map((c, i) => c + ([r, g, b][i] - c) * a / 255), [255, 255, 255]);
      };
      const light = rgb => rgb.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      const faint = [];
      for (const node of document.querySelectorAll('body *')) {
        const style = getComputedStyle(node);
        const text = [...node.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
        if (!text || node.disabled || node.closest('[hidden], svg, dialog:not([open]), .unseen, .skip, noscript, #toast')) continue;
        if (node.closest('button:disabled') || !node.getClientRects().length) continue;
        const [a, b] = [light(rgba(style.color)), light(ground(node))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${text}: ${ratio.toFixed(2)}`);
      }
      return faint.join('; ');
    })()
    """
}
