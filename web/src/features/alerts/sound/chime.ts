/**
 * The sound of a new alert: two falling tones of a third of a second, three times for a critical one. It is made here,
 * so that no file is loaded. A browser plays nothing before the reader has pressed something on the page.
 */
const tonesHz = [880, 660];
const toneS = 0.16;
const pauseS = 0.25;
const volume = 0.2;

export interface Chime extends Disposable {
  /** Whether the browser lets it play. */
  readonly isAllowed: boolean;
  /** To be called when the reader presses something. */
  readonly allow: () => Promise<void>;
  readonly play: (isCritical: boolean) => void;
}

export function openChime(): Chime {
  const context = new AudioContext();
  const tone = (hz: number, atS: number): void => {
    const gain = new GainNode(context, { gain: 0 });
    // Without a slope at both ends a tone clicks.
    gain.gain.setValueAtTime(0, atS);
    gain.gain.linearRampToValueAtTime(volume, atS + 0.02);
    gain.gain.linearRampToValueAtTime(0, atS + toneS);
    const source = new OscillatorNode(context, { frequency: hz });
    source.connect(gain).connect(context.destination);
    source.start(atS);
    source.stop(atS + toneS);
  };
  return {
    get isAllowed() {
      return context.state === 'running';
    },
    allow: () => context.resume(),
    play(isCritical) {
      if (context.state !== 'running') return;
      const lengthS = tonesHz.length * toneS + pauseS;
      for (let time = 0; time < (isCritical ? 3 : 1); time++) {
        for (const [index, hz] of tonesHz.entries()) {
          tone(hz, context.currentTime + time * lengthS + index * toneS);
        }
      }
    },
    [Symbol.dispose]: () => void context.close(),
  };
}
