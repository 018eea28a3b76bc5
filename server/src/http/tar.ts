/**
 * A tar archive (POSIX ustar) as a stream of bytes: every system opens one, and each file needs only a header of 512
 * bytes before it. Names have up to 100 ASCII characters.
 */
const block = 512;

export interface TarFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export async function* tar(files: AsyncIterable<TarFile>, mtimeMs: number): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of files) {
    yield header(name, bytes.length, mtimeMs);
    yield bytes;
    const rest = bytes.length % block;
    if (rest > 0) yield Buffer.alloc(block - rest);
  }
  yield Buffer.alloc(2 * block);
}

function header(name: string, size: number, mtimeMs: number): Buffer {
  if (!/^[\w./-]{1,100}$/.test(name)) throw new RangeError(`"${name}" is no name for a tar file`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number): void => {
    bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'ascii');
  };
  bytes.write(name, 0, 'ascii');
  octal(0o600, 100, 8);
  octal(0, 108, 8); // owner and group: those of the user who unpacks it
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(mtimeMs / 1000), 136, 12);
  bytes.write(' '.repeat(8), 148, 'ascii'); // the checksum counts as spaces
  bytes.write('0', 156, 'ascii'); // a plain file
  bytes.write('ustar\u000000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}
