/** An archive that cannot be used. The message says what is wrong with it; it is for a person. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}
