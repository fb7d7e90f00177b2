import { LabelSelector } from '../../api/selectors/label-selector.js'
import { boolean, csvList, text } from '../../base/flags/flag-types.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { NoMatchError } from '../../client/discovery/resource-mapper.js'
import type { JsonObject } from '../../schema/declaration.js'
import { quote } from '../../schema/quote.js'
import { ContextError } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import { type NamedArguments, readArguments, splitTypes } from './arguments.js'
import { readManifests } from './files.js'
import { groupKindOf, metadataOf, type ResourceObject, resourcePath, withMetadata } from './resource-object.js'

/** The flags of commands that read files. */
export const fileFlags = {
  filename: csvList('Files, directories or URLs of manifests; - for standard input', { short: 'f' }),
  kustomize: text('Directory of a kustomization; not supported', { short: 'k' }),
  recursive: boolean('Read directories recursively', { short: 'R' }),
} as const

/** Which objects a command works on. */
export interface ResourceSelection {
  readonly args?: readonly string[]
  readonly filename?: readonly string[]
  readonly kustomize?: string
  readonly recursive?: boolean
  readonly selector?: string
  readonly 'field-selector'?: string
  readonly 'all-namespaces'?: boolean
  /** All objects of the types (`--all`). */
  readonly all?: boolean
  /** Whether types without names mean all objects. */
  readonly typesMeanAll?: boolean
  readonly subresource?: string
  readonly chunkSize?: number
  /** The media type that the server should return. */
  readonly accept?: string
  readonly query?: Readonly<Record<string, string>>
  /** Whether missing objects are skipped. */
  readonly ignoreNotFound?: boolean
  /** Send no requests (`--local`). */
  readonly local?: boolean
}

/** One request of a selection: an object by name, or a list. */
export interface SelectionTarget {
  readonly resource: DiscoveredResource
  readonly namespace: string
  /** '' for a list. */
  readonly name: string
}

export interface Selected {
  readonly targets: readonly SelectionTarget[]
  /** Whether the user named a single object. It is printed alone, not as a list. */
  readonly isSingle: boolean
  /** Objects from files. They may not exist on the server. */
  readonly manifests: readonly ResourceObject[]
  /** Errors about objects in files whose kinds the server does not know. */
  readonly errors: readonly unknown[]
}

class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError'
}

export const nothingSelected = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`

/** Resolves a selection into requests. Looks up types, but fetches no objects. */
export async function select(factory: Factory, selection: ResourceSelection): Promise<Selected> {
  const { filename = [], kustomize = '', args = [] } = selection
  if (kustomize !== '')
    throw new Error('kustomizations are not built by this kubectl: build it first, and give the result to -f -')
  if (filename.length > 0) return selectFiles(factory, selection)
  const named = readArguments(args)
  const { tuples, types, names } = named
  if (hasSelector(selection)) return selectBySelector(factory, selection, named)
  if (tuples.length > 0) return selectTuples(factory, selection, named)
  if (names.length > 0) return selectNames(factory, selection, named)
  if (types.length === 0) throw new Error(nothingSelected)
  if (!selection.typesMeanAll && !selection.all) throw new Error('resource(s) were provided, but no name was specified')
  return selectBySelector(factory, selection, named)
}

/** A blank selector counts as none. Otherwise it would select everything. */
function hasSelector({ selector = '', 'field-selector': fields = '', all = false }: ResourceSelection): boolean {
  return selector.trim() !== '' || fields.trim() !== '' || all
}

/** Rejects `--all` together with a selector, because the intention is unclear. */
export function rejectAllWithSelector(selection: Pick<ResourceSelection, 'all' | 'selector' | 'field-selector'>): void {
  const { all = false, selector = '', 'field-selector': fields = '' } = selection
  if (all && selector !== '') throw new Error('cannot set --all and --selector at the same time')
  if (all && fields !== '') throw new Error('cannot set --all and --field-selector at the same time')
}

async function selectFiles(factory: Factory, selection: ResourceSelection): Promise<Selected> {
  const { args = [], filename = [], recursive = false } = selection
  const manifests = await readManifests({ filenames: filename, isRecursive: recursive }, factory.environment)
  if (args.length > 0)
    throw new Error('when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well')
  const infos: ResourceObject[] = []
  const errors: unknown[] = []
  for (const { object, source } of manifests)
    try {
      infos.push(await manifestObject(factory, object, source))
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error
      errors.push(error)
    }
  if (manifests.length === 0 && !filename.includes('-'))
    throw new Error(`error reading [${filename.join(' ')}]: recognized file extensions are [.json .yaml .yml]`)
  return { targets: infos, manifests: infos, isSingle: infos.length === 1, errors }
}

/** Resolves the resource and namespace of an object from a file. */
async function manifestObject(factory: Factory, object: JsonObject, source: string): Promise<ResourceObject> {
  const { name = '', namespace = '' } = metadataOf(object)
  const resource = await resourceOfObject(factory, object, source)
  const home = resource.namespaced ? await homeOf(factory, namespace) : ''
  const placed = resource.namespaced && namespace === '' ? withMetadata(object, { namespace: home }) : object
  return { resource, namespace: home, name, object: placed, source }
}

/** Returns the resource of an object, by its kind and version. */
export async function resourceOfObject(
  factory: Factory,
  object: JsonObject,
  source: string,
): Promise<DiscoveredResource> {
  const { group, version, kind } = groupKindOf(object)
  const mapper = await factory.mapper()
  try {
    return await mapper.kind({ kind, group, version })
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error
    const { name = '', namespace = '' } = metadataOf(object)
    const what = `resource mapping not found for name: ${quote(name)} namespace: ${quote(namespace)} from ${quote(source)}`
    throw new UnknownKindError(`${what}: ${error.message}\nensure CRDs are installed first`, { cause: error })
  }
}

async function homeOf(factory: Factory, own: string): Promise<string> {
  const { name, isGiven } = await factory.namespace()
  if (isGiven) requireNamespace(own, name)
  return own === '' ? name : own
}

/** Throws if the object has another namespace than the requested one. */
export function requireNamespace(own: string, meant: string): void {
  if (own === '' || own === meant) return
  throw new Error(
    `the namespace from the provided object ${quote(own)} does not match the namespace ${quote(meant)}. You must pass '--namespace=${own}' to perform this operation.`,
  )
}

async function selectBySelector(
  factory: Factory,
  selection: ResourceSelection,
  named: NamedArguments,
): Promise<Selected> {
  const { tuples, types, names } = named
  if (names.length > 0) throw new Error('name cannot be provided when a selector is specified')
  if (tuples.length > 0)
    throw new Error('selectors and the all flag cannot be used when passing resource/name arguments')
  if (types.length === 0) throw new Error('at least one resource must be specified to use a selector')
  const resources = await resourcesOf(factory, types)
  const { name: home } = await factory.namespace()
  const namespace = selection['all-namespaces'] ? '' : home
  const targets = resources.map((resource) => ({ resource, namespace: resource.namespaced ? namespace : '', name: '' }))
  return { targets, manifests: [], errors: [], isSingle: false }
}

async function selectTuples(
  factory: Factory,
  selection: ResourceSelection,
  { tuples }: NamedArguments,
): Promise<Selected> {
  refuseAllNamespaces(selection)
  const { name: home } = await factory.namespace()
  const targets: SelectionTarget[] = []
  for (const { type, name } of tuples) {
    const [resource] = await resourcesOf(factory, [type])
    targets.push({ resource: resource!, namespace: resource!.namespaced ? home : '', name })
  }
  return { targets, manifests: [], errors: [], isSingle: tuples.length === 1 }
}

async function selectNames(factory: Factory, selection: ResourceSelection, named: NamedArguments): Promise<Selected> {
  const { types, names } = named
  refuseAllNamespaces(selection)
  const resources = await resourcesOf(factory, types)
  const { name: home } = await factory.namespace()
  const targets = resources.flatMap((resource) =>
    names.map((name) => ({ resource, namespace: resource.namespaced ? home : '', name })),
  )
  return { targets, manifests: [], errors: [], isSingle: targets.length === 1 }
}

function refuseAllNamespaces(selection: ResourceSelection): void {
  if (selection['all-namespaces']) throw new Error('a resource cannot be retrieved by name across all namespaces')
}

/** Resolves types by name. A category such as `all` stands for several. */
async function resourcesOf(factory: Factory, types: readonly string[]): Promise<readonly DiscoveredResource[]> {
  const mapper = await factory.mapper()
  const found = new Map<string, DiscoveredResource>()
  for (const type of types.flatMap(splitTypes)) {
    const members = await mapper.category(type)
    const resources = members.length > 0 ? members : [await mapper.resource(type)]
    for (const resource of resources) found.set(resourcePath(resource), resource)
  }
  return [...found.values()]
}

/** Adds the operation and the file to an error of the server. */
export function withFileContext(
  doing: string,
  { source, name, resource }: ResourceObject,
  error: unknown,
): ContextError {
  const where = source === '' ? `${resource.plural} ${quote(name)}` : quote(source)
  return new ContextError(`error when ${doing} ${where}`, error)
}

/** Whether the labels of an object match a selector. */
export function matchesSelector(object: JsonObject, selector: string): boolean {
  return LabelSelector.parse(selector).matches(metadataOf(object).labels ?? {})
}

interface FileFlags {
  readonly filename: readonly string[]
  readonly kustomize: string
}

/** Throws unless `-f` or `-k` is given. */
export function requireFiles({ flags }: { readonly flags: FileFlags }): void {
  if (flags.filename.length > 0 && flags.kustomize !== '') throw new Error('only one of -f or -k can be specified')
  if (flags.filename.length === 0 && flags.kustomize === '') throw new Error('must specify one of -f and -k')
}
