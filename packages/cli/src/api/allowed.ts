/** What to write instead of a value that the service refuses, by the member of the request that held it. */
const allowed: Readonly<Record<string, string>> = {
  // REPO-061.
  name: 'Use letters, digits, ".", "_" and "-", with a letter or digit first, such as "my-repo".',
  // REPO-060, LIM-005.
  namespace:
    'Use 2 to 63 letters, digits, ".", "_" and "-", with a letter or digit first and no "-" last, such as "my-team".',
  // REPO-063.
  default_branch:
    'Use a name that Git takes for a branch, such as "main" or "release/1.0": no spaces, no "..", none of ~^:?*[\\, no "-" first, and not "HEAD".',
  // LIM-007.
  description: 'Give a shorter text after --description, or none.',
  // TOKEN-009.
  ttl: 'Write seconds after --ttl, or a number with m, h or d, such as 12h.',
  // LIM-016.
  search: 'Give a shorter text after --search.',
};

/** The hint on a refused value; `program` is how the user calls this command line. */
export function allowedValue(member: string | undefined, program: string): string {
  return allowed[member ?? ''] ?? `Look at what "${program} --help" says, and whether the server is of this release.`;
}
