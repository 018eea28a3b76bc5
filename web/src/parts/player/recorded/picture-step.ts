/**
 * One picture on, one back, in a video that stands still. Nothing in a browser says when the next picture is due, so it
 * is sought a little further until another one is shown.
 */

/** The shortest time between pictures that cameras send, in seconds: 60 a second. */
const stepS = 1 / 60;
/** For browsers that do not say which picture they show. */
const usualS = 1 / 25;
const canTellPictures = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
/** A camera that sends a picture a second needs this many. */
const maxSteps = 90;

/** Media time of the picture that is shown after a seek; null: none is within a second. */
function shownAfterSeek(video: HTMLVideoElement, toS: number): Promise<number | null> {
  return new Promise((resolve) => {
    const done = (mediaS: number | null): void => {
      clearTimeout(timer);
      video.cancelVideoFrameCallback(handle);
      resolve(mediaS);
    };
    const timer = setTimeout(() => done(null), 1000);
    const handle = video.requestVideoFrameCallback((_now, { mediaTime }) => done(mediaTime));
    video.currentTime = toS;
  });
}

export class PictureStep {
  readonly #video: HTMLVideoElement;
  /** Media time of the picture that is shown. */
  #shownS: number | null = null;
  #isStepping = false;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  shown(mediaS: number): void {
    if (!this.#isStepping) this.#shownS = mediaS;
  }

  async step(direction: 1 | -1): Promise<void> {
    if (this.#isStepping) return;
    if (!canTellPictures) {
      this.#video.currentTime += direction * usualS;
      return;
    }
    this.#isStepping = true;
    const fromS = this.#shownS ?? this.#video.currentTime;
    for (let steps = 1; steps <= maxSteps; steps += 1) {
      // From the middle of a step: a seek to the very beginning of a picture may show the one before.
      const toS = fromS + direction * (steps - 0.5) * stepS;
      if (toS < 0 || toS > this.#video.duration) break;
      const mediaS = await shownAfterSeek(this.#video, toS);
      if (mediaS === null) break;
      this.#shownS = mediaS;
      if (Math.abs(mediaS - fromS) > 0.001) break;
    }
    this.#isStepping = false;
  }
}
