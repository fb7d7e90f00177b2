import { statfs } from 'node:fs/promises'

/** The space of one filesystem. */
export interface FilesystemSpace {
  /** Bytes. */
  readonly capacity: number
  readonly available: number
  /** Total and free inodes. Both are 0 without a limit. */
  readonly inodes: number
  readonly inodesFree: number
}

export type MeasureFilesystem = (path: string) => Promise<FilesystemSpace>

/** Measures what unprivileged users can use. */
export const measureFilesystem: MeasureFilesystem = async (path) => {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path)
  return { capacity: bsize * blocks, available: bsize * bavail, inodes: files, inodesFree: ffree }
}
