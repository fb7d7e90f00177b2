import { NoMatchError } from '../../client/discovery/resource-mapper.js'
import { quote } from '../../schema/quote.js'
import { PlainMessageError } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import { unique } from './generator.js'

/** A resource in a rule, by the server's name. */
export interface NamedResource {
  readonly group: string
  /** `pods`, `pods/log`, `*` */
  readonly name: string
}

/** As the user typed it. */
interface TypedResource {
  readonly group: string
  readonly plural: string
  readonly subresource: string
}

const usualVerbs: readonly string[] =
  '* get delete list create update patch watch proxy deletecollection use bind approve sign escalate impersonate'.split(
    ' ',
  )
const pathVerbs: readonly string[] = '* get put post head options delete patch'.split(' ')

/** Verbs that are valid for some resources only. */
const specialVerbs: Readonly<Record<string, readonly string[]>> = {
  use: ['podsecuritypolicies.policy', 'podsecuritypolicies.extensions'],
  bind: ['roles.rbac.authorization.k8s.io', 'clusterroles.rbac.authorization.k8s.io'],
  escalate: ['roles.rbac.authorization.k8s.io', 'clusterroles.rbac.authorization.k8s.io'],
  impersonate: ['users.', 'serviceaccounts.', 'groups.', 'userextras.authentication.k8s.io'],
}

/** `*` replaces all other verbs. */
export function ruleVerbs(given: readonly string[]): readonly string[] {
  return given.includes('*') ? ['*'] : unique(given)
}

export async function warnOfVerbs(verbs: readonly string[], err: (text: string) => Promise<void>): Promise<void> {
  for (const verb of verbs)
    if (!usualVerbs.includes(verb)) await err(`Warning: '${verb}' is not a standard resource verb\n`)
}

/** Parses `deployments.apps/scale`. `*` alone replaces all resources before it. */
export function readResources(given: readonly string[]): readonly TypedResource[] {
  if (given.includes('*')) return [{ group: '', plural: '*', subresource: '' }]
  return given.map((each) => {
    const [, plural = '', group = '', subresource = ''] = /^([^./]*)(?:\.([^/]*))?(?:\/(.*))?$/.exec(each) ?? []
    return { plural, group, subresource }
  })
}

/** Resolves resources to the server's names. Throws for an unknown resource, unless the verb allows it. */
export async function checkResources(
  factory: Factory,
  resources: readonly TypedResource[],
  verbs: readonly string[],
): Promise<readonly NamedResource[]> {
  const found: NamedResource[] = []
  for (const resource of resources) {
    if (resource.plural === '') throw new Error('resource must be specified if apiGroup/subresource specified')
    const { group, plural } = await checkedResource(factory, resource, verbs)
    found.push({ group, name: resource.subresource === '' ? plural : `${plural}/${resource.subresource}` })
  }
  return found
}

interface PlainResource {
  readonly group: string
  readonly plural: string
}

async function checkedResource(
  factory: Factory,
  typed: TypedResource,
  verbs: readonly string[],
): Promise<PlainResource> {
  if (typed.plural === '*') return typed
  const served = await servedAs(factory, typed)
  const { plural, group } = served instanceof NoMatchError ? typed : served
  const special = verbs.filter((verb) => Object.hasOwn(specialVerbs, verb))
  for (const verb of special)
    if (!specialVerbs[verb]!.includes(`${plural}.${group}`))
      throw new Error(`can not perform '${verb}' on '${plural}' in group '${group}'`)
  if (served instanceof NoMatchError && special.length === 0) throw unknownResource(typed)
  return { plural, group }
}

function unknownResource({ plural, group }: PlainResource): PlainMessageError {
  const where = group === '' ? '' : ` in group ${quote(group)}`
  return new PlainMessageError(`the server doesn't have a resource type ${quote(plural)}${where}`)
}

/** Returns the error for a resource that the server does not serve: some verbs apply to such resources, for example impersonate to users. */
async function servedAs(factory: Factory, { plural, group }: PlainResource): Promise<PlainResource | NoMatchError> {
  try {
    return await (await factory.mapper()).resource(group === '' ? plural : `${plural}.${group}`)
  } catch (error) {
    if (error instanceof NoMatchError) return error
    throw error
  }
}

/** Rejects invalid paths, and verbs that do not apply to paths. */
export function checkPaths(paths: readonly string[], verbs: readonly string[]): void {
  if (paths.length === 0) return
  const invalidVerb = verbs.find((verb) => !pathVerbs.includes(verb))
  if (invalidVerb !== undefined) throw new Error(`invalid verb: '${invalidVerb}' for nonResourceURL`)
  for (const path of paths.filter((each) => each !== '*')) {
    if (!path.startsWith('/')) throw new Error('nonResourceURL should start with /')
    if (path.slice(0, -1).includes('*'))
      throw new Error("nonResourceURL only supports wildcard matches when '*' is at the end")
  }
}
