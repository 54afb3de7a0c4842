/** The same method with the name of the account before its own arguments. */
export type OfAccount<Method> = Method extends (...given: infer Given) => infer Result
  ? (account: string, ...given: Given) => Result
  : never;
