import {
  cameraRoutes,
  type Camera,
  type CameraFields,
  type CameraReplacement,
} from '@nazar/contract/cameras.ts';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call, type Reply } from '#api/call.ts';
import { patchCamera } from '#api/known-cameras.ts';
import { ask, refresh, useChange, useRemoval } from '#api/query.ts';
import type { CameraFilters, CameraStatus } from './camera-filters.ts';

/** As many as a viewer may have streams of at once, less some for other tabs. */
export const PAGE_SIZE = 24;
/** The list is asked for again after this time (CAM-009). */
export const REFRESH_MS = 30_000;

export type CameraPage = Reply<typeof cameraRoutes.list>;

/** The filters as the server knows them. */
export const listQuery = ({ search, status, group, owner }: CameraFilters) => ({
  search,
  status,
  group,
  created_by: owner,
});

export const camerasQuery = (filters: CameraFilters) =>
  ask('cameras', cameraRoutes.list, {
    query: { ...listQuery(filters), page: filters.page, page_size: PAGE_SIZE },
  });

/** Shown at once with what a list already knows. */
export const cameraQuery = (client: QueryClient, id: string) => ({
  ...ask('cameras', cameraRoutes.read, { params: { id } }),
  placeholderData: () =>
    client
      .getQueriesData<CameraPage>({ queryKey: ['cameras', cameraRoutes.list.path] })
      .flatMap(([, page]) => page?.results ?? [])
      .find((camera) => camera.id === id),
});

/** A camera as it is now, while a form of it is open. */
export function useCurrentCamera(camera: Camera): Camera {
  const client = useQueryClient();
  const query = useQuery({ ...cameraQuery(client, camera.id), refetchInterval: REFRESH_MS });
  return query.data ?? camera;
}

/** A whole camera as the forms and a PUT send it. The password is never known here: blank keeps it. */
export const fieldsOf = (camera: Camera): CameraFields => ({
  name: camera.name,
  description: camera.description,
  location: camera.location,
  type: camera.type,
  status: camera.status,
  ip_address: camera.ip_address ?? '',
  url: camera.url ?? '',
  sub_url: camera.sub_url ?? '',
  device_url: camera.device_url ?? '',
  username: camera.username ?? '',
  password: '',
  certificate: camera.certificate ?? '',
  resolution: camera.resolution,
  fps: camera.fps,
  rotation: camera.rotation,
  enable_face_recognition: camera.enable_face_recognition,
  enable_audio: camera.enable_audio,
});

export const useSaveCamera = (camera: Pick<Camera, 'id'> | null) =>
  useChange('cameras', (body: CameraReplacement) =>
    camera === null
      ? call(cameraRoutes.add, { body })
      : call(cameraRoutes.replace, { params: { id: camera.id }, body }),
  );

export const useRemoveCamera = () =>
  useRemoval(
    'cameras',
    (id: string) => id,
    (id) => call(cameraRoutes.remove, { params: { id } }),
  );

export interface StatusSwitch {
  readonly camera: Camera;
  readonly status: CameraStatus;
}

/** A PUT follows a PATCH that failed; only when both failed it did not happen. */
async function sendStatus({ camera, status }: StatusSwitch): Promise<Camera> {
  const params = { id: camera.id };
  try {
    return await call(cameraRoutes.updateStatus, { params, body: { status } });
  } catch {
    return call(cameraRoutes.replace, { params, body: { ...fieldsOf(camera), status } });
  }
}

/** Shown before the server knows, taken back when it refuses. */
export function useSwitchStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendStatus,
    onMutate: async ({ camera, status }) => {
      // An answer that is already on its way would bring the old status back.
      await client.cancelQueries({ queryKey: ['cameras'] });
      patchCamera(client, camera.id, { status });
    },
    // A form that is opened now begins with what the switch made.
    onSuccess: (camera) => patchCamera(client, camera.id, camera),
    onError: (_error, { camera }) => patchCamera(client, camera.id, { status: camera.status }),
    onSettled: () => refresh(client, 'cameras'),
  });
}
