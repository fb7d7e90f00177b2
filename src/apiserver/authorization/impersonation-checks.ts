import { hasReason } from '../../api/errors.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { domainPrefixedPath } from '../../schema/label-names.js'
import { quote } from '../../schema/quote.js'
import type { RequestUser } from '../request/user.js'
import type { AuthorizationAttributes, Authorizer } from './authorizer.js'
import { denial } from './denial.js'
import { runAuthorizers } from './stage.js'
import { nodeNameOf, serviceAccountGroups, serviceAccountOf } from './well-known-users.js'

/** Who wants to be whom, and by which verb that must be allowed. */
export interface RequestedUser {
  readonly requester: RequestUser
  readonly wanted: RequestUser
  readonly verb: string
  /** Some requests only: then users and groups are those of the authentication group, and what is risky is refused outright. */
  readonly isConstrained: boolean
}

/** Asks whether something is allowed; throws the refusal. */
export type CheckAllowed = (attributes: AuthorizationAttributes) => Promise<void>

export function allowedCheck(authorizers: readonly Authorizer[]): CheckAllowed {
  return async (attributes) => {
    const { decision, reason, error } = await runAuthorizers(authorizers, attributes)
    if (decision === 'allow') return
    throw denial(attributes, [error, reason].filter(Boolean).join(': '))
  }
}

const authentication = 'authentication.k8s.io'

/** From so many on, it is worth asking first whether they are all allowed. */
const many = 4

/** Everything that somebody wants to be must be allowed by itself. Gives the user that they then are. */
export async function checkImpersonation(disguise: RequestedUser, ask: CheckAllowed): Promise<RequestUser> {
  const { wanted } = disguise
  const groups = groupsOf(disguise)
  await ask(nameAttributes(disguise))
  if (wanted.uid !== '') await ask(attributesFor(disguise, authentication, 'uids', wanted.uid))
  await checkGroups(disguise, ask)
  await checkExtra(disguise, ask)
  return { ...wanted, groups: withStanding(wanted.name, groups) }
}

/** Nodes and service accounts are in groups that follow from their name. */
function groupsOf({ wanted, isConstrained }: RequestedUser): readonly string[] {
  if (isConstrained && nodeNameOf(wanted.name) !== undefined) return ['system:nodes']
  const account = serviceAccountOf(wanted.name)
  return account && wanted.groups.length === 0 ? serviceAccountGroups(account.namespace) : wanted.groups
}

function withStanding(name: string, groups: readonly string[]): readonly string[] {
  if (name !== 'system:anonymous' && groups.includes('system:unauthenticated')) return groups
  const standing = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'
  return groups.includes(standing) ? groups : [...groups, standing]
}

function attributesFor(
  { requester, verb }: RequestedUser,
  group: string,
  resource: string,
  name: string,
): AuthorizationAttributes {
  return {
    user: requester,
    verb,
    isResource: true,
    path: '',
    group,
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
  }
}

function nameAttributes(disguise: RequestedUser): AuthorizationAttributes {
  const { wanted, isConstrained } = disguise
  const group = isConstrained ? authentication : ''
  const account = serviceAccountOf(wanted.name)
  if (account)
    return { ...attributesFor(disguise, group, 'serviceaccounts', account.name), namespace: account.namespace }
  const node = isConstrained ? nodeNameOf(wanted.name) : undefined
  if (node !== undefined) return attributesFor(disguise, group, 'nodes', node)
  return attributesFor(disguise, group, 'users', wanted.name)
}

async function checkGroups(disguise: RequestedUser, ask: CheckAllowed): Promise<void> {
  const { wanted, isConstrained } = disguise
  const { groups } = wanted
  const about = (name: string) => attributesFor(disguise, isConstrained ? authentication : '', 'groups', name)
  if (isConstrained && groups.includes(''))
    throw denial(about(''), 'impersonating the empty string group is not allowed')
  if (isConstrained && groups.includes('system:masters'))
    throw denial(about('system:masters'), 'impersonating the system:masters group is not allowed')
  if (isConstrained && groups.length >= many && (await isAllowed(ask, about('*')))) return
  for (const group of groups) await ask(about(group))
}

async function checkExtra(disguise: RequestedUser, ask: CheckAllowed): Promise<void> {
  const { wanted, isConstrained } = disguise
  const entries = Object.entries(wanted.extra)
  const about = (subresource: string, name: string) => ({
    ...attributesFor(disguise, authentication, 'userextras', name),
    subresource,
  })
  if (isConstrained) {
    const error = entries.map(extraFault).find(Boolean)
    if (error) throw denial(about('', ''), error)
    if (isMuch(entries) && (await isAllowed(ask, about('*', '*')))) return
  }
  for (const [key, values] of entries) for (const value of values) await ask(about(key, value))
}

function isMuch(entries: readonly (readonly [string, readonly string[]])[]): boolean {
  return entries.length >= many || entries.flatMap(([, values]) => values).length >= many
}

function extraFault([key, values]: readonly [string, readonly string[]]): string {
  if (key === '') return 'impersonating the empty string key in extra is not allowed'
  const errors = domainPrefixedPath(fieldPath('extra', 'key'), key)
  if (errors.length > 0)
    return `impersonating an invalid key in extra is not allowed: ${field.aggregated(errors.map(String))}`
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : ''
}

async function isAllowed(ask: CheckAllowed, attributes: AuthorizationAttributes): Promise<boolean> {
  try {
    await ask(attributes)
    return true
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return false
    throw error
  }
}
