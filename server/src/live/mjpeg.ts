/**
 * A camera's pictures as JPEGs, with boxes in them or without. The host draws; here is who reads
 * which names: those who may read the same get the same picture, encoded once for all of them.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import type { Scope } from '#http/scope.ts';
import { serverWords } from '#http/sentences.ts';
import type { Clock } from '#lib/clock.ts';
import type { Media } from '#media/media.ts';
import type { Drawing, DrawnBox } from '#media/protocol/messages.ts';
import type { FaceView } from '#vision/vision.ts';
import type { Viewers, LiveSession } from './viewers.ts';
import { namedFor, type FaceLabel } from './face-label.ts';
import { mustBeLive } from './no-picture.ts';
import { PictureStream } from './picture-stream.ts';

export interface MjpegViewsOptions {
  readonly media: Pick<
    Media<FaceView>,
    'drawFaces' | 'drawn' | 'health' | 'healthChanged' | 'masksChanged'
  >;
  readonly viewers: Pick<Viewers, 'admit' | 'enter'>;
  /** The faces of the newest frame that was analyzed. */
  readonly facesOf: (cameraId: string) => readonly FaceLabel[];
  readonly clock: Clock;
}

interface Viewer {
  readonly view: LiveSession;
  readonly pictures: PictureStream;
  readonly withBoxes: boolean;
  readonly language: Language;
}

interface DrawnCamera {
  readonly viewers: Set<Viewer>;
  readonly startedAtMs: number;
  /** Who may see the pictures of each drawing; those of the one before may still be on their way. */
  mayNow: ReadonlyMap<number, readonly Viewer[]>;
  mayBefore: ReadonlyMap<number, readonly Viewer[]>;
  /** What was sent to the host last. */
  sent: string;
}

export interface RunningDetection {
  readonly cameraId: string;
  readonly viewers: number;
  readonly startedAtMs: number;
}

export class MjpegViews implements Disposable {
  readonly #options: MjpegViewsOptions;
  readonly #cameras = new Map<string, DrawnCamera>();
  readonly #subscriptions: readonly Disposable[];
  #drawings = 0;

  constructor(options: MjpegViewsOptions) {
    this.#options = options;
    const { media } = options;
    this.#subscriptions = [
      media.drawn.on(({ cameraId, drawingId, jpeg }) => this.#show(cameraId, drawingId, jpeg)),
      media.healthChanged.on(({ cameraId, health }) => {
        // Another process, or the same one with a changed camera: it knows of no drawings.
        if (health.state === 'live') this.#sendDrawings(cameraId, true);
      }),
      media.masksChanged.on(({ cameraId }) => this.#drawAnew(cameraId)),
    ];
  }

  /** The running ones, as far as boxes are drawn. */
  get running(): RunningDetection[] {
    return [...this.#cameras].flatMap(([cameraId, { viewers, startedAtMs }]) => {
      const withBoxes = [...viewers].filter((viewer) => viewer.withBoxes).length;
      return withBoxes > 0 ? [{ cameraId, viewers: withBoxes, startedAtMs }] : [];
    });
  }

  /**
   * Problems: camera_not_live, camera_not_aligned, and those of `Viewers.admit`. Masks are burnt in, so that every user
   * who may see the camera may see it.
   */
  async open(
    scope: Scope,
    cameraId: string,
    wishes: { readonly withBoxes: boolean; readonly language: Language },
  ): Promise<PictureStream> {
    const { viewers, media, clock } = this.#options;
    await viewers.admit(scope, cameraId, { masked: true });
    mustBeLive(media.health(cameraId), true);
    const pictures = new PictureStream(clock);
    const view: LiveSession = { cameraId, scope, masked: true, end: () => pictures.finish() };
    const viewer: Viewer = { view, pictures, ...wishes };
    const place = viewers.enter(view);
    const watched = this.#cameras.get(cameraId) ?? withoutViewers(clock.now());
    this.#cameras.set(cameraId, watched);
    watched.viewers.add(viewer);
    pictures.once('close', () => {
      place[Symbol.dispose]();
      watched.viewers.delete(viewer);
      this.#sendDrawings(cameraId);
    });
    this.#sendDrawings(cameraId);
    return pictures;
  }

  /** There are other faces now. */
  follow(cameraId: string): void {
    this.#sendDrawings(cameraId);
  }

  /** Ends all viewers' pictures with boxes of that camera. */
  stop(cameraId: string): void {
    for (const { withBoxes, pictures } of this.#cameras.get(cameraId)?.viewers ?? []) {
      if (withBoxes) pictures.close();
    }
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    for (const { viewers } of this.#cameras.values()) {
      for (const { pictures } of viewers) pictures.finish();
    }
  }

  #show(cameraId: string, drawingId: number, jpeg: Buffer): void {
    const watched = this.#cameras.get(cameraId);
    const may = watched?.mayNow.get(drawingId) ?? watched?.mayBefore.get(drawingId) ?? [];
    for (const { pictures } of may) pictures.offer(jpeg);
  }

  /** Pictures that were painted with other masks are on their way: no viewer gets them. */
  #drawAnew(cameraId: string): void {
    const watched = this.#cameras.get(cameraId);
    if (!watched) return;
    this.#sendDrawings(cameraId, true);
    watched.mayBefore = new Map();
    for (const { pictures } of watched.viewers) pictures.forget();
  }

  /** A picture with names only goes to the viewers it was drawn for: drawings are never used again. */
  #sendDrawings(cameraId: string, again = false): void {
    const watched = this.#cameras.get(cameraId);
    if (!watched) return;
    const groups = this.#groupsOf(cameraId, watched.viewers);
    const key = JSON.stringify([...groups.keys()]);
    const isSame = key === watched.sent && !again;
    watched.sent = key;
    const mayNow = new Map<number, readonly Viewer[]>();
    const drawings: Drawing[] = [];
    const idsBefore = [...watched.mayNow.keys()];
    for (const [index, [text, viewers]] of [...groups].entries()) {
      const id = (isSame ? idsBefore[index] : undefined) ?? (this.#drawings += 1);
      mayNow.set(id, viewers);
      drawings.push({ id, boxes: JSON.parse(text) as DrawnBox[] });
    }
    if (!isSame) watched.mayBefore = watched.mayNow;
    watched.mayNow = mayNow;
    if (watched.viewers.size === 0) this.#cameras.delete(cameraId);
    if (isSame) return;
    const detectsFaces = [...watched.viewers].some(({ withBoxes }) => withBoxes);
    this.#options.media.drawFaces(cameraId, drawings, detectsFaces);
  }

  /** Viewers by what they may see, written down. */
  #groupsOf(cameraId: string, viewers: Iterable<Viewer>): Map<string, Viewer[]> {
    const faces = this.#options.facesOf(cameraId);
    const groups = new Map<string, Viewer[]>();
    for (const viewer of viewers) {
      const { view, withBoxes, language } = viewer;
      const boxes = withBoxes
        ? faces.map((face) => drawnBox(namedFor(view.scope, cameraId, face), language))
        : [];
      const text = JSON.stringify(boxes);
      groups.set(text, [...(groups.get(text) ?? []), viewer]);
    }
    return groups;
  }
}

const withoutViewers = (startedAtMs: number): DrawnCamera => ({
  viewers: new Set(),
  startedAtMs,
  mayNow: new Map(),
  mayBefore: new Map(),
  sent: '[]',
});

function drawnBox({ x, y, width, height, ...face }: FaceBox, language: Language): DrawnBox {
  return { x, y, width, height, label: labelOf(face, language), named: face.state === 'known' };
}

/** The name and the per cent. */
function labelOf(
  { state, name, confidence }: Pick<FaceBox, 'state' | 'name' | 'confidence'>,
  language: Language,
): string {
  if (state === 'undecided') return '…';
  if (state !== 'known') return serverWords(language, `face.${state}`);
  const words = name === null || name === hiddenName ? serverWords(language, 'face.known') : name;
  if (confidence === null) return words;
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(confidence);
  return `${words} ${percent}`;
}
