/** What a server really answers to: every path that is registered, those outside the contract, too. */
import type { FastifyInstance } from 'fastify';

export interface Registered {
  readonly method: string;
  readonly path: string;
}

/** Read from the router's own drawing of its tree: four columns a level, then `path (METHOD, METHOD)`. */
export function registeredRoutes(app: FastifyInstance): Registered[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, drawn = '', path, methods] = /^([│├└─ ]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      if (path === undefined || methods === undefined) return [];
      const level = drawn.length / 4 - 1;
      const whole = (above[level - 1] ?? '') + path;
      above.splice(level, above.length, whole);
      return methods.split(', ').map((method) => ({ method, path: whole }));
    });
}
