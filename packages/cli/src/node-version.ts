/** The oldest Node that the command runs on (`engines` of its manifest). */
const oldest = [22, 13] as const;

/** Returns the error and the hint for a Node that is too old, else an empty text. */
export function nodeTooOld(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return '';
  return `error: Packhouse needs Node ${oldest.join('.')} or later, and this is Node ${version}.\nhint: https://nodejs.org has the current one.\n`;
}
