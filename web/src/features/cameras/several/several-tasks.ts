/** What can be done with several cameras at once. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { call } from '#api/call.ts';
import { toggleRecording } from '../toggle-recording.ts';

export const tasks = [
  'activate',
  'deactivate',
  'startRecording',
  'stopRecording',
  'addToGroup',
  'removeFromGroup',
  'delete',
] as const;
export type Task = (typeof tasks)[number];

type SingleTask = Exclude<Task, 'addToGroup' | 'removeFromGroup'>;

export const isOfGroup = (task: Task): task is 'addToGroup' | 'removeFromGroup' =>
  task === 'addToGroup' || task === 'removeFromGroup';

const setStatus = (id: string, status: 'active' | 'inactive') =>
  call(cameraRoutes.updateStatus, { params: { id }, body: { status } });

const ofOne: Readonly<Record<SingleTask, (id: string) => Promise<unknown>>> = {
  activate: (id) => setStatus(id, 'active'),
  deactivate: (id) => setStatus(id, 'inactive'),
  startRecording: (id) => toggleRecording(id, true),
  stopRecording: (id) => toggleRecording(id, false),
  delete: (id) => call(cameraRoutes.remove, { params: { id } }),
};

/**
 * The task for one camera. A group is one thing and is saved as a whole: the first camera saves it for all, read anew,
 * so that what another user put in meanwhile stays.
 */
export function workOf(
  task: Task,
  groupId: string,
  cameras: readonly Camera[],
): (camera: Camera) => Promise<unknown> {
  if (!isOfGroup(task)) return ({ id }) => ofOne[task](id);
  let saved: Promise<unknown> | null = null;
  return () => (saved ??= saveGroup(groupId, task, cameras));
}

async function saveGroup(
  id: string,
  task: 'addToGroup' | 'removeFromGroup',
  cameras: readonly Camera[],
): Promise<void> {
  const {
    name,
    description,
    cameras: before,
  } = await call(cameraGroupRoutes.read, {
    params: { id },
  });
  const ids = new Set(before);
  for (const camera of cameras) {
    if (task === 'addToGroup') ids.add(camera.id);
    else ids.delete(camera.id);
  }
  const body = { name, description, cameras: [...ids] };
  await call(cameraGroupRoutes.replace, { params: { id }, body });
}
