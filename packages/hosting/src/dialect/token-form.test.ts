import { describe, expect, it } from 'vitest';
import { beginsLikeToken, hasTokenForm } from './token-form.ts';

const digits = '0123456789abcdef0123456789abcdef01234567';

describe('the form of a token', () => {
  it.each([
    `rht_v1_${digits}`,
    `rht_v9_${digits}?expires=1795252502`,
    `rht_v1_${digits.toUpperCase()}`,
    `art_v2_x_${digits}`,
    `art_v1_Q_${digits}?expires=0`,
  ])('BIND-065: %s has it', (text) => {
    expect(hasTokenForm(text)).toBe(true);
  });

  it.each([
    '',
    digits,
    `rht_v1_${digits.slice(1)}`,
    `rht_v1_${digits}0`,
    `rht_v10_${digits}`,
    `rht_vx_${digits}`,
    `rht_v1_x_${digits}`,
    `art_v2_${digits}`,
    `art_v2_xx_${digits}`,
    `art_v2_7_${digits}`,
    `rht_v1_${digits}?expires=`,
    `rht_v1_${digits}?expires=1x`,
    `rht_v1_${digits}?until=1`,
    ` rht_v1_${digits}`,
    `rht_v1_${digits}\n`,
    'k3v9p0x2m7q4w8zt',
  ])('BIND-065: %j has not', (text) => {
    expect(hasTokenForm(text)).toBe(false);
  });
});

describe('what begins like a token', () => {
  it.each([`rht_v1_${digits}`, 'rht_v9_', `art_v2_x_${digits}`, 'art_v1_Q_x', 'own-7'])('GIT-185: %s does', (text) => {
    expect(beginsLikeToken(text, 'own-')).toBe(true);
  });

  it.each(['', 'x', digits, `ph_${digits}`, `xrht_v1_${digits}`, 'rht_vx_', 'art_v2_7_', 'RHT_v1_', 'own'])(
    'GIT-185: %j does not',
    (text) => {
      expect(beginsLikeToken(text, 'own-')).toBe(false);
    },
  );
});
