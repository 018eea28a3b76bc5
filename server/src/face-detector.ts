/**
 * The documents' face detector: what each camera sees just now, for programs that ask each second instead of
 * holding a socket, and people registered by name. Sees nothing itself: the pipeline tells it of each picture.
 */
import {
  faceDetectorRoutes,
  type DetectedFace,
  type FaceDetectorAction,
} from '@nazar/contract/face-detector.ts';
import type { Face } from '@nazar/contract/faces.ts';
import { unknownName } from '@nazar/contract/names.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Registry } from '#faces/faces.ts';
import type { Upload } from '#http/body.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Doors } from '#http/serve.ts';
import { namedFor, type NamedBox } from './named-box.ts';

export interface FaceDetectorOptions {
  readonly cameras: Pick<Cameras, 'mustSee'>;
  readonly registry: Registry;
  readonly activity: Activity;
}

interface Seen {
  readonly takenAtMs: number;
  readonly boxes: readonly NamedBox[];
}

export class FaceDetector {
  readonly #options: FaceDetectorOptions;
  readonly #seen = new Map<string, Seen>();

  constructor(options: FaceDetectorOptions) {
    this.#options = options;
  }

  bind(doors: Doors): void {
    serve(doors, faceDetectorRoutes.recognition, async ({ scope, body, files }) => ({
      success: true as const,
      ...(await this.#act(scope, body, files)),
    }));
  }

  /** The faces of the newest picture that was looked at, in place of those before. */
  show(cameraId: string, takenAtMs: number, boxes: readonly NamedBox[]): void {
    this.#seen.set(cameraId, { takenAtMs, boxes });
  }

  /** The camera's picture is gone. */
  forget(cameraId: string): void {
    this.#seen.delete(cameraId);
  }

  async #act(
    scope: Scope,
    body: FaceDetectorAction,
    files: readonly Upload[],
  ): Promise<{ faces?: DetectedFace[] | string[]; face?: Face }> {
    const { registry } = this.#options;
    switch (body.action) {
      case 'list_detected_faces':
        return { faces: await this.#detected(scope, body.camera_id) };
      case 'list_registered_faces':
        return { faces: await registry.names(scope) };
      case 'register_face': {
        const photo = files.find(({ field }) => field === 'face_image')?.bytes;
        return { face: await registry.registerNamed(scope, body.name, photo) };
      }
      case 'delete_face':
        await registry.deleteNamed(scope, body.name);
    }
    return {};
  }

  /** Throws camera_not_found. */
  async #detected(scope: Scope, cameraId: string): Promise<DetectedFace[]> {
    const { cameras, activity } = this.#options;
    await cameras.mustSee(scope, cameraId);
    // C-806: it tells who is there as the live view does, without its pictures.
    const object = { type: 'camera', id: cameraId } as const;
    await activity.recordRead({ actor: scope, action: 'camera.watched', object });
    const { takenAtMs, boxes } = this.#seen.get(cameraId) ?? nothing;
    const timestamp = new Date(takenAtMs).toISOString();
    return boxes.map((box) => {
      const { name, confidence, ...rest } = namedFor(scope, cameraId, box);
      return {
        ...rest,
        name: name ?? unknownName,
        confidence: confidence ?? box.score,
        timestamp,
      };
    });
  }
}

const nothing: Seen = { takenAtMs: 0, boxes: [] };
