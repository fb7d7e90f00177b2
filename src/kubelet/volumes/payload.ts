/** A file in a volume. */
export interface VolumeFile {
  readonly text: string
  /** Secrets arrive as base64 and are decoded only when written. */
  readonly encoding: 'utf8' | 'base64'
  readonly mode: number
  /** Uid of the owner. Defaults to root. */
  readonly owner?: number | undefined
}

/** The files of a volume by path. */
export type Payload = ReadonlyMap<string, VolumeFile>

export function samePayload(one: Payload, other: Payload): boolean {
  if (one.size !== other.size) return false
  for (const [path, file] of one) if (!sameFile(file, other.get(path))) return false
  return true
}

/** Strings of the same object compare fast by identity. */
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

/** Throws if a file cannot have this path. */
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
