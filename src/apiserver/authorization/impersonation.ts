import { type ApiError, hasReason } from '../../api/errors.js'
import type { PipelineStage, RequestContext } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { authorizationAttributes } from './attributes.js'
import type { AuthorizationAttributes, Authorizer } from './authorizer.js'
import { allowedCheck, type CheckAllowed, checkImpersonation } from './impersonation-checks.js'
import { requestedUser } from './impersonation-headers.js'
import { nodeNameOfUser, serviceAccountOf } from './well-known-users.js'

/** Replaces the user of a request by the impersonated one, if the requester may impersonate it. */
export function impersonationStage(authorizers: readonly Authorizer[]): PipelineStage {
  const modes = new ImpersonationModes(allowedCheck(authorizers))
  return {
    name: 'impersonation',
    run(context) {
      const wanted = requestedUser(context.request)
      return wanted && become(context, wanted, modes)
    },
  }
}

async function become(context: RequestContext, wanted: RequestUser, modes: ImpersonationModes): Promise<void> {
  const by = context.user
  const { user, constraint } = await modes.check(wanted, authorizationAttributes(context))
  context.user = user
  context.impersonation = { by, constraint }
  context.decision = user.name
  context.reason = `${by.name} may impersonate them`
}

interface Impersonated {
  readonly user: RequestUser
  readonly constraint: string
}

/** One way to allow an impersonation. Returns undefined if it does not apply to this user; throws if it is denied. */
type ImpersonationMode = (
  wanted: RequestUser,
  attributes: AuthorizationAttributes,
  ask: CheckAllowed,
) => Promise<Impersonated | undefined>

/** The most restrictive modes first. */
const modes: readonly ImpersonationMode[] = [
  associatedNode,
  constrained('arbitrary-node', (wanted) => isOnlyName(wanted) && nodeNameOfUser(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => isOnlyName(wanted) && serviceAccountOf(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeNameOfUser(name) === undefined && serviceAccountOf(name) === undefined),
  unconstrained,
]

/** Upper bound of users with a cached mode. */
const maxCachedModes = 10_000

/**
 * Tries the modes until one allows the impersonation. Tries the last successful mode of a user first, which saves the others; its denial is the one
 * that the client gets.
 */
class ImpersonationModes {
  readonly #ask: CheckAllowed
  readonly #latest = new Map<string, ImpersonationMode>()

  constructor(ask: CheckAllowed) {
    this.#ask = ask
  }

  async check(wanted: RequestUser, attributes: AuthorizationAttributes): Promise<Impersonated> {
    const { name } = attributes.user
    const latest = this.#latest.get(name)
    const order = latest ? [latest, ...modes.filter((mode) => mode !== latest)] : modes
    const refusals: ApiError[] = []
    for (const mode of order) {
      const impersonated = await this.#try(mode, wanted, attributes, refusals)
      if (!impersonated) continue
      this.#remember(name, mode)
      return impersonated
    }
    throw refusals[0]! // the last mode applies to every user
  }

  async #try(
    mode: ImpersonationMode,
    wanted: RequestUser,
    attributes: AuthorizationAttributes,
    refusals: ApiError[],
  ): Promise<Impersonated | undefined> {
    try {
      return await mode(wanted, attributes, this.#ask)
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) throw error
      refusals.push(error)
      return undefined
    }
  }

  #remember(name: string, mode: ImpersonationMode): void {
    this.#latest.delete(name)
    this.#latest.set(name, mode)
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > maxCachedModes) this.#latest.delete(oldest!)
  }
}

function isOnlyName({ uid, groups, extra }: RequestUser): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0
}

/** Allows impersonation for some verbs only: `impersonate-on:user-info:list`. */
function constrained(mode: string, applies: (wanted: RequestUser) => boolean): ImpersonationMode {
  const verb = `impersonate:${mode}`
  return async (wanted, attributes, ask) => {
    if (!applies(wanted)) return undefined
    const requester = attributes.user
    await ask({ ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` })
    return { user: await checkImpersonation({ requester, wanted, verb, isConstrained: true }, ask), constraint: verb }
  }
}

const nodeNameKey = 'authentication.kubernetes.io/node-name'
const nodeKeysKey = 'authentication.kubernetes.io/associated-node-keys'

/**
 * Lets a service account whose token is bound to a node impersonate that node. The permission is the same for all nodes, so that one role
 * suffices for an agent that runs on all of them.
 */
async function associatedNode(
  wanted: RequestUser,
  attributes: AuthorizationAttributes,
  ask: CheckAllowed,
): Promise<Impersonated | undefined> {
  const node = nodeNameOfUser(wanted.name)
  const { name, extra } = attributes.user
  const own = extra[nodeNameKey] ?? []
  if (!isOnlyName(wanted) || node === undefined || !serviceAccountOf(name) || own.length !== 1 || own[0] !== node)
    return undefined
  const verb = 'impersonate:associated-node'
  const requester: RequestUser = { ...attributes.user, extra: { [nodeKeysKey]: Object.keys(extra).sort() } }
  await ask({ ...attributes, user: requester, verb: `impersonate-on:associated-node:${attributes.verb}` })
  const askOfAny: CheckAllowed = (asked) => ask(asked.verb === verb ? { ...asked, name: '*' } : asked)
  return {
    user: await checkImpersonation({ requester, wanted, verb, isConstrained: true }, askOfAny),
    constraint: verb,
  }
}

/** The original mode: the requester gets all permissions of the impersonated user. */
async function unconstrained(
  wanted: RequestUser,
  { user: requester }: AuthorizationAttributes,
  ask: CheckAllowed,
): Promise<Impersonated> {
  const user = await checkImpersonation({ requester, wanted, verb: 'impersonate', isConstrained: false }, ask)
  return { user, constraint: '' }
}
