/**
 * Defines `Symbol.dispose` in a runtime that lacks it (BIND-103), for `using`. The symbol is the one that compilers use
 * in that case.
 *
 * @param symbols Default: those of the runtime.
 */
export function defineDispose(symbols: { readonly dispose?: symbol } = Symbol): void {
  if (symbols.dispose === undefined) Object.defineProperty(symbols, 'dispose', { value: Symbol.for('Symbol.dispose') });
}
