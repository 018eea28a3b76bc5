/** Loads when a user starts or stops a recording: the routes of recordings do not weigh on the list of cameras. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { call } from '#api/call.ts';

export const toggleRecording = (id: string, wanted: boolean): Promise<Camera> =>
  call(recordingRoutes.toggle, { params: { id }, body: { is_recording: wanted } });
