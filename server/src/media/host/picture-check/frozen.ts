/**
 * Whether a camera goes on sending the same picture. A sensor has noise, so that even of a still room no two pictures
 * are the same for long: pixels that change nowhere, for minutes, are those of a picture that is repeated. Pure.
 *
 * It can't be said of a dark, glaring or empty picture, whose pixels may all have the same value for hours. A frozen
 * picture that is coded anew each time, never twice alike, is not noticed.
 */

/** Grey levels between which a pixel can have noise: darker or lighter ones are cut off at black and white. */
const [dark, glaring] = [40, 225];
/**
 * Share of the lit pixels that may have changed since the time began. Measured with x264, crf 40 and 45, a key frame
 * each 100 pictures: of a still room with noise of 0.3 to 1 grey levels nothing is left between key frames, and each of
 * these changes 40 to 88 % of the pixels. A repeated picture that is coded anew changes 0.1 %, and 2.3 % with a clock.
 */
const changedShare = 0.1;
/** Share of the picture that must be lit. */
const leastLit = 0.1;
/**
 * Cameras that save bits send a key frame each 10 s at least (some of them each 20 s in a still room), and repeat the
 * picture between: ten minutes hold thirty of those.
 */
const frozenAfterMs = 10 * 60_000;
/** Changes before a picture is called moving: a repeated picture may jump to another one. */
const movingChanges = 3;

export class Frozen {
  #first: Uint8Array | null = null;
  /** Whether each pixel was another since then. */
  #changed = new Uint8Array(0);
  #sinceMs = 0;
  #changes = 0;
  #isFrozen: boolean | null = null;

  /** Null: it is not known yet. */
  get found(): boolean | null {
    return this.#isFrozen;
  }

  /** Some time was not seen: the time begins anew, and what was found stays. */
  interrupt(): void {
    this.#first = null;
    this.#changes = 0;
  }

  /** `hasDetail`: whether the picture shows enough that something could change. `nowMs`: monotonic. */
  push(grey: Uint8Array, hasDetail: boolean, nowMs: number): void {
    if (!this.#first) {
      this.#begin(grey, nowMs);
      return;
    }
    if (this.#isSame(grey, this.#first)) {
      if (nowMs - this.#sinceMs < frozenAfterMs) return;
      this.#changes = 0;
      if (hasDetail && isLit(this.#first)) this.#isFrozen = true;
      return;
    }
    this.#begin(grey, nowMs);
    this.#changes += 1;
    if (this.#changes >= movingChanges) this.#isFrozen = false;
  }

  #begin(grey: Uint8Array, nowMs: number): void {
    this.#first = Uint8Array.from(grey);
    this.#changed = new Uint8Array(grey.length);
    this.#sinceMs = nowMs;
  }

  #isSame(grey: Uint8Array, first: Uint8Array): boolean {
    let [lit, changed] = [0, 0];
    for (let pixel = 0; pixel < first.length; pixel++) {
      const before = first[pixel]!;
      if (grey[pixel] !== before) this.#changed[pixel] = 1;
      if (before < dark || before > glaring) continue;
      lit += 1;
      changed += this.#changed[pixel]!;
    }
    // Something comes into a dark picture: that is a change, too.
    if (lit < leastLit * first.length) return this.#shareChanged() <= changedShare;
    return changed <= lit * changedShare;
  }

  #shareChanged(): number {
    return this.#changed.reduce((sum, one) => sum + one, 0) / this.#changed.length;
  }
}

function isLit(grey: Uint8Array): boolean {
  const lit = grey.reduce((sum, one) => sum + (one >= dark && one <= glaring ? 1 : 0), 0);
  return lit >= leastLit * grey.length;
}
