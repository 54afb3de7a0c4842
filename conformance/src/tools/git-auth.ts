/** Returns arguments of stock `git` that send a value of `Authorization`. */
export function gitAuth(authorization: string): readonly string[] {
  return ['-c', `http.extraHeader=Authorization: ${authorization}`];
}
