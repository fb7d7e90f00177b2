import { readFileSync } from 'node:fs'

/** One line of a policy file: a subject and what it may do. `*` matches everything. */
export interface AbacPolicy {
  readonly user: string
  readonly group: string
  readonly readonly: boolean
  readonly apiGroup: string
  readonly namespace: string
  readonly resource: string
  readonly nonResourcePath: string
}

const everybodyKnown = 'system:authenticated'

/**
 * Reads a policy file with one JSON object per line. Skips empty lines and lines that begin with #. Throws if a line is invalid.
 */
export function loadAbacPolicies(path: string): readonly AbacPolicy[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const text = line.trim()
    return text === '' || text.startsWith('#') ? [] : [readPolicy(text, `${path}, line ${index + 1}`)]
  })
}

function readPolicy(text: string, where: string): AbacPolicy {
  const given = parsed(text, where)
  if (given.kind === undefined && given.apiVersion === undefined) return oldPolicy(given, where)
  if (given.kind !== 'Policy' || given.apiVersion !== 'abac.authorization.kubernetes.io/v1beta1')
    throw new Error(`${where} is not a policy of abac.authorization.kubernetes.io/v1beta1`)
  const policy = fieldsOf((given.spec ?? {}) as Given, where)
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: everybodyKnown } : policy
}

type Given = Readonly<Record<string, unknown>>

function parsed(text: string, where: string): Given {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${where} is not JSON`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${where} is not a JSON object`)
  return value as Given
}

function fieldsOf(given: Given, where: string): AbacPolicy {
  const text = (name: string): string => {
    const value = given[name] ?? ''
    if (typeof value !== 'string') throw new Error(`${where}: ${name} must be a string`)
    return value
  }
  const { readonly = false } = given
  if (typeof readonly !== 'boolean') throw new Error(`${where}: readonly must be true or false`)
  return {
    user: text('user'),
    group: text('group'),
    readonly,
    apiGroup: text('apiGroup'),
    namespace: text('namespace'),
    resource: text('resource'),
    nonResourcePath: text('nonResourcePath'),
  }
}

/** Reads a policy in the oldest form, without a version: a field that is left out matches everything. */
function oldPolicy(given: Given, where: string): AbacPolicy {
  const policy = fieldsOf(given, where)
  const { user, group, namespace, resource } = policy
  const isForAll = (user === '' && group === '') || user === '*' || group === '*'
  return {
    ...policy,
    ...(isForAll && { user: '', group: everybodyKnown }),
    apiGroup: '*',
    namespace: namespace || '*',
    resource: resource || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  }
}
