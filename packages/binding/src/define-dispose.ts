/**
 * Gives a runtime that lacks it `Symbol.dispose` (BIND-103), which `using` calls. It is the symbol that compilers call in
 * its place where it is missing.
 *
 * @param symbols Default: those of the runtime.
 */
export function defineDispose(symbols: { readonly dispose?: symbol } = Symbol): void {
  if (symbols.dispose === undefined) Object.defineProperty(symbols, 'dispose', { value: Symbol.for('Symbol.dispose') });
}
