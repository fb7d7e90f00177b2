import { closeSync, constants, fstatSync, openSync } from 'node:fs'

/** Opens nothing but the name: neither a pipe nor a device is touched by it. Node has no name for it; Linux calls it O_PATH. */
export const pathOnly = 0o10000000

/**
 * For reading what somebody else may have put there. Throws if it is a link, which could lead anywhere; a pipe, which would hold up the
 * whole process until somebody writes to it; or a device, which may do something when it is opened.
 */
export function openRegularFile(path: string): number {
  const name = openSync(path, pathOnly | constants.O_NOFOLLOW)
  try {
    if (!fstatSync(name).isFile()) throw new Error('not a regular file')
    return openSync(`/proc/self/fd/${name}`, 'r')
  } finally {
    closeSync(name)
  }
}
