/** The film of labelled faces, played by a real RTSP server (gst-rtsp-server). */
import { filmCredentials, type FilmCamera } from './film-camera.ts';
import { makeFilm, RtspServer } from './film.ts';
import { freePort } from './installation.ts';

/** Six enrolled people and strangers, each alone in a scene of four seconds. The server's own password is that of `filmCredentials`. */
export async function labelledFilmCamera(): Promise<FilmCamera> {
  const film = makeFilm();
  const auth = ['--auth', 'digest', '--user', filmCredentials.username];
  const server = new RtspServer(film.folder, await freePort(), auth);
  await server.start();
  return {
    url: `rtsp://127.0.0.1:${server.port}/cam0`,
    lengthS: film.lengthS,
    cast: film.cast,
    photos: film.photos,
    start: () => server.start(),
    stop: () => server.stop(),
    async [Symbol.asyncDispose]() {
      await server.stop();
      film[Symbol.dispose]();
    },
  };
}
