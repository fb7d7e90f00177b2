import { readContent } from '../file-content.js'
import type { FileTree } from './file-tree.js'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

const maxFileSize = 1 << 20
const maxId = 2 ** 32 - 2

/** Resolves `--chown=user:group`. Names are looked up in the image; a user number without a group is also the group number. */
export async function findOwner(text: string, tree: FileTree): Promise<Owner> {
  const [user = '', group, ...others] = text.split(':')
  if (user === '' || group === '' || others.length > 0) throw new Error(`--chown must be USER or USER:GROUP: ${text}`)
  const found = isNumber(user) ? { uid: idOf(user), gid: idOf(user) } : await userNamed(user, tree)
  if (group === undefined) return found
  return { uid: found.uid, gid: isNumber(group) ? idOf(group) : await groupNamed(group, tree) }
}

async function userNamed(name: string, tree: FileTree): Promise<Owner> {
  const [, , uid, gid] = await lineFor(name, 'etc/passwd', tree)
  return { uid: idOf(uid ?? ''), gid: idOf(gid ?? '') }
}

async function groupNamed(name: string, tree: FileTree): Promise<number> {
  const [, , gid] = await lineFor(name, 'etc/group', tree)
  return idOf(gid ?? '')
}

async function lineFor(name: string, path: string, tree: FileTree): Promise<string[]> {
  const entry = tree.get(tree.resolve(path))
  if (entry?.type !== 'file') throw new Error(`--chown cannot resolve ${name}: the image has no /${path}; use a number`)
  const content = entry.content instanceof Uint8Array ? entry.content : await readContent(entry.content, maxFileSize)
  const lines = content
    .toString()
    .split('\n')
    .map((line) => line.split(':'))
  const line = lines.find(([first]) => first === name)
  if (!line) throw new Error(`--chown cannot resolve ${name}: /${path} of the image does not contain it; use a number`)
  return line
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}

function idOf(text: string): number {
  if (!isNumber(text) || Number(text) > maxId) throw new Error(`invalid user or group number: ${text || 'empty'}`)
  return Number(text)
}
