/** The parser's state. `item` and `member` follow an opening bracket; `next` and `name` follow a comma. */
type State = 'value' | 'item' | 'next' | 'member' | 'name' | 'colon' | 'end';

const whitespace = /[ \t\n\r]*/y;
const stringStart = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const token = new RegExp(
  String.raw`(?<mark>[{}[\]:,])|(?<string>${stringStart.source}")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`,
  'y',
);

/**
 * Describes the first syntax error of a text that `JSON.parse` rejects (RFC 8259), such as
 * `(line 3, column 1): expected a value`. Returns an empty string for valid JSON. Messages of JavaScript engines quote
 * the text; this one does not, because a configuration may hold secrets. Lines and columns count from 1, and columns
 * count characters.
 */
export function describeJsonFault(text: string): string {
  const open: string[] = [];
  let state: State = 'value';
  for (let at = 0; ;) {
    at = endOf(whitespace, text, at);
    if (at === text.length && state === 'end' && open.length === 0) return '';
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    const kind = groups === undefined ? undefined : (groups['mark'] ?? (groups['string'] === undefined ? '0' : '"'));
    const next: State | undefined = kind === undefined ? undefined : step(state, kind, open);
    if (next === undefined) return faultAt(text, at, state, open.at(-1));
    state = next;
    at = token.lastIndex;
  }
}

/**
 * Returns the state after a token, or undefined if the token is not allowed in this state. `kind` is a punctuation
 * mark, `"` for a string or `0` for any other scalar.
 */
function step(state: State, kind: string, open: string[]): State | undefined {
  const inside = open.at(-1);
  if (state === 'colon') return kind === ':' ? 'value' : undefined;
  const mayClose = state === 'end' || state === 'item' || state === 'member';
  if (mayClose && (inside === '{' ? kind === '}' : inside === '[' && kind === ']')) {
    open.pop();
    return 'end';
  }
  if (state === 'end') return kind !== ',' || inside === undefined ? undefined : inside === '{' ? 'name' : 'next';
  if (state === 'member' || state === 'name') return kind === '"' ? 'colon' : undefined;
  if (kind === '"' || kind === '0') return 'end';
  if (kind !== '{' && kind !== '[') return undefined;
  open.push(kind);
  return kind === '{' ? 'member' : 'item';
}

function faultAt(text: string, at: number, state: State, inside: string | undefined): string {
  const takesString = state !== 'colon' && state !== 'end';
  if (text[at] !== '"' || !takesString) {
    return `${placeOf(text, at)}: expected ${wanted(state, inside)}${instead(text.slice(at, at + 2), state)}`;
  }
  const broken = endOf(stringStart, text, at);
  return `${placeOf(text, broken)}: ${stringProblem(text[broken])}`;
}

function wanted(state: State, inside: string | undefined): string {
  if (state === 'colon') return '":" after the name';
  if (state === 'member') return 'a name in double quotes, or "}"';
  if (state === 'name') return 'a name in double quotes';
  if (state === 'item') return 'a value, or "]"';
  if (state !== 'end') return 'a value';
  return inside === undefined ? 'nothing after the end' : `a comma, or "${inside === '{' ? '}' : ']'}"`;
}

/** Names the unexpected text if its name helps to find the mistake; otherwise returns an empty string. */
function instead(found: string, state: State): string {
  if (found === '') return ', not the end of the text';
  if (/^(?:\/\/|\/\*|#)/.test(found)) return ', not a comment';
  if (found.startsWith("'")) return ', not a single quote';
  return /^[}\]]/.test(found) && (state === 'name' || state === 'next') ? ' after the comma' : '';
}

function stringProblem(found: string | undefined): string {
  if (found === undefined || found === '\n' || found === '\r') return 'the string does not end on its line';
  return found === '\\'
    ? 'this backslash begins no escape; a backslash itself is written twice'
    : 'a string holds no tab or other control character; a tab is written \\t';
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return `(line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1})`;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
