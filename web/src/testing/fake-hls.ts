/** hls.js without media: a test says when the playlist is here, what broke, and sees what was asked for. */
type Listener = (name: string, data: unknown) => void;

export interface FakeFile {
  readonly start: number;
  readonly duration: number;
  readonly programDateTime: number;
}

class FakeHls {
  static readonly made: FakeHls[] = [];
  static readonly Events = {
    LEVEL_UPDATED: 'updated',
    LEVEL_PTS_UPDATED: 'pts',
    FRAG_LOADED: 'loaded',
    ERROR: 'error',
  };
  static readonly ErrorTypes = { NETWORK_ERROR: 'networkError', MEDIA_ERROR: 'mediaError' };

  readonly log: string[] = [];
  readonly config: Record<string, unknown>;
  readonly #listeners = new Map<string, Listener>();

  constructor(config: Record<string, unknown>) {
    this.config = { ...config };
    FakeHls.made.push(this);
  }
  on(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }
  tell(name: string, data: unknown): void {
    this.#listeners.get(name)?.(name, data);
  }
  attachMedia(): void {
    this.log.push('attach');
  }
  loadSource(playlist: string): void {
    this.log.push(`load ${playlist}`);
  }
  startLoad(at: number): void {
    this.log.push(`start ${at}`);
  }
  stopLoad(): void {
    this.log.push('stop');
  }
  recoverMediaError(): void {
    this.log.push('recover');
  }
  destroy(): void {
    this.log.push('destroy');
  }

  arrive(fragments: readonly FakeFile[]): void {
    this.tell(FakeHls.Events.LEVEL_UPDATED, { details: { fragments } });
  }

  /** The server answered a file so. */
  refuse(status: number, code: string, detail: string, fatal = false): void {
    const response = new TextEncoder().encode(JSON.stringify({ code, detail })).buffer;
    this.tell(FakeHls.Events.ERROR, {
      type: 'networkError',
      fatal,
      response: { code: status },
      networkDetails: { response },
      frag: { start: 10 },
    });
  }

  breakDown(type: 'networkError' | 'mediaError'): void {
    this.tell(FakeHls.Events.ERROR, { type, fatal: true, response: { code: 0 } });
  }
}

export type { FakeHls };

/** For `vi.mock('hls.js/light', fakeHls)`. */
export const fakeHls = () => ({ default: FakeHls });

export function newestHls(): FakeHls {
  const hls = FakeHls.made.at(-1);
  if (hls === undefined) throw new Error('nothing was loaded');
  return hls;
}

export const allHls = (): readonly FakeHls[] => FakeHls.made;
export const forgetHls = (): void => void FakeHls.made.splice(0);
export const countHls = (): number => FakeHls.made.length;
