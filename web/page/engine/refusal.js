// An error that an engine reports, with its remedy.

export class Refusal extends Error {
  /** @param {{error: string, help?: string, line?: number, column?: number}} body @param {number} status */
  constructor(body, status) {
    super(body.error);
    this.help = body.help ?? '';
    this.line = body.line;
    this.column = body.column;
    this.status = status;
  }
}
