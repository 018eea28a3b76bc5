/**
 * Draws faces over a picture: plain elements moved by transforms, because they change with every picture
 * and React need not know of it.
 */
import type { FaceBox } from '@nazar/contract/live.ts';
import type { Rect } from './picture-rect.ts';

interface Drawn {
  readonly box: HTMLElement;
  readonly chip: HTMLElement;
  label: string;
  chipWidth: number;
}

/** Red with a dark halo of one pixel on both sides, readable on any picture. */
const boxClass =
  'absolute top-0 left-0 rounded-[4px] border-2 border-[#ef4444] @2xl:border-[3px] ' +
  'shadow-[0_0_0_1px_rgb(0_0_0/0.5),inset_0_0_0_1px_rgb(0_0_0/0.35)] ' +
  'data-[state=unknown]:border-dashed data-[state=unusable]:border-dotted';
const chipClass =
  'absolute bottom-full -left-0.5 mb-0.5 rounded-[3px] bg-[#dc2626] px-1.5 text-caption @2xl:text-meta @2xl:leading-5 font-semibold whitespace-nowrap text-white ' +
  'data-[inside=true]:top-0.5 data-[inside=true]:bottom-auto data-[inside=true]:left-0.5 data-[inside=true]:mb-0 ' +
  'data-[end=true]:right-[-2px] data-[end=true]:left-auto ' +
  'data-[state=unknown]:bg-[#10141c] data-[state=undecided]:bg-[#10141c] data-[state=unusable]:bg-[#10141c]';

/** Above the box there is room for the chip from here on. */
const CHIP_HEIGHT_PX = 22;

export class BoxDrawer {
  readonly #layer: HTMLElement;
  readonly #label: (face: FaceBox) => string;
  readonly #drawn = new Map<string, Drawn>();

  constructor(layer: HTMLElement, label: (face: FaceBox) => string) {
    this.#layer = layer;
    this.#label = label;
  }

  /** `picture`: where it lies inside the layer. */
  draw(faces: readonly FaceBox[], picture: Rect): void {
    const tracks = new Set(faces.map((face) => face.track_id));
    for (const [track, { box }] of this.#drawn) {
      if (tracks.has(track)) continue;
      box.remove();
      this.#drawn.delete(track);
    }
    for (const face of faces) this.#place(this.#take(face), face, picture);
  }

  clear(): void {
    this.draw([], { x: 0, y: 0, width: 0, height: 0 });
  }

  #take(face: FaceBox): Drawn {
    const found = this.#drawn.get(face.track_id);
    if (found !== undefined) return found;
    const box = document.createElement('div');
    const chip = document.createElement('span');
    box.className = boxClass;
    chip.className = chipClass;
    box.append(chip);
    this.#layer.append(box);
    const drawn: Drawn = { box, chip, label: '', chipWidth: 0 };
    this.#drawn.set(face.track_id, drawn);
    return drawn;
  }

  #place(drawn: Drawn, face: FaceBox, picture: Rect): void {
    const { box, chip } = drawn;
    const x = picture.x + face.x * picture.width;
    const y = picture.y + face.y * picture.height;
    box.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    box.style.width = `${(face.width * picture.width).toFixed(1)}px`;
    box.style.height = `${(face.height * picture.height).toFixed(1)}px`;
    box.dataset['state'] = face.state;
    chip.dataset['state'] = face.state;
    const label = this.#label(face);
    if (label !== drawn.label) {
      chip.textContent = label;
      drawn.label = label;
      drawn.chipWidth = chip.offsetWidth;
    }
    chip.dataset['inside'] = String(y - picture.y < CHIP_HEIGHT_PX);
    chip.dataset['end'] = String(x + drawn.chipWidth > picture.x + picture.width);
  }
}
