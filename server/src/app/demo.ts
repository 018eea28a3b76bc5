/**
 * The demo: a camera that plays a video made at set-up, and three of its people, so that a newcomer without
 * a camera sees names within a minute. What it adds is marked, and afterwards like any other camera and
 * person: changed, watched and deleted the same way. `make-demo.ts` makes the video.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Language } from '@nazar/contract/accounts.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import type { Accounts } from '#accounts/accounts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { DemoPerson, Faces } from '#faces/faces.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { readerLanguage, serverWords } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import { Problem } from '#lib/problem.ts';
import type { DemoFiles } from './demo-files.ts';

export interface DemoOptions {
  readonly files: DemoFiles | null;
  readonly cameras: Cameras;
  readonly faces: Faces;
}

export class Demo {
  readonly #options: DemoOptions;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: DemoOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#options.files !== null;
  }

  /**
   * The demo camera's id; adds what is not there yet, named in that language. Throws demo_not_available,
   * and unavailable while nothing can be recognised: then the camera is there and the people are not.
   */
  add(scope: Scope, language: Language, enrol: boolean): Promise<string> {
    // One at a time, so that a button pressed twice adds once.
    const mine = this.#work.then(() => this.#add(scope, language, enrol));
    this.#work = mine.catch(() => undefined);
    return mine;
  }

  async #add(scope: Scope, language: Language, enrol: boolean): Promise<string> {
    const { files, cameras, faces } = this.#options;
    if (!files) throw new Problem('demo_not_available');
    const name = serverWords(language, 'demo.camera');
    const location = serverWords(language, 'demo.location');
    const cameraId = await cameras.addDemo(scope, name, location);
    if (enrol) await faces.addDemo(scope, await peopleOf(files, language));
    return cameraId;
  }
}

function peopleOf({ photos }: DemoFiles, language: Language): Promise<DemoPerson[]> {
  return Promise.all(
    photos.map(async (path, i) => ({
      firstName: serverWords(language, 'demo.firstName'),
      lastName: serverWords(language, 'demo.lastName', { number: i + 1 }),
      photo: await readFile(path),
    })),
  );
}

export function demoEndpoints(api: Api, demo: Demo): void {
  serve(api, setupRoutes.demoCamera, async ({ scope, body, raw }) => ({
    camera_id: await demo.add(scope, readerLanguage(raw.headers['accept-language']), body.enrol),
  }));
}

export interface DemoAdministrator {
  readonly email: string;
  readonly password: string;
}

/** No one can be reached at this address: names under `.local` are never on the internet. */
const demoEmail = 'demo@nazar.local';

/** An administrator for the console, with a random password. */
export async function addDemoAdministrator(
  accounts: Accounts,
): Promise<DemoAdministrator & { readonly scope: Scope }> {
  const login = { email: demoEmail, password: randomBytes(12).toString('base64url') };
  const name = { firstName: 'Demo', lastName: 'Administrator' };
  const { id: userId, email } = await accounts.createUser({
    ...login,
    ...name,
    role: 'superadmin',
  });
  const actor = { userId, email, sessionId: '', standing: 'superadmin' } as const;
  return { ...login, scope: createScope(actor, noGrants) };
}
