/** Parses the value of an option that counts something, from 1. Throws an error that names the option. */
export const wholeNumber = (option: string, value: string): number => {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${option} takes a whole number from 1, not ${value}`);
};
