/** Returns true if a path matches a pattern, in which each `*` matches any text, also the empty one. */
export function fitsPath(pattern: string, path: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return path === pattern;
  if (!path.startsWith(first)) return false;
  // The earliest match of each part leaves the longest rest for the parts after it.
  let end = first.length;
  for (const part of others) {
    const at = path.indexOf(part, end);
    if (at < 0) return false;
    end = at + part.length;
  }
  return path.length - last.length >= end && path.endsWith(last);
}
