import { z } from 'zod/mini';

/** A new password once more. The form compares the two: the server is never sent this one. */
export const Repetition = z.string().check(z.minLength(1), z.maxLength(512));
