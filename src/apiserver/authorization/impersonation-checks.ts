import { hasReason } from '../../api/errors.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { domainPrefixedPath } from '../../schema/label-names.js'
import { quote } from '../../schema/quote.js'
import type { RequestUser } from '../request/user.js'
import type { AuthorizationAttributes, Authorizer } from './authorizer.js'
import { denial } from './denial.js'
import { runAuthorizers } from './stage.js'
import { nodeNameOfUser, serviceAccountGroups, serviceAccountOf } from './well-known-users.js'

/** An impersonation to check: requester, requested user, and the verb that must be allowed. */
export interface ImpersonationRequest {
  readonly requester: RequestUser
  readonly wanted: RequestUser
  readonly verb: string
  /** Constrained impersonation: users and groups are resources of `authentication.k8s.io`, and privileged ones are denied. */
  readonly isConstrained: boolean
}

/** Throws a denial unless the request is allowed. */
export type CheckAllowed = (attributes: AuthorizationAttributes) => Promise<void>

export function allowedCheck(authorizers: readonly Authorizer[]): CheckAllowed {
  return async (attributes) => {
    const { decision, reason, error } = await runAuthorizers(authorizers, attributes)
    if (decision === 'allow') return
    throw denial(attributes, [error, reason].filter(Boolean).join(': '))
  }
}

const authentication = 'authentication.k8s.io'

/** From this number of values on, a check for all values comes first. */
const manyValues = 4

/** Checks user, groups and extra fields one by one. Returns the impersonated user. */
export async function checkImpersonation(requested: ImpersonationRequest, check: CheckAllowed): Promise<RequestUser> {
  const { wanted } = requested
  const groups = groupsOf(requested)
  await check(nameAttributes(requested))
  if (wanted.uid !== '') await check(attributesFor(requested, authentication, 'uids', wanted.uid))
  await checkGroups(requested, check)
  await checkExtra(requested, check)
  return { ...wanted, groups: withStanding(wanted.name, groups) }
}

/** Adds the groups that follow from the name of a node or service account. */
function groupsOf({ wanted, isConstrained }: ImpersonationRequest): readonly string[] {
  if (isConstrained && nodeNameOfUser(wanted.name) !== undefined) return ['system:nodes']
  const account = serviceAccountOf(wanted.name)
  return account && wanted.groups.length === 0 ? serviceAccountGroups(account.namespace) : wanted.groups
}

function withStanding(name: string, groups: readonly string[]): readonly string[] {
  if (name !== 'system:anonymous' && groups.includes('system:unauthenticated')) return groups
  const standing = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'
  return groups.includes(standing) ? groups : [...groups, standing]
}

function attributesFor(
  { requester, verb }: ImpersonationRequest,
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

function nameAttributes(requested: ImpersonationRequest): AuthorizationAttributes {
  const { wanted, isConstrained } = requested
  const group = isConstrained ? authentication : ''
  const account = serviceAccountOf(wanted.name)
  if (account)
    return { ...attributesFor(requested, group, 'serviceaccounts', account.name), namespace: account.namespace }
  const node = isConstrained ? nodeNameOfUser(wanted.name) : undefined
  if (node !== undefined) return attributesFor(requested, group, 'nodes', node)
  return attributesFor(requested, group, 'users', wanted.name)
}

async function checkGroups(requested: ImpersonationRequest, check: CheckAllowed): Promise<void> {
  const { wanted, isConstrained } = requested
  const { groups } = wanted
  const about = (name: string) => attributesFor(requested, isConstrained ? authentication : '', 'groups', name)
  if (isConstrained && groups.includes(''))
    throw denial(about(''), 'impersonating the empty string group is not allowed')
  if (isConstrained && groups.includes('system:masters'))
    throw denial(about('system:masters'), 'impersonating the system:masters group is not allowed')
  if (isConstrained && groups.length >= manyValues && (await isAllowed(check, about('*')))) return
  for (const group of groups) await check(about(group))
}

async function checkExtra(requested: ImpersonationRequest, check: CheckAllowed): Promise<void> {
  const { wanted, isConstrained } = requested
  const entries = Object.entries(wanted.extra)
  const about = (subresource: string, name: string) => ({
    ...attributesFor(requested, authentication, 'userextras', name),
    subresource,
  })
  if (isConstrained) {
    const error = entries.map(extraFault).find(Boolean)
    if (error) throw denial(about('', ''), error)
    if (isMuch(entries) && (await isAllowed(check, about('*', '*')))) return
  }
  for (const [key, values] of entries) for (const value of values) await check(about(key, value))
}

function isMuch(entries: readonly (readonly [string, readonly string[]])[]): boolean {
  return entries.length >= manyValues || entries.flatMap(([, values]) => values).length >= manyValues
}

function extraFault([key, values]: readonly [string, readonly string[]]): string {
  if (key === '') return 'impersonating the empty string key in extra is not allowed'
  const errors = domainPrefixedPath(fieldPath('extra', 'key'), key)
  if (errors.length > 0)
    return `impersonating an invalid key in extra is not allowed: ${field.aggregateMessages(errors.map(String))}`
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : ''
}

async function isAllowed(check: CheckAllowed, attributes: AuthorizationAttributes): Promise<boolean> {
  try {
    await check(attributes)
    return true
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return false
    throw error
  }
}
