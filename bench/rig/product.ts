/** The real product with one real RTSP camera, for as long as a measurement lasts. */
import { join } from 'node:path';
import type { Camera, CameraFields } from '@nazar/contract/cameras.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { liveSocketPath } from '@nazar/contract/sockets.ts';
import { Installation, until } from '../../e2e/installation.ts';
import type { Film } from '../../e2e/film.ts';

export class Product implements AsyncDisposable {
  readonly nazar: Installation;
  readonly access: string;

  private constructor(nazar: Installation, access: string) {
    this.nazar = nazar;
    this.access = access;
  }

  /** `more`: environment variables of its own. */
  static async start(more: Record<string, string> = {}): Promise<Product> {
    const nazar = await Installation.create(() => more);
    try {
      await nazar.start();
      nazar.createAdministrator();
      return new Product(nazar, await nazar.signIn());
    } catch (error) {
      await nazar.remove();
      throw error;
    }
  }

  /** Enrols one photo of each person of the film. */
  async enrol({ photos }: Pick<Film, 'photos'>): Promise<void> {
    const path = '/secure-api/faces/';
    const { results } = await this.nazar.get<{ results: FaceCategory[] }>(
      `${path}categories/`,
      this.access,
    );
    for (const [identity, photo] of photos) {
      const [first = '', ...rest] = identity.split('_');
      const form = new FormData();
      form.set('first_name', first);
      form.set('last_name', rest.join(' ') || '-');
      form.set('category', results[0]!.id);
      form.append('uploaded_images', new Blob([Uint8Array.from(photo)]), 'photo.jpg');
      await this.nazar.post(path, this.access, form);
    }
  }

  /** Resolves when its pictures arrive. */
  async addCamera(
    url: string,
    recognises: boolean,
    more: Partial<CameraFields> = {},
  ): Promise<Camera> {
    const fields: Partial<CameraFields> = {
      name: 'Bench',
      location: 'Hall',
      type: 'rtsp',
      status: 'active',
      url,
      enable_face_recognition: recognises,
      ...more,
    };
    const { id } = await this.nazar.post<Camera>(cameraRoutes.add.path, this.access, fields);
    const read = (): Promise<Camera> =>
      this.nazar.get<Camera>(cameraRoutes.read.path.replace(':id', id), this.access);
    return until('live', read, ({ health }) => health.state === 'live', 60_000);
  }

  /** Records it continuously, from now on. */
  async record(id: string): Promise<void> {
    const path = recordingRoutes.changeSettings.path.replace(':id', id);
    const body = { continuousRecording: true };
    const reply = await this.nazar.call('PATCH', path, { access: this.access, body });
    if (!reply.ok) throw new Error(`PATCH ${path}: ${reply.status} ${await reply.text()}`);
  }

  get dataFolder(): string {
    return join(this.nazar.folder, 'data');
  }

  async removeCamera(id: string): Promise<void> {
    await this.nazar.call('DELETE', cameraRoutes.remove.path.replace(':id', id), {
      access: this.access,
    });
  }

  /** A viewer like a browser's, without the browser: takes everything and shows nothing. */
  async watch(cameraId: string): Promise<Watching> {
    const ticketPath = cameraRoutes.liveTicket.path.replace(':id', cameraId);
    const { ticket } = await this.nazar.post<{ ticket: string }>(ticketPath, this.access, {});
    const path = liveSocketPath.replace(':id', cameraId);
    const address = this.nazar.origin.replace('http', 'ws') + path;
    const socket = new WebSocket(`${address}?ticket=${encodeURIComponent(ticket)}`);
    const watching = new Watching(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('no live view')), { once: true });
    });
    return watching;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nazar.remove();
  }
}

export class Watching implements Disposable {
  readonly #socket: WebSocket;
  fragments = 0;
  /** Pictures for which the faces in them were reported. */
  detections = 0;
  readonly names = new Set<string>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.#read(data);
      else this.fragments += 1;
    });
  }

  #read(text: string): void {
    const message = JSON.parse(text) as { kind: string; faces?: { name: string | null }[] };
    if (message.kind !== 'faces') return;
    this.detections += 1;
    for (const { name } of message.faces ?? []) if (name !== null) this.names.add(name);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
