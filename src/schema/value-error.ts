/** A text that is not a value of its type: no quantity, no time, no percentage. The message is what clients are shown. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
}
