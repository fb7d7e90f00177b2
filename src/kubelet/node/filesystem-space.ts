import { statfs } from 'node:fs/promises'

/** Of the filesystem that a path is on. */
export interface FilesystemSpace {
  /** Bytes. */
  readonly capacity: number
  readonly available: number
  /** How many files there can be, and how many more; both 0 where that has no limit. */
  readonly inodes: number
  readonly inodesFree: number
}

export type MeasureFilesystem = (path: string) => Promise<FilesystemSpace>

/** Available is what is left for everybody, and not only for root. */
export const measureFilesystem: MeasureFilesystem = async (path) => {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path)
  return { capacity: bsize * blocks, available: bsize * bavail, inodes: files, inodesFree: ffree }
}
