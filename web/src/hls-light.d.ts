/** The light build of hls.js has the types of the whole one, and says nothing of them. */
declare module 'hls.js/light' {
  export * from 'hls.js';
  export { default } from 'hls.js';
}
