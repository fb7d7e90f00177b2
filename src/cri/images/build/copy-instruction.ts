import { Buffer } from 'node:buffer'
import { posix } from 'node:path'
import { contentStream, type TarEntry } from '../../../base/tar/writer.js'
import { ArchiveError } from '../archive/archive-error.js'
import type { CopyRequest } from '../dockerfile/copy-request.js'
import type { BuildContext } from './context-tree.js'
import { cleanSource, copiedEntries, matchingPaths } from './copied-entries.js'
import { FileTree } from './file-tree.js'
import { isTarArchive, layerChanges } from './layer-changes.js'
import { findOwner, type Owner } from './owner.js'

export interface CopyLayerContext {
  /** Files of another stage or image; undefined for the build context. */
  readonly from: FileTree | undefined
  readonly context: () => Promise<BuildContext>
  /** The current files of the image. */
  readonly target: FileTree
  readonly temporary: string
}

const root: Owner = { uid: 0, gid: 0 }

/** Returns the entries of the layer that a COPY or ADD creates. */
export async function copyLayerEntries(request: CopyRequest, context: CopyLayerContext): Promise<TarEntry[]> {
  const owner = request.owner === undefined ? undefined : await findOwner(request.owner, context.target)
  const options = { target: context.target, path: request.target, mode: request.mode }
  const documents = request.documents.map(({ name }) => name)
  const written = copiedEntries(documents, { ...options, source: documentTree(request), owner: owner ?? root })
  if (request.sources.length === 0) return written
  if (context.from) {
    const paths = request.sources.flatMap((source) => pathsOf(source, { tree: context.from! }))
    // Copies from another image keep their owners.
    return [...written, ...copiedEntries(paths, { ...options, source: context.from, owner })]
  }
  const buildContext = await context.context()
  const paths = request.sources.flatMap((source) => pathsOf(source, buildContext))
  const archives = request.keyword === 'ADD' ? await archivesIn(paths, buildContext.tree) : []
  const files = paths.filter((path) => !archives.includes(path))
  const copied = copiedEntries(files, { ...options, source: buildContext.tree, owner: owner ?? root })
  const unpacked = archives.map((path) => unpackedEntries(path, buildContext.tree, { ...options, owner, context }))
  return [...written, ...copied, ...(await Promise.all(unpacked)).flat()]
}

function pathsOf(source: string, { tree, ignored }: Pick<BuildContext, 'tree'> & Partial<BuildContext>): string[] {
  const paths = matchingPaths(tree, source)
  if (paths.length > 0) return paths
  if (ignored?.isIgnored(cleanSource(source))) throw new Error(`${source} is left out by .dockerignore`)
  throw new Error(`there is no ${source} to copy`)
}

function documentTree({ documents }: CopyRequest): FileTree {
  return new FileTree(
    documents.map(({ name, content }) => [name, { type: 'file', path: name, content: Buffer.from(content) }]),
  )
}

/** Returns the paths of archives, which ADD unpacks. */
async function archivesIn(paths: readonly string[], tree: FileTree): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const entry = tree.get(tree.resolve(path))
    if (entry?.type === 'file' && (await isArchive(path, entry))) found.push(path)
  }
  return found
}

async function isArchive(path: string, { content }: Extract<TarEntry, { type: 'file' }>): Promise<boolean> {
  try {
    return await isTarArchive(contentStream(content))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new Error(`ADD cannot unpack ${path}: ${error.message}; COPY copies it as it is`)
  }
}

interface UnpackOptions {
  readonly target: FileTree
  readonly path: string
  readonly mode: number | undefined
  readonly owner: Owner | undefined
  readonly context: CopyLayerContext
}

async function unpackedEntries(path: string, tree: FileTree, options: UnpackOptions): Promise<TarEntry[]> {
  const entry = tree.get(tree.resolve(path))
  if (entry?.type !== 'file') return []
  const content = new FileTree()
  content.apply(await layerChanges(contentStream(entry.content), options.context.temporary))
  return copiedEntries([''], { ...options, path: posix.join(options.path, '/'), source: content })
}
