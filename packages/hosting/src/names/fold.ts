/** The form names are compared in: ASCII letters in lower case, nothing else changed (REPO-062). */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
