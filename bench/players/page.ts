/// <reference lib="dom" />
/** What runs in a page: it plays, counts the pictures, and measures how long there is silence. */

/** How a page is to play. */
export interface Plan {
  readonly address: string;
  readonly by: 'hls.js' | 'Shaka' | 'native';
  /** The page gives up after this. */
  readonly withinMs: number;
  /** False: what was seen is left in `globalThis.seen`, for browsers whose scripts may not take so long. */
  readonly waits: boolean;
}

export interface Seen {
  readonly pictures: number | null;
  readonly soundSeconds: number | null;
  readonly silenceMs: number | null;
  readonly stopped: string | null;
}

interface HlsPlayer {
  on(event: string, listener: (name: string, data: HlsFault) => void): void;
  loadSource(address: string): void;
  attachMedia(video: HTMLVideoElement): void;
}
interface HlsFault {
  readonly fatal: boolean;
  readonly details: string;
}
interface ShakaPlayer {
  attach(video: HTMLVideoElement): Promise<void>;
  load(address: string): Promise<void>;
  addEventListener(event: 'error', listener: (event: { detail: { code: number } }) => void): void;
}

/** Plays to the end, in time. Everything it uses is in it, because its text is what is sent to the page. */
export async function playInPage({ address, by, withinMs, waits }: Plan): Promise<Seen | null> {
  const video = document.createElement('video');
  document.body.replaceChildren(video);
  const fault = Promise.withResolvers<string>();
  const global = globalThis as unknown as {
    Hls: new (options: object) => HlsPlayer;
    shaka: { Player: new () => ShakaPlayer };
  };
  const seen = play().then((what) => Object.assign(globalThis, { seen: what }).seen);
  return waits ? await seen : null;

  async function play(): Promise<Seen> {
    const stopListening = by === 'native' ? null : await listen();
    video.addEventListener('error', () =>
      fault.resolve(video.error?.message || 'error of the video'),
    );
    const ended = new Promise<null>((resolve) => {
      video.addEventListener('ended', () => resolve(null), { once: true });
    });
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve(`stood at ${video.currentTime.toFixed(1)} s`), withinMs);
    });
    begin().catch((error: unknown) => fault.resolve(String(error)));
    const stopped = await Promise.race([ended, fault.promise, late]);
    // WebKitGTK counts none of what GStreamer shows.
    const pictures = video.getVideoPlaybackQuality().totalVideoFrames || null;
    return { pictures, soundSeconds: null, silenceMs: null, ...stopListening?.(), stopped };
  }

  async function begin(): Promise<void> {
    if (by === 'hls.js') {
      const player = new global.Hls({ startPosition: 0 });
      player.on('hlsError', (_name, { fatal, details }) => fatal && fault.resolve(details));
      player.loadSource(address);
      player.attachMedia(video);
    } else if (by === 'Shaka') {
      const player = new global.shaka.Player();
      player.addEventListener('error', ({ detail }) => fault.resolve(`error ${detail.code}`));
      await player.attach(video);
      await player.load(address);
    } else {
      // Without a hand on the page only what makes no sound plays.
      video.muted = true;
      video.src = address;
    }
    await video.play();
  }

  /** Measures of each block of 128 samples whether it is loud. */
  async function listen(): Promise<() => Pick<Seen, 'soundSeconds' | 'silenceMs'>> {
    const context = new AudioContext();
    const work = `registerProcessor('meter', class extends AudioWorkletProcessor {
      process([[samples]]) {
        let squares = 0;
        for (const one of samples ?? []) squares += one * one;
        this.port.postMessage(Math.sqrt(squares / 128) >= 0.035);
        return true;
      }
    });`;
    const script = URL.createObjectURL(new Blob([work], { type: 'text/javascript' }));
    await context.audioWorklet.addModule(script);
    const meter = new AudioWorkletNode(context, 'meter', { numberOfOutputs: 0 });
    let [loud, silent, longest] = [0, 0, 0];
    meter.port.addEventListener('message', ({ data: isLoud }: MessageEvent<boolean>) => {
      if (!isLoud) silent += 1;
      else {
        if (loud > 0) longest = Math.max(longest, silent);
        loud += 1;
        silent = 0;
      }
    });
    meter.port.start();
    context.createMediaElementSource(video).connect(meter);
    await context.resume();
    const seconds = (blocks: number): number => (blocks * 128) / context.sampleRate;
    return () => ({ soundSeconds: seconds(loud), silenceMs: seconds(longest) * 1_000 });
  }
}

/** What a page that did not wait has seen; null: it still plays. */
export const seenInPage = (): Seen | null =>
  (globalThis as unknown as { seen?: Seen }).seen ?? null;
