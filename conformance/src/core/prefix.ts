/** Makes the prefix of all names of a run. */
export function randomPrefix(): string {
  return `ct-${crypto.randomUUID().slice(0, 8)}`;
}
