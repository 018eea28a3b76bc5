/** The slices of a ring as SVG paths, round the point 0,0, the first from 12 o'clock on. Pure. */
import type { Piece } from './stack.ts';

const fullTurn = 2 * Math.PI;
const round = (value: number): number => Math.round(value * 1000) / 1000;

function dot(radius: number, turn: number): string {
  const angle = turn * fullTurn - fullTurn / 4;
  return `${round(radius * Math.cos(angle))},${round(radius * Math.sin(angle))}`;
}

const ringOf = (radius: number): string =>
  `M0,${-radius}A${radius},${radius} 0 1 1 0,${radius}A${radius},${radius} 0 1 1 0,${-radius}Z`;

/** '' for a slice of nothing; a slice of everything is two circles, drawn with the even-odd rule. */
export function slice({ from, until }: Piece, outer: number, inner: number): string {
  const share = until - from;
  if (share <= 0) return '';
  // An arc that ends where it begins draws nothing.
  if (share >= 1) return ringOf(outer) + ringOf(inner);
  const large = share > 0.5 ? 1 : 0;
  return [
    `M${dot(outer, from)}`,
    `A${outer},${outer} 0 ${large} 1 ${dot(outer, until)}`,
    `L${dot(inner, until)}`,
    `A${inner},${inner} 0 ${large} 0 ${dot(inner, from)}Z`,
  ].join('');
}
