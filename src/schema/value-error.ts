/** A text is not a value of its type (a quantity, a time, a percentage). Clients see the message. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
}
