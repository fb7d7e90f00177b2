import type { StreamedContent, TarEntry } from '../../base/tar/writer.js'
import type { Architecture } from './elf.js'

/** How a container of an image runs unless it is told otherwise; the names are those of the OCI image specification. */
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
  /** Docker's: what runs the commands of a Dockerfile that are no lists. */
  readonly Shell?: readonly string[]
  /** Docker's: instructions for a Dockerfile that begins with this image. */
  readonly OnBuild?: readonly string[]
}

/** A layer that is there already, as a part of another archive. */
export interface FinishedLayer {
  readonly mediaType: string
  /** Of the blob as it is, and of the archive in it: the same unless it is compressed. */
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

/** The processor of this machine, as images name it. */
export function thisArchitecture(): Architecture {
  if (process.arch === 'x64') return 'amd64'
  if (process.arch === 'arm64') return 'arm64'
  throw new Error(`there are no images for processors of type ${process.arch}`)
}

/** Sorts entries, and adds the folders that they are in, so that nothing depends on who unpacks them. */
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
