/** Cameras as the pages know them. */
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { Reply } from './call.ts';

type CameraPage = Reply<typeof cameraRoutes.list>;

/** Changes a camera wherever it is shown, without asking the server. */
export function patchCamera(client: QueryClient, id: string, change: Partial<Camera>): void {
  client.setQueriesData<CameraPage>(
    { queryKey: ['cameras', cameraRoutes.list.path] },
    (page) =>
      page && {
        ...page,
        results: page.results.map((camera) =>
          camera.id === id ? { ...camera, ...change } : camera,
        ),
      },
  );
  client.setQueriesData<Camera>({ queryKey: ['cameras', cameraRoutes.read.path] }, (camera) =>
    camera?.id === id ? { ...camera, ...change } : camera,
  );
}
