/**
 * The attributes of a face: an estimate of a network, never a fact. So the age is a range, and words come with how
 * sure the network is, 0 to 1.
 */
import { z } from 'zod/mini';

/** What the models can say, of the features of the settings. */
export const attributes = ['age', 'gender', 'emotion'] as const;
export type Attribute = (typeof attributes)[number];

/** In the order of the network's answers. */
export const emotions = [
  'neutral',
  'happy',
  'sad',
  'angry',
  'fearful',
  'disgusted',
  'surprised',
] as const;
export type Emotion = (typeof emotions)[number];

const certainty = z.number().check(z.gte(0), z.lte(1));

/** What was not wanted when the visit began is null. */
export const FaceAttributes = z.object({
  /** Years, both included: as far from the estimate as networks are off on average at that age. */
  age: z.nullable(z.object({ from: z.int(), to: z.int() })),
  /** The gender that the face appears to have, which may not be the person's gender. */
  gender: z.nullable(z.object({ looks_like: z.enum(['woman', 'man']), certainty })),
  /** The expression of the face on the picture, which may not be what the person feels. */
  emotion: z.nullable(z.object({ looks: z.enum(emotions), certainty })),
});
export type FaceAttributes = z.infer<typeof FaceAttributes>;
