/** Whether a path is one of a pattern, in which each `*` stands for any text, also for none. */
export function fitsPath(pattern: string, path: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return path === pattern;
  if (!path.startsWith(first)) return false;
  // The earliest place of each part leaves the most for those after it.
  let end = first.length;
  for (const part of others) {
    const at = path.indexOf(part, end);
    if (at < 0) return false;
    end = at + part.length;
  }
  return path.length - last.length >= end && path.endsWith(last);
}
