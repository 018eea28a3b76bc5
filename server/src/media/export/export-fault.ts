/** Why an export cannot be made. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
  readonly fault: 'codec_changed' | 'nothing_recorded' | 'file_changed' | 'unreadable';

  constructor(fault: ExportFault['fault']) {
    super(fault);
    this.fault = fault;
  }
}
