/** When a live view that broke tries again. */

/** LIVE-021: a stream that failed is tried again after five seconds. A network that is back ends the pause. */
export const RETRY_PAUSE_MS = 5000;

/** LIVE-022: so long without a picture is a broken stream. */
export const PATIENCE_MS = 10_000;
/** Where the server itself says that the camera sends nothing, only a dead connection is detected. */
export const PATIENCE_WITHOUT_CAMERA_MS = 60_000;
