import { builtin } from '../../api/scheme.js'
import type { ServedKind } from '../../schema/scheme.js'
import { examples } from './examples.js'
import { escaped, names, text, values } from './hostile-text.js'
import type { Chance } from './random-choices.js'

/** Every resource there is. */
export const resources: readonly ServedKind[] = builtin.resources

/** Those of which there are examples that can be stored. */
const common = resources.filter(({ kind }) => examples.has(kind.kind))

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
export const trialNamespaces = ['fuzz-one', 'fuzz-two'] as const

export interface Place {
  readonly resource: ServedKind | undefined
  readonly path: string
}

/** Where a method would go: to a collection to create, to a name for most others, and now and then where it has no business. */
export function place(chance: Chance, method: string): Place {
  if (chance.rarely(7)) return { resource: undefined, path: strangePath(chance) }
  const resource = chance.rarely(3) ? chance.one(resources) : chance.one(common)
  const { group, version, resource: served } = resource.kind
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const inside = served.namespaced && !chance.rarely(20) ? `/namespaces/${namespace(chance)}` : ''
  const isNamed = chance.rarely(8) ? chance.rarely(2) : method === 'GET' ? !chance.rarely(3) : method !== 'POST'
  const name = isNamed ? `/${objectName(chance)}` : ''
  return { resource, path: `${prefix}${inside}/${served.plural}${name}${name && subresource(chance, resource)}` }
}

function strangePath(chance: Chance): string {
  if (!chance.rarely(3)) return chance.one(others)
  return `/${chance
    .some(names, 7)
    .map((name) => escaped(chance, name))
    .join('/')}`
}

function namespace(chance: Chance): string {
  return chance.rarely(12) ? escaped(chance, text(chance)) : chance.one(trialNamespaces)
}

function objectName(chance: Chance): string {
  return chance.rarely(6) ? escaped(chance, text(chance)) : chance.one(shared)
}

function subresource(chance: Chance, { kind }: ServedKind): string {
  if (!chance.rarely(4)) return ''
  const own = Object.keys(kind.resource.subresources)
  return `/${own.length > 0 && !chance.rarely(4) ? chance.one(own) : escaped(chance, text(chance))}`
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
  ...names,
] as const

export function query(chance: Chance): string {
  if (chance.rarely(2)) return ''
  if (chance.rarely(25))
    return `?${chance
      .bytes(30)
      .toString('latin1')
      .replace(/[\r\n ]/g, '')}`
  const pair = () => `${escaped(chance, chance.one(parameters))}=${escaped(chance, chance.one(values))}`
  return `?${Array.from({ length: 1 + chance.below(4) }, pair).join('&')}`
}
