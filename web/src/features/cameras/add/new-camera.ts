/** What the forms of a new camera begin with. */
import type { Camera, CameraFields } from '@nazar/contract/cameras.ts';
import { fieldsOf } from '../queries.ts';

export const newCamera: CameraFields = {
  name: '',
  description: '',
  location: '',
  type: 'ip',
  status: 'inactive',
  ip_address: '',
  url: '',
  sub_url: '',
  device_url: '',
  username: '',
  password: '',
  certificate: '',
  resolution: '1280x720',
  fps: 30,
  rotation: 0,
  enable_face_recognition: true,
  enable_audio: false,
};

/** The longest name of a camera. */
const MAX_NAME = 150;

/** All that a camera is, but its password, which the browser doesn't know; it does not start by itself. */
export function copyOf(camera: Camera, nameOf: (name: string) => string): CameraFields {
  const rest = nameOf('').length;
  const name = nameOf(
    Array.from(camera.name)
      .slice(0, MAX_NAME - rest)
      .join(''),
  );
  return { ...fieldsOf(camera), name, status: 'inactive' };
}
