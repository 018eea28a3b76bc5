/** Lets the browser save a file: under its own name where the server gives one, else under ours. */

/** The browser reads the bytes a little after it was asked to save them. */
const READING_MS = 60_000;

function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** A file of this server: its name and its bytes go past the page. */
export function saveFrom(address: string): void {
  save(address, '');
}

/** Bytes that the page holds; it lets go of them a minute later. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), READING_MS);
}
