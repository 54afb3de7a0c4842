import type { WatchedPage } from './watched-page.ts';

/** Colours of a piece of the page, as computed by the browser. */
interface Colours {
  readonly what: string;
  readonly foreground: string;
  /** From the piece outwards; the first opaque one is visible. */
  readonly backgrounds: readonly string[];
  /** 4.5 for text, 3 for large text and for drawings and lines (WCAG 1.4.3, 1.4.11). */
  readonly required: number;
}

const read = ({ page }: WatchedPage): Promise<Colours[]> =>
  page.evaluate(() => {
    const backgroundsOf = (element: Element | null): string[] =>
      element === null ? [] : [getComputedStyle(element).backgroundColor, ...backgroundsOf(element.parentElement)];
    const colours: Colours[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      const style = getComputedStyle(element);
      const what = `${element.tagName} ${element.textContent?.trim().slice(0, 30) ?? ''}`;
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
      const large = Number.parseFloat(style.fontSize) >= (Number(style.fontWeight) >= 700 ? 18.66 : 24);
      if (hasText)
        colours.push({ what, foreground: style.color, backgrounds: backgroundsOf(element), required: large ? 3 : 4.5 });
      if (element.tagName === 'svg')
        colours.push({ what: `drawing`, foreground: style.stroke, backgrounds: backgroundsOf(element), required: 3 });
      const line = getComputedStyle(element, '::after');
      if (line.content !== 'none')
        colours.push({
          what: 'link',
          foreground: line.borderTopColor,
          backgrounds: backgroundsOf(element),
          required: 3,
        });
      if (element.className === 'node')
        colours.push({
          what: 'shape',
          foreground: style.borderTopColor,
          backgrounds: backgroundsOf(element.parentElement),
          required: 3,
        });
    }
    return colours;
  });

const channels = (colour: string): readonly number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio (WCAG 2.2). */
const ratio = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Returns text, drawings and lines with too little contrast (WCAG 1.4.3 and 1.4.11). */
export const findFaint = async (watched: WatchedPage): Promise<readonly string[]> => {
  const pieces = await read(watched);
  if (pieces.length < 4) return ['there is next to nothing on the page'];
  return pieces.flatMap(({ what, foreground, backgrounds, required }) => {
    const background = backgrounds.find((colour) => (channels(colour)[3] ?? 1) > 0) ?? 'rgb(255, 255, 255)';
    const found = ratio(foreground, background);
    return found < required ? [`${what}: ${foreground} on ${background} is ${found.toFixed(2)}`] : [];
  });
};
