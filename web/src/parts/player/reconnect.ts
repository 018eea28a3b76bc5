/** When a live view that broke tries again (LIVE-021, LIVE-022). */

/** LIVE-021: a stream that failed is tried again after five seconds; never later than that. */
const STEP_MS = 5000;
/** The last part is chance, so that a restarted server is not met by every viewer at once. */
const JITTER_MS = 1000;

export const retryPauseMs = (random: number): number => STEP_MS - random * JITTER_MS;

/** LIVE-022: so long without a picture is a broken stream. */
export const PATIENCE_MS = 10_000;
/** Where the server itself says that the camera sends nothing, only a dead line is looked for. */
export const PATIENCE_WITHOUT_CAMERA_MS = 60_000;
