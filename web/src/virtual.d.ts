/** The sentences by part and language, as `build/sentences.ts` cuts them. */
declare module 'virtual:sentences' {
  type Tree = { readonly [key: string]: string | Tree };
  type Loader = () => Promise<{ default: { readonly app: Tree; readonly problem: Tree } }>;
  const parts: Readonly<
    Record<string, Readonly<Record<import('#lib/i18n.ts').Language, Loader>> | undefined>
  >;
  export default parts;
}

/** What the service worker says where it reached no server, by language (`build/push-worker.ts`). */
declare module 'virtual:push-sentences' {
  const sentences: Readonly<Record<string, { readonly 'push.actionFailed': string }>>;
  export default sentences;
}
