/** What the networks estimate of one face, and how that is shown to users. */
import {
  emotions,
  type Attribute,
  type Emotion,
  type FaceAttributes,
} from '@nazar/contract/attributes.ts';

/** Null: not wanted. */
export interface FaceEstimate {
  /** Years. */
  readonly age: number | null;
  /** How much it looks like a man's face rather than a woman's, 0 to 1. */
  readonly man: number | null;
  /** What it looks most like, and how much, 0 to 1. */
  readonly emotion: { readonly looks: Emotion; readonly certainty: number } | null;
}

/** The answers of the two networks that are wanted. */
export interface NetworkAnswers {
  readonly age?: Float32Array;
  /** A man's, a woman's. */
  readonly gender?: Float32Array;
  readonly expressions?: Float32Array;
}

/** Keeps what is wanted and no more. */
export function estimateOf(
  { age, gender, expressions }: NetworkAnswers,
  wanted: readonly Attribute[],
): FaceEstimate {
  return {
    age: wanted.includes('age') ? (age?.[0] ?? null) : null,
    man: wanted.includes('gender') ? (gender?.[0] ?? null) : null,
    emotion: wanted.includes('emotion') && expressions ? strongest(expressions) : null,
  };
}

function strongest(expressions: Float32Array): FaceEstimate['emotion'] {
  const certainty = Math.max(...expressions);
  const looks = emotions[expressions.indexOf(certainty)];
  return looks ? { looks, certainty } : null;
}

/**
 * By how many years the network is off on average, by age: the figures of face-api.js for its own test pictures
 * (README, "Age and Gender Recognition Model"). There they are by true age; here they are used by estimated age.
 */
const meanErrors = [
  { below: 4, years: 1.52 },
  { below: 9, years: 3.06 },
  { below: 19, years: 4.82 },
  { below: 29, years: 4.99 },
  { below: 41, years: 5.43 },
  { below: 61, years: 4.94 },
  { below: 81, years: 6.17 },
  { below: Infinity, years: 9.91 },
] as const;

export function ageRange(age: number): { from: number; to: number } {
  const { years } = meanErrors.find(({ below }) => age < below) ?? meanErrors.at(-1)!;
  return { from: Math.max(0, Math.round(age - years)), to: Math.max(0, Math.round(age + years)) };
}

/** Networks are often wrong where they say that they are certain: nothing is shown as a fact. */
const mostCertain = 0.99;
const limited = (certainty: number): number => Math.min(certainty, mostCertain);

export function asAttributes({ age, man, emotion }: FaceEstimate): FaceAttributes {
  return {
    age: age === null ? null : ageRange(age),
    gender: man === null ? null : genderOf(man),
    emotion: emotion && { looks: emotion.looks, certainty: limited(emotion.certainty) },
  };
}

function genderOf(man: number): FaceAttributes['gender'] {
  return man >= 0.5
    ? { looks_like: 'man', certainty: limited(man) }
    : { looks_like: 'woman', certainty: limited(1 - man) };
}
