import type { UnsavedCamera } from '#parts/connection-test/use-connection-test.ts';
import type { FieldsProps } from './camera-fields.tsx';

/** What a connection test asks of the form: of a saved camera with its stored password, if none is typed. */
export function testedOf(form: FieldsProps['form'], camera: FieldsProps['camera']): UnsavedCamera {
  const { name, type, url, username, password, certificate } = form.getValues();
  const tested = { name, type, url, username, password, certificate };
  return camera === null ? tested : { ...tested, camera: camera.id };
}
