import { statfs } from 'node:fs/promises'

/** Bytes of the filesystem that a path is on. */
export interface FilesystemSpace {
  readonly capacity: number
  readonly available: number
}

export type MeasureFilesystem = (path: string) => Promise<FilesystemSpace>

/** Available is what is left for everybody, and not only for root. */
export const measureFilesystem: MeasureFilesystem = async (path) => {
  const { bsize, blocks, bavail } = await statfs(path)
  return { capacity: bsize * blocks, available: bsize * bavail }
}
