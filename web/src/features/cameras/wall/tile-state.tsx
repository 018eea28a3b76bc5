/** What stands on a tile beside its picture: the name, and how it is with the camera, in one sentence. */
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import type { CameraState } from '#parts/camera-state/camera-state.ts';

export interface TileStateProps {
  name: string;
  state: CameraState;
  id: string;
}

const chip = 'rounded-control bg-black/70 px-1.5 py-0.5';

export function TileState({ name, state, id }: TileStateProps) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 flex flex-wrap items-start gap-x-2 gap-y-1 p-1.5 text-meta text-white">
      <span className={`min-w-0 truncate font-semibold ${chip}`}>{name}</span>
      <CameraStateLine state={state} id={id} className={`ml-auto min-w-0 text-white ${chip}`} />
    </div>
  );
}
