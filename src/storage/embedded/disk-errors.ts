import { statfs } from 'node:fs/promises'
import { NoSpaceError, type StorageError, UnavailableError } from '../errors.js'

/** Error numbers of the operating system. */
const inputOutput = 5
const noSpace = [28, 69, 122]

/** The space that a commit needs besides its values: copies of the changed pages. */
const overhead = 1024 * 1024

/**
 * Converts an error of LMDB. LMDB reports an input/output error when the disk takes only a part of a page, so this checks the free space.
 */
export function diskErrors(directory: string): (error: unknown, bytes: number) => Promise<StorageError> {
  return async (error, bytes) => {
    const cause = await causeOf(error)
    const code = codeOf(cause)
    const isFull =
      noSpace.includes(code) || (code === inputOutput && (await freeBytes(directory)) < bytes * 2 + overhead)
    if (isFull) return new NoSpaceError(`the disk under ${directory} is full; nothing was written`, { cause })
    const message = cause instanceof Error ? cause.message : String(cause)
    return new UnavailableError(`${directory} could not be written: ${message}`, { cause })
  }
}

/** LMDB rejects a commit at once, and gives the reason a moment later. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> }
  if (!commitError) return error
  try {
    await commitError
  } catch (cause) {
    return cause
  }
  return error
}

function codeOf(error: unknown): number {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? code : 0
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
