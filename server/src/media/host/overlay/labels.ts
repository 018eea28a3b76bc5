/**
 * Renders the label of a face to pixels by FFmpeg's `drawtext`, in the font that comes with the product, because a bare
 * machine has none. A label costs 30 ms and is then cached.
 */
import { join } from 'node:path';
import { Filter, FilterGraph, Frame } from 'node-av/lib';

/** `cover`: how much of each pixel the letters cover, 0 to 255. */
export interface Label {
  readonly width: number;
  readonly height: number;
  readonly cover: Buffer;
}

const fontFile = join(import.meta.dirname, '../../../../fonts/inter-semibold.ttf');
/** Wider labels are cut off; at 20 px this is about 60 letters. */
const maxWidth = 720;
const maxKept = 256;
const padding = 6;

export class Labels {
  readonly #kept = new Map<string, Promise<Label>>();

  /** `fontSize`: pixels from ascent to descent. */
  of(text: string, fontSize: number): Promise<Label> {
    const key = `${fontSize} ${text}`;
    const label = this.#kept.get(key) ?? written(text, fontSize);
    // The label that was asked for longest ago goes first.
    this.#kept.delete(key);
    this.#kept.set(key, label);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return label;
  }
}

async function written(text: string, fontSize: number): Promise<Label> {
  const height = Math.round(fontSize * 1.5);
  const graph = new FilterGraph();
  graph.alloc();
  using frame = new Frame();
  frame.alloc();
  try {
    const size = `c=black:s=${maxWidth}x${height}:r=1:d=1`;
    const paper = must(graph.createFilter(named('color'), 'paper', size));
    const pen = must(graph.allocFilter(named('drawtext'), 'pen'));
    // Options are set one by one: in a filter's description a name would have to be escaped three times over.
    const options = {
      fontfile: fontFile,
      text: text.replace(/\p{C}/gu, ' '),
      expansion: 'none',
      fontcolor: 'white',
      fontsize: String(fontSize),
      x: String(padding),
      y: `(h-${fontSize})/2`,
      y_align: 'font',
    };
    for (const [name, value] of Object.entries(options)) pen.setOption(name, value);
    pen.init(null);
    const grey = must(graph.createFilter(named('format'), 'grey', 'pix_fmts=gray'));
    const sink = must(graph.createFilter(named('buffersink'), 'sink', null));
    paper.link(0, pen, 0);
    pen.link(0, grey, 0);
    grey.link(0, sink, 0);
    if ((await graph.config()) < 0 || (await sink.buffersinkGetFrame(frame)) < 0) {
      throw new Error('a label could not be written');
    }
    return trimmed(frame.toBuffer(), height);
  } finally {
    graph.free();
  }
}

/** Cuts off the empty columns after the last letter. */
function trimmed(pixels: Buffer, height: number): Label {
  const isLettered = (x: number): boolean => {
    // Black is 16 in the limited range of video.
    for (let y = 0; y < height; y++) if ((pixels[y * maxWidth + x] ?? 0) > 24) return true;
    return false;
  };
  let end = maxWidth;
  while (end > padding && !isLettered(end - 1)) end -= 1;
  const width = Math.min(maxWidth, end + padding);
  const cover = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++)
    pixels.copy(cover, y * width, y * maxWidth, y * maxWidth + width);
  for (let at = 0; at < cover.length; at++) {
    cover[at] = Math.min(255, Math.max(0, ((cover[at]! - 16) * 255) / 219));
  }
  return { width, height, cover };
}

const named = (name: string): Filter => must(Filter.getByName(name));

function must<T>(found: T | null): T {
  if (found === null) throw new Error('this FFmpeg lacks a filter');
  return found;
}
