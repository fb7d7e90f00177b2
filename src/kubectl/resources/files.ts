import { extname, join, resolve } from 'node:path'
import { fileError, isMissing } from '../../client/host-access.js'
import type { JsonObject } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'
import { parseYaml } from '../../wire/yaml.js'
import { errorMessage } from '../command-errors.js'
import type { KubectlEnvironment } from '../environment.js'
import { download } from './download.js'
import { isListObject, itemsOf } from './resource-object.js'

/** An object and the file that it comes from. */
export interface ManifestObject {
  readonly object: JsonObject
  /** `web.yaml`; `STDIN` */
  readonly source: string
}

interface FileChoice {
  /** Paths, patterns, URLs, or `-` for standard input. */
  readonly filenames: readonly string[]
  readonly isRecursive: boolean
}

const extensions = ['.json', '.yaml', '.yml']

/** Reads all objects of all files, including the items of lists. Throws the first error. */
export async function readManifests(
  { filenames, isRecursive }: FileChoice,
  environment: KubectlEnvironment,
): Promise<readonly ManifestObject[]> {
  const manifests: ManifestObject[] = []
  for (const name of filenames)
    for (const { source, read } of await sourcesOf(name, isRecursive, environment))
      for (const object of await objectsOf(await read(), source)) manifests.push({ object, source })
  return manifests
}

interface Source {
  readonly source: string
  readonly read: () => Promise<string>
}

async function sourcesOf(
  name: string,
  isRecursive: boolean,
  environment: KubectlEnvironment,
): Promise<readonly Source[]> {
  if (name === '-') return [{ source: 'STDIN', read: async () => everythingOf(environment.input) }]
  if (/^https?:\/\//.test(name)) return [{ source: name, read: () => download(name, environment.host) }]
  const matched = /[*?[]/.test(name) ? await matching(name, environment) : [name]
  return (await Promise.all(matched.map((path) => within(path, isRecursive, environment)))).flat()
}

async function matching(pattern: string, { files: folders }: KubectlEnvironment): Promise<readonly string[]> {
  const names = await folders.matches(pattern)
  return names.length > 0 ? names : [pattern]
}

/** Expands a directory to the manifests in it. A named file is read whatever its extension. */
async function within(path: string, isRecursive: boolean, environment: KubectlEnvironment): Promise<readonly Source[]> {
  const { host, files: folders } = environment
  const full = resolve(host.workingDirectory, path)
  const entries = await folders.entries(full).catch((error: unknown) => {
    if (isMissing(error)) throw new Error(`the path ${JSON.stringify(path)} does not exist`)
    throw new Error(`the path ${JSON.stringify(path)} cannot be accessed: ${fileError('stat', path, error).message}`)
  })
  if (!entries) return [{ source: path, read: () => host.files.read(full) }]
  const found: Source[] = []
  for (const entry of entries) {
    const inside = join(path, entry)
    const isFolder = (await folders.entries(resolve(host.workingDirectory, inside))) !== undefined
    if (isFolder && isRecursive) found.push(...(await within(inside, true, environment)))
    else if (!isFolder && extensions.includes(extname(entry)))
      found.push({ source: inside, read: () => host.files.read(resolve(host.workingDirectory, inside)) })
  }
  return found
}

/** Parses YAML or JSON documents. */
export async function objectsOf(text: string, source: string): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = []
  for (const value of await valuesOf(text, source)) {
    if (!isObject(value))
      throw new Error(`error validating "${source}": error validating data: invalid object to validate`)
    objects.push(...flat(value, source))
  }
  return objects
}

/** Parses documents of any type. Skips empty ones. */
export async function valuesOf(text: string, source: string): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for (const document of documents(text)) {
    const value = await read(document, source)
    if (value !== null && value !== undefined) values.push(value)
  }
  return values
}

function flat(object: JsonObject, source: string): readonly JsonObject[] {
  if (isListObject(object)) return itemsOf(object).flatMap((item) => flat(item, source))
  checkType(object, source)
  return [object]
}

function checkType(object: JsonObject, source: string): void {
  const missing = ['apiVersion', 'kind'].filter((field) => typeof object[field] !== 'string' || object[field] === '')
  if (missing.length === 0) return
  const [first = '', second] = missing.map((field) => `${field} not set`)
  const problems = second === undefined ? first : `[${first}, ${second}]`
  throw new Error(
    `error validating ${JSON.stringify(source)}: error validating data: ${problems}; if you choose to ignore these errors, turn validation off with --validate=false`,
  )
}

function documents(text: string): readonly string[] {
  const trimmed = text.trimStart()
  if (trimmed.startsWith('{')) return jsonDocuments(trimmed)
  return text.split(/^---(?=\s|$)/m).filter((document) => document.trim() !== '')
}

/** Splits concatenated JSON objects. */
function jsonDocuments(text: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth++
    if (token !== '}' || --depth > 0) continue
    found.push(text.slice(start, index + 1))
    start = index + 1
  }
  const rest = text.slice(start)
  return rest.trim() === '' ? found : [...found, rest]
}

async function read(document: string, source: string): Promise<unknown> {
  const text = document.trim()
  if (text.startsWith('{'))
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error // it may still be YAML
    }
  try {
    return (await parseYaml(document)).value
  } catch (error) {
    throw new Error(
      `error parsing ${source}: error converting YAML to JSON: ${errorMessage(error).replace('yaml: line 1: ', 'yaml: ')}`,
      { cause: error },
    )
  }
}

async function everythingOf(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
