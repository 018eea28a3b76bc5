/** Lets the browser save a file of this server: its name and its bytes go past the page. */
export function saveFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
