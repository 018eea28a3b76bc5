import { signal } from '#lib/signal.ts';

/** Whether the last request reached the server at all. */
export const reachable = signal(true);
