/** An archive cannot be used. The message is for the user. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}
