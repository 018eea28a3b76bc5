/**
 * The documents' face detector: what each camera sees just now, for programs that ask each second instead of
 * holding a socket, and people registered by name. It analyzes nothing: the pipeline sends it the result of each frame.
 */
import type { Readable } from 'node:stream';
import {
  faceDetectorRoutes,
  type DetectedFace,
  type FaceDetectorAction,
} from '@nazar/contract/face-detector.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { Face } from '@nazar/contract/faces.ts';
import { unknownName } from '@nazar/contract/names.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Registry } from '#faces/faces.ts';
import type { Upload } from '#http/body.ts';
import type { Scope } from '#http/scope.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import { Problem } from '#lib/problem.ts';
import type { MjpegViews } from './mjpeg.ts';
import { namedFor, type FaceLabel } from './face-label.ts';

export interface FaceDetectorOptions {
  readonly cameras: Pick<Cameras, 'mustSee' | 'read' | 'visibleAmong'>;
  readonly registry: Registry;
  readonly views: Pick<MjpegViews, 'open' | 'stop' | 'follow' | 'running'>;
  readonly activity: Activity;
}

interface Seen {
  readonly takenAtMs: number;
  readonly boxes: readonly FaceLabel[];
}

export class FaceDetector {
  readonly #options: FaceDetectorOptions;
  readonly #seen = new Map<string, Seen>();

  constructor(options: FaceDetectorOptions) {
    this.#options = options;
  }

  bind(api: Api): void {
    serve(api, faceDetectorRoutes.recognition, async ({ scope, body, files }) => ({
      success: true as const,
      ...(await this.#act(scope, body, files)),
    }));
    serve(api, faceDetectorRoutes.stream, ({ scope, query, raw }) =>
      this.#stream(scope, query.camera_id, readerLanguage(raw.headers['accept-language'])),
    );
    serve(api, faceDetectorRoutes.stop, async ({ scope, body }) => ({
      success: true as const,
      stopped: await this.#stop(scope, body.camera_id),
    }));
    serve(api, faceDetectorRoutes.status, async ({ scope }) => ({
      results: await this.#running(scope),
    }));
  }

  /** The faces of the newest frame that was analyzed. */
  facesOf(cameraId: string): readonly FaceLabel[] {
    return this.#seen.get(cameraId)?.boxes ?? [];
  }

  /** Replaces the faces by those of the newest frame that was analyzed. */
  show(cameraId: string, takenAtMs: number, boxes: readonly FaceLabel[]): void {
    this.#seen.set(cameraId, { takenAtMs, boxes });
    this.#options.views.follow(cameraId);
  }

  /** The camera's picture is gone. */
  forget(cameraId: string): void {
    this.#seen.delete(cameraId);
    this.#options.views.follow(cameraId);
  }

  /** Throws camera_not_found, camera_not_active, detection_not_running, too_many_live_streams. */
  async #stream(scope: Scope, cameraId: string, language: Language): Promise<Readable> {
    const { cameras, views } = this.#options;
    const camera = await cameras.read(scope, cameraId);
    const runs = camera.enable_face_recognition || this.#runs(cameraId);
    if (!runs && !camera.may_detect) throw new Problem('detection_not_running');
    return views.open(scope, cameraId, { withBoxes: true, language });
  }

  /** How many streams ended. Throws camera_not_found, forbidden. */
  async #stop(scope: Scope, cameraId: string): Promise<number> {
    const { cameras, views } = this.#options;
    if (!(await cameras.read(scope, cameraId)).may_detect) throw new Problem('forbidden');
    const stopped = views.running.find((one) => one.cameraId === cameraId)?.viewers ?? 0;
    views.stop(cameraId);
    return stopped;
  }

  async #running(scope: Scope) {
    const { cameras, views } = this.#options;
    const { running } = views;
    const ids = await cameras.visibleAmong(
      scope,
      running.map(({ cameraId }) => cameraId),
    );
    return running
      .filter(({ cameraId }) => ids.has(cameraId))
      .map(({ cameraId, viewers, startedAtMs }) => ({
        camera_id: cameraId,
        viewers,
        started_at: new Date(startedAtMs).toISOString(),
      }));
  }

  #runs(cameraId: string): boolean {
    return this.#options.views.running.some((one) => one.cameraId === cameraId);
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
        const photo = files.find(({ field }) => field === 'face_image');
        const sent = photo && { bytes: photo.bytes, faceIndex: body.face_index ?? null };
        return { face: await registry.registerNamed(scope, body.name, sent) };
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
    // It shows who is there as the live view does, without its pictures.
    const object = { type: 'camera', id: cameraId } as const;
    await activity.recordRead({ actor: scope, action: 'camera.watched', object });
    const { takenAtMs, boxes } = this.#seen.get(cameraId) ?? nothing;
    const timestamp = new Date(takenAtMs).toISOString();
    return boxes.map((box) => {
      const { name, confidence, ...rest } = namedFor(scope, cameraId, box);
      return {
        ...rest,
        name: name ?? unknownName,
        confidence,
        score: box.score,
        timestamp,
      };
    });
  }
}

const nothing: Seen = { takenAtMs: 0, boxes: [] };
