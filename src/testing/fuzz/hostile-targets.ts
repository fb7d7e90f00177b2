import { builtin } from '../../api/scheme.js'
import type { ServedKind } from '../../schema/scheme.js'
import { exampleObjects } from './examples.js'
import { escapeHostileText, hostileNames, hostileText, hostileValues } from './hostile-text.js'
import type { RandomChoices } from './random-choices.js'

/** Every resource there is. */
export const fuzzedResources: readonly ServedKind[] = builtin.resources

/** Those of which there are examples that can be stored. */
const common = fuzzedResources.filter(({ kind }) => exampleObjects.has(kind.kind))

const others = [
  '/',
  '/api',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/api/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/version',
  '/healthz',
  '/livez/ping',
  '/readyz',
  '/metrics',
  '/apis/__proto__/v1',
  '/apis/constructor/v1/toString',
  '/api/v1/constructor',
  '/api/v1/namespaces/a/hasOwnProperty/b',
  '/api/v1/namespaces/a/pods/b/__proto__',
  '/api/v1/watch/pods',
  '/debug/pprof',
  '/logs',
  '//api//v1//pods',
  '/api/v1/../../etc/passwd',
  '/api/v1/%2e%2e/%2e%2e',
  '/api/v1/pods%00',
  '/api/v1/pods/%ff%fe',
  '*',
  'http://elsewhere/api/v1/pods',
] as const

/** Names and namespaces that requests meet each other under: some objects come to be, and are then changed and deleted. */
const shared = ['web', 'a', 'b', 'c', 'default'] as const
export const fuzzNamespaces = ['fuzz-one', 'fuzz-two'] as const

export interface RequestTarget {
  readonly resource: ServedKind | undefined
  readonly path: string
}

/** Where a method would go: to a collection to create, to a name for most others, and now and then where it has no business. */
export function hostileTarget(chance: RandomChoices, method: string): RequestTarget {
  if (chance.rarely(7)) return { resource: undefined, path: strangePath(chance) }
  const resource = chance.rarely(3) ? chance.one(fuzzedResources) : chance.one(common)
  const { group, version, resource: served } = resource.kind
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const inside = served.namespaced && !chance.rarely(20) ? `/namespaces/${namespace(chance)}` : ''
  const isNamed = chance.rarely(8) ? chance.rarely(2) : method === 'GET' ? !chance.rarely(3) : method !== 'POST'
  const name = isNamed ? `/${objectName(chance)}` : ''
  return { resource, path: `${prefix}${inside}/${served.plural}${name}${name && subresource(chance, resource)}` }
}

function strangePath(chance: RandomChoices): string {
  if (!chance.rarely(3)) return chance.one(others)
  return `/${chance
    .some(hostileNames, 7)
    .map((name) => escapeHostileText(chance, name))
    .join('/')}`
}

function namespace(chance: RandomChoices): string {
  return chance.rarely(12) ? escapeHostileText(chance, hostileText(chance)) : chance.one(fuzzNamespaces)
}

function objectName(chance: RandomChoices): string {
  return chance.rarely(6) ? escapeHostileText(chance, hostileText(chance)) : chance.one(shared)
}

function subresource(chance: RandomChoices, { kind }: ServedKind): string {
  if (!chance.rarely(4)) return ''
  const own = Object.keys(kind.resource.subresources)
  return `/${own.length > 0 && !chance.rarely(4) ? chance.one(own) : escapeHostileText(chance, hostileText(chance))}`
}

const parameters = [
  'watch',
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'includeObject',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'timeout',
  'container',
  'follow',
  'command',
  'ports',
  ...hostileNames,
] as const

export function hostileQuery(chance: RandomChoices): string {
  if (chance.rarely(2)) return ''
  if (chance.rarely(25))
    return `?${chance
      .bytes(30)
      .toString('latin1')
      .replace(/[\r\n ]/g, '')}`
  const pair = () =>
    `${escapeHostileText(chance, chance.one(parameters))}=${escapeHostileText(chance, chance.one(hostileValues))}`
  return `?${Array.from({ length: 1 + chance.below(4) }, pair).join('&')}`
}
