/** A file as a container is to see it. */
export interface VolumeFile {
  readonly text: string
  /** What the text is to be taken for: secrets come as base64, and are decoded only to be written. */
  readonly encoding: 'utf8' | 'base64'
  readonly mode: number
  /** The uid that the file is to belong to; root's unless told. */
  readonly owner?: number | undefined
}

/** The files of a volume, by their path in it. */
export type Payload = ReadonlyMap<string, VolumeFile>

export function samePayload(one: Payload, other: Payload): boolean {
  if (one.size !== other.size) return false
  for (const [path, file] of one) if (!sameFile(file, other.get(path))) return false
  return true
}

/** Texts of one and the same object are compared by a glance. */
function sameFile(one: VolumeFile, other: VolumeFile | undefined): boolean {
  if (!other) return false
  return (
    one.text === other.text && one.mode === other.mode && one.encoding === other.encoding && one.owner === other.owner
  )
}

export function volumeFileBytes({ text, encoding }: VolumeFile): Buffer {
  return Buffer.from(text, encoding)
}

const longestPath = 4096
const longestName = 255

/** Throws what is wrong with a path that a file of a volume is to have. */
export function checkVolumeFilePath(path: string): void {
  if (path === '') throw new Error('invalid path: must not be empty: ""')
  if (path.startsWith('/')) throw new Error(`invalid path: must be relative path: ${path}`)
  if (Buffer.byteLength(path) > longestPath)
    throw new Error(`invalid path: must be less than or equal to ${longestPath} characters`)
  const names = path.split('/')
  for (const name of names) {
    if (name === '..') throw new Error(`invalid path: must not contain '..': ${path}`)
    if (Buffer.byteLength(name) > longestName)
      throw new Error(`invalid path: filenames must be less than or equal to ${longestName} characters`)
  }
  if (names[0]!.startsWith('..')) throw new Error(`invalid path: must not start with '..': ${path}`)
}
