/** Files whose writer is gone, as large as they may be: a camera that sends no key frame for hours has one as long. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LocalFiles } from '#lib/folder/local-files.ts';
import { contentsOf } from '#media/mp4/segment-contents.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import { repairFile } from './segment-repair.ts';

const startMs = Date.UTC(2026, 0, 15, 12);
const gigabyte = 1024 ** 3;

/** Says of each file that it is that long. */
class LargeFiles extends LocalFiles {
  /** The longest piece that was read. */
  longest = 0;

  override async size(path: string): Promise<number | null> {
    return (await super.size(path)) === null ? null : 5 * gigabyte;
  }

  override async read(path: string, from: number, until: number): Promise<Buffer> {
    this.longest = Math.max(this.longest, until - from);
    return super.read(path, from, until);
  }
}

test('a file of many gigabytes is repaired, not put aside, and never in memory as a whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-repair-'));
  try {
    const files = new LargeFiles(folder, join(folder, 'mark'));
    const head = aSegmentHead('camera', startMs);
    const whole = segmentBytes(head);
    const path = writeSegment(
      folder,
      head,
      Buffer.concat([whole, Buffer.from('\0\0\x10\0moof torn')]),
    );
    const root = { id: head.id, path: folder };
    const contents = await repairFile(files, root, path.slice(folder.length + 1));
    assert.deepEqual(contents, contentsOf(whole));
    assert.ok(contents!.pictures > 0);
    assert.ok(files.longest < 1024 * 1024, `${files.longest} bytes at once`);
    assert.deepEqual(readFileSync(path), whole);
    assert.ok(!existsSync(join(folder, 'quarantine')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file that holds nothing that can be shown is put aside, however large it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-repair-'));
  try {
    const files = new LargeFiles(folder, join(folder, 'mark'));
    const head = aSegmentHead('camera', startMs);
    const path = writeSegment(folder, head, Buffer.alloc(5_000, 'no film'));
    const root = { id: head.id, path: folder };
    assert.equal(await repairFile(files, root, path.slice(folder.length + 1)), null);
    assert.ok(!existsSync(path));
    const [name] = path.split('/').slice(-1);
    assert.equal(statSync(join(folder, 'quarantine', name!)).size, 5_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
