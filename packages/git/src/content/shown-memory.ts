/** Bytes a reply takes for each byte of a commit or tree: the body, its texts, their JSON with all that is escaped, and that in bytes. */
const shownPerByte = 12;
const shownPerObject = 1024;

/** Bytes that showing a commit or tree of that size takes. */
export function shownMemory(size: number): number {
  return shownPerObject + shownPerByte * size;
}
