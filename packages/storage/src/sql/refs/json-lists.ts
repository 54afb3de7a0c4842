/** Maximum characters of one list, at most three bytes each: Durable Object SQL refuses values of 2 MB. */
const listMax = 600_000;

/** Splits items into JSON lists for statements with `json_each`, each small enough for one value. */
export function* jsonLists(items: readonly unknown[]): Generator<string, void, undefined> {
  let texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    if (texts.length > 0 && length + text.length > listMax) {
      yield `[${texts.join()}]`;
      [texts, length] = [[], 0];
    }
    texts.push(text);
    length += text.length + 1;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
