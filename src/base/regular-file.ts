import { closeSync, constants, fstatSync, openSync } from 'node:fs'

/** Opens only the name: does not touch a pipe or device. Linux calls it O_PATH; Node has no constant for it. */
export const pathOnly = 0o10000000

/**
 * Opens a file for reading in a folder that containers can write to. Throws for a link, which could lead anywhere; for a pipe, which would
 * block the process until it is written to; and for a device, which may act when it is opened.
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
