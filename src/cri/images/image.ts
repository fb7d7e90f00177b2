import type { StreamedContent, TarEntry } from '../../base/tar/writer.js'
import type { Architecture } from './elf.js'

/** The default settings of containers of an image; the names are those of the OCI image specification. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env?: readonly string[]
  readonly WorkingDir?: string
  readonly User?: string
  readonly ExposedPorts?: Readonly<Record<string, object>>
  readonly Volumes?: Readonly<Record<string, object>>
  readonly Labels?: Readonly<Record<string, string>>
  readonly StopSignal?: string
  /** Docker's extension: the shell that runs commands in shell form. */
  readonly Shell?: readonly string[]
  /** Docker's extension: instructions for a Dockerfile that starts from this image. */
  readonly OnBuild?: readonly string[]
}

/** A layer with known digests. */
export interface FinishedLayer {
  readonly mediaType: string
  /** `digest` is that of the blob, `diffId` that of the uncompressed tar file. They are equal if the blob is not compressed. */
  readonly digest: string
  readonly diffId: string
  readonly content: StreamedContent
}

export interface Image {
  /** Full names, such as `docker.io/proa/hello:1`. */
  readonly names: readonly string[]
  readonly architecture: Architecture
  readonly config: ImageConfig
  /** From the lowest to the topmost. */
  readonly layers: readonly (readonly TarEntry[] | FinishedLayer)[]
}

/** Returns the architecture of this host. */
export function thisArchitecture(): Architecture {
  if (process.arch === 'x64') return 'amd64'
  if (process.arch === 'arm64') return 'arm64'
  throw new Error(`the processor type ${process.arch} is not supported`)
}

/** Sorts entries and adds their parent folders, so that all tools unpack them in the same way. */
export function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const byPath = new Map<string, TarEntry>()
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const path = parts.slice(0, depth).join('/')
      if (!byPath.has(path)) byPath.set(path, { type: 'directory', path })
    }
    byPath.set(entry.path, entry)
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
