/** Digits of the base 85 that Git writes binary patches in. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Returns the text of bytes: five digits for each four of them, the last ones filled with zeros. */
export function encodeBase85(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let i = at; i < at + 4; i++) value = value * 256 + (bytes[i] ?? 0);
    let group = '';
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) group = (digits[value % 85] as string) + group;
    text += group;
  }
  return text;
}
