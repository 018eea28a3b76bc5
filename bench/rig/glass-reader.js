/**
 * Runs in the page. It reads the time of drawing back out of pictures of the `/clock` camera: 48 bits of milliseconds
 * since 1970 and one of parity, each 24 px wide, 240 px below the top of 1280x720. What is on the canvas at the
 * moment a picture is presented is what a person in front of the screen begins to see.
 *
 * `glass.watch(selector, sinceMs)` waits for that element (a video or an img) and reads every new picture;
 * `glass.take()` returns what was read and begins again.
 */
const droppedOf = (video) => video.getVideoPlaybackQuality().droppedVideoFrames;

(() => {
  const width = 1280;
  const height = 720;
  const bits = 48;
  /** With a camera of 30 pictures a second, two are missing then, which is visible. */
  const pauseMs = 100;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let watching = 0;
  let read = fresh();

  function fresh() {
    return {
      latencyMs: [],
      edgeMs: [],
      pausesMs: [],
      stalls: 0,
      dropped: 0,
      unreadable: 0,
      last: 0,
      lastMs: 0,
    };
  }

  function codeOf(source, sourceWidth, sourceHeight) {
    const y = Math.round((sourceHeight * 240) / height);
    context.drawImage(source, 0, y, sourceWidth, 1, 0, 0, width, 1);
    const { data } = context.getImageData(0, 0, width, 1);
    const lit = (x) => (data[x * 4] > 128 ? 1 : 0);
    let code = 0;
    let parity = 0;
    for (let i = 0; i < bits; i++) {
      const bit = lit(64 + i * 24 + 12);
      code = code * 2 + bit;
      parity ^= bit;
    }
    return lit(52) === parity && code > 1.5e12 ? code : null;
  }

  function see(source, sourceWidth, sourceHeight, sinceMs) {
    if (!sourceWidth) return;
    const code = codeOf(source, sourceWidth, sourceHeight);
    const nowMs = performance.timeOrigin + performance.now();
    if (code === null) read.unreadable += 1;
    if (code === null || code === read.last) return;
    if (read.lastMs > 0 && nowMs - read.lastMs > pauseMs) read.pausesMs.push(nowMs - read.lastMs);
    read.last = code;
    read.lastMs = nowMs;
    read.latencyMs.push(nowMs - code);
    if (globalThis.glass.firstMs === null) globalThis.glass.firstMs = nowMs - sinceMs;
  }

  function readVideo(video, sinceMs, mine) {
    let dropped = droppedOf(video);
    video.addEventListener('waiting', () => mine === watching && (read.stalls += 1));
    const next = () => {
      if (mine !== watching) return;
      see(video, video.videoWidth, video.videoHeight, sinceMs);
      read.dropped += Math.max(0, droppedOf(video) - dropped);
      dropped = droppedOf(video);
      const { buffered } = video;
      if (buffered.length > 0) {
        read.edgeMs.push((buffered.end(buffered.length - 1) - video.currentTime) * 1000);
      }
      video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  }

  /** An img has no events for its pictures: it is read before each repaint. */
  function readImage(image, sinceMs, mine) {
    const next = () => {
      if (mine !== watching || !image.isConnected) return;
      see(image, image.naturalWidth, image.naturalHeight, sinceMs);
      requestAnimationFrame(next);
    };
    next();
  }

  globalThis.glass = {
    firstMs: null,
    watch(selector, sinceMs) {
      const mine = ++watching;
      read = fresh();
      this.firstMs = null;
      const check = () => {
        if (mine !== watching) return;
        const found = document.querySelector(selector);
        if (found instanceof HTMLVideoElement) readVideo(found, sinceMs, mine);
        else if (found instanceof HTMLImageElement) readImage(found, sinceMs, mine);
        else requestAnimationFrame(check);
      };
      check();
    },
    /** Opens a path of the running application, as a link of its own would. */
    go(path, selector) {
      this.watch(selector, performance.timeOrigin + performance.now());
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    },
    /** A click on what `link` names. */
    click(link, selector) {
      this.watch(selector, performance.timeOrigin + performance.now());
      document.querySelector(link).click();
    },
    take() {
      const taken = { ...read, firstMs: this.firstMs };
      read = { ...fresh(), last: read.last, lastMs: read.lastMs };
      return taken;
    },
  };
})();
