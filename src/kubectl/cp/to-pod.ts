import { basename, join, posix } from 'node:path'
import { type TarEntry, tarChunks } from '../../base/tar/writer.js'
import type { LocalFiles } from '../environment.js'
import { joinStreams, sessionExitCode } from '../exec/channels.js'
import { type CopyLocation, remotePath, withoutSlash } from './location.js'
import { type CopyContext, commandInPod } from './pod.js'

/** Packs a local file or directory, and runs `tar` in the container to unpack it. */
export async function copyToPod(call: CopyContext, source: CopyLocation, target: CopyLocation): Promise<void> {
  const { flags, factory, err } = call
  const { files: folders } = factory.environment
  if (!(await folders.lstat(source.path))) throw new Error(`${source.path} doesn't exist in local filesystem`)
  const path = (await isFolder(call, target)) ? posix.join(target.path, basename(source.path)) : target.path
  const name = posix.basename(withoutSlash(posix.normalize(path)))
  const words = [
    'tar',
    ...(flags['no-preserve'] ? ['--no-same-permissions', '--no-same-owner'] : []),
    '-xmf',
    '-',
    '-C',
    posix.dirname(path),
  ]
  const input = tarChunks(entries(folders, source.path, name))
  await joinStreams(factory, await commandInPod(call, target, { words, input, tell: err }))
}

/** Errors are ignored here: the copy will fail with the same error. */
async function isFolder(call: CopyContext, target: CopyLocation): Promise<boolean> {
  const silent = async () => {}
  try {
    const words = ['test', '-d', target.path]
    const session = await commandInPod(call, target, { words, tell: silent })
    return (await sessionExitCode(call.factory, { ...session, out: silent, err: silent })) === 0
  } catch {
    return false
  }
}

/** Yields the entries of an archive. Only empty directories have an entry of their own; `tar` creates the others. */
async function* entries(folders: LocalFiles, path: string, name: string): AsyncGenerator<TarEntry> {
  const seen = await folders.lstat(path)
  if (!seen) throw new Error(`lstat ${path}: no such file or directory`)
  const { type, mode, uid, gid, size, target } = seen
  const owned = { path: remotePath(name), mode, uid, gid }
  if (type === 'link') yield { type, target, ...owned }
  else if (type === 'file') yield { type, content: { size, chunks: () => folders.chunks(path, size) }, ...owned }
  else if (type === 'other') throw new Error(`${path} is neither a file nor a folder`)
  else {
    const names = (await folders.entries(path)) ?? []
    if (names.length === 0) yield { type, ...owned }
    for (const each of names) yield* entries(folders, join(path, each), posix.join(name, each))
  }
}
