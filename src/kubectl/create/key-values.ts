import { createHash } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { boolean, csvList, repeated } from '../../base/flags/flag-types.js'
import { fileError } from '../../client/host-access.js'
import type { JsonObject } from '../../schema/declaration.js'
import { strictEnvironmentVariableName } from '../../schema/identifiers.js'
import { quote } from '../../schema/quote.js'
import type { KubectlEnvironment } from '../environment.js'
import { jsonText } from '../printers/json.js'
import { metadataOf, withMetadata } from '../resources/resource-object.js'

/** The flags for the content of a config map or secret: files, literals, and files of variables. */
export const sourceFlags = {
  'from-env-file': csvList('Files with lines NAME=value'),
  'from-file': csvList('Files or directories; KEY=PATH for a key other than the file name'),
  'from-literal': repeated('Literal values: KEY=VALUE'),
} as const

interface KeyValueSources {
  readonly 'from-env-file': readonly string[]
  readonly 'from-file': readonly string[]
  readonly 'from-literal': readonly string[]
}

/** Adds a pair. Throws if the pair is not acceptable. */
export type AddPair = (key: string, value: Buffer) => void

/** Adds all pairs of all sources, in upstream's order. */
export async function readSources(
  sources: KeyValueSources,
  environment: KubectlEnvironment,
  take: AddPair,
): Promise<void> {
  const { 'from-file': files, 'from-literal': literals, 'from-env-file': variables } = sources
  if (variables.length > 0 && files.length + literals.length > 0)
    throw new Error('from-env-file cannot be combined with from-file or from-literal')
  await readFiles(files, environment, take)
  for (const literal of literals) take(...readLiteral(literal))
  for (const path of variables) await readVariables(path, environment, take)
}

export async function readFiles(
  files: readonly string[],
  environment: KubectlEnvironment,
  take: AddPair,
): Promise<void> {
  for (const source of files) await readFileSource(source, environment, take)
}

async function readFileSource(source: string, environment: KubectlEnvironment, take: AddPair): Promise<void> {
  const { key, path } = fileSource(source)
  const { files: folders, host } = environment
  const names = await entriesOf(path, environment)
  if (!names) return take(key, await contentOf(path, environment))
  if (source.includes('=')) throw new Error('cannot give a key name for a directory path')
  for (const name of names) {
    const inside = join(path, name)
    const isFolder = (await folders.entries(resolve(host.workingDirectory, inside))) !== undefined
    if (!isFolder) take(name, await contentOf(inside, environment))
  }
}

/** `path`, or `key=path`. */
function fileSource(source: string): { readonly key: string; readonly path: string } {
  const [key = '', path, ...more] = source.split('=')
  if (path === undefined) return { key: basename(source), path: source }
  if (more.length > 0) throw new Error("key names or file paths cannot contain '='")
  if (key === '') throw new Error(`key name for file path ${path} missing`)
  if (path === '') throw new Error(`file path for key name ${key} missing`)
  return { key, path }
}

async function entriesOf(
  path: string,
  { files: folders, host }: KubectlEnvironment,
): Promise<readonly string[] | undefined> {
  try {
    return await folders.entries(resolve(host.workingDirectory, path))
  } catch (error) {
    const { message } = fileError('', '', error)
    throw new Error(`error reading ${path}${message.replace(/^ : /, ': ')}`, { cause: error })
  }
}

async function contentOf(path: string, { files: folders, host }: KubectlEnvironment): Promise<Buffer> {
  try {
    return Buffer.from(await folders.bytes(resolve(host.workingDirectory, path)))
  } catch (error) {
    throw fileError('open', path, error)
  }
}

function readLiteral(literal: string): readonly [string, Buffer] {
  const at = literal.indexOf('=')
  if (at < 1) throw new Error(`invalid literal source ${literal}, expected key=value`)
  return [literal.slice(0, at), Buffer.from(literal.slice(at + 1))]
}

const byteOrderMark = '\ufeff'

/** A line without `=` refers to an environment variable of this process. */
async function readVariables(path: string, environment: KubectlEnvironment, take: AddPair): Promise<void> {
  if (await entriesOf(path, environment)) throw new Error('env config file cannot be a directory')
  const content = (await contentOf(path, environment)).toString().replace(byteOrderMark, '')
  const { variables } = environment.host
  for (const line of content.split(/\r?\n/).map((each) => each.trimStart())) {
    if (line === '' || line.startsWith('#')) continue
    const [, key = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(line)!
    const problems = strictEnvironmentVariableName(key)
    if (problems.length > 0) throw new Error(`${quote(key)} is not a valid key name: ${problems.join(';')}`)
    take(key, Buffer.from(value ?? variables[key] ?? ''))
  }
}

export const hashFlag = { 'append-hash': boolean('Append a hash of the content to the name') } as const

/** Replaces digits that could form words. */
const replacements: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }

/** Appends a hash of the content to the name. `counted` are the hashed fields. */
export function withContentHash(object: JsonObject, counted: JsonObject): JsonObject {
  const { name = '' } = metadataOf(object)
  const text = jsonText({ kind: object.kind, name, ...counted })
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return withMetadata(object, { name: `${name}-${digits.replace(/[013ae]/g, (digit) => replacements[digit]!)}` })
}
