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

export interface HostileTarget {
  readonly resource: ServedKind | undefined
  readonly path: string
}

/** Where a method would go: to a collection to create, to a name for most others, and now and then where it has no business. */
export function hostileTarget(choices: RandomChoices, method: string): HostileTarget {
  if (choices.rarely(7)) return { resource: undefined, path: strangePath(choices) }
  const resource = choices.rarely(3) ? choices.one(fuzzedResources) : choices.one(common)
  const { group, version, resource: served } = resource.kind
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const inside = served.namespaced && !choices.rarely(20) ? `/namespaces/${namespace(choices)}` : ''
  const isNamed = choices.rarely(8) ? choices.rarely(2) : method === 'GET' ? !choices.rarely(3) : method !== 'POST'
  const name = isNamed ? `/${objectName(choices)}` : ''
  return { resource, path: `${prefix}${inside}/${served.plural}${name}${name && subresource(choices, resource)}` }
}

function strangePath(choices: RandomChoices): string {
  if (!choices.rarely(3)) return choices.one(others)
  return `/${choices
    .some(hostileNames, 7)
    .map((name) => escapeHostileText(choices, name))
    .join('/')}`
}

function namespace(choices: RandomChoices): string {
  return choices.rarely(12) ? escapeHostileText(choices, hostileText(choices)) : choices.one(fuzzNamespaces)
}

function objectName(choices: RandomChoices): string {
  return choices.rarely(6) ? escapeHostileText(choices, hostileText(choices)) : choices.one(shared)
}

function subresource(choices: RandomChoices, { kind }: ServedKind): string {
  if (!choices.rarely(4)) return ''
  const own = Object.keys(kind.resource.subresources)
  return `/${own.length > 0 && !choices.rarely(4) ? choices.one(own) : escapeHostileText(choices, hostileText(choices))}`
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

export function hostileQuery(choices: RandomChoices): string {
  if (choices.rarely(2)) return ''
  if (choices.rarely(25))
    return `?${choices
      .bytes(30)
      .toString('latin1')
      .replace(/[\r\n ]/g, '')}`
  const pair = () =>
    `${escapeHostileText(choices, choices.one(parameters))}=${escapeHostileText(choices, choices.one(hostileValues))}`
  return `?${Array.from({ length: 1 + choices.below(4) }, pair).join('&')}`
}
