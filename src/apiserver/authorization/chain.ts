import type { ResourceMap } from '../registry/resource-map.js'
import { alwaysAllow, alwaysDeny } from './always.js'
import type { Authorizer } from './authorizer.js'
import { NodeAuthorizer } from './node/node-authorizer.js'
import { privilegedGroupAuthorizer } from './privileged-group.js'
import type { RbacAuthorizer } from './rbac/rbac-authorizer.js'

/** What authorizers are made from. */
interface ChainParts {
  readonly resources: ResourceMap
  readonly rbac: RbacAuthorizer
}

/** By the names that `--authorization-mode` takes. */
const modes: Readonly<Record<string, (parts: ChainParts) => Authorizer>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  Node: ({ resources }) => new NodeAuthorizer(resources),
  RBAC: ({ rbac }) => rbac,
}

export type AuthorizerChain = (resources: ResourceMap, rbac: RbacAuthorizer) => readonly Authorizer[]

/** Known to upstream, and not yet to this server. */
const missingModes: readonly string[] = ['ABAC', 'Webhook']

/** The authorizers of these modes, in their order, after the one that nobody can turn off. Throws, in a sentence, where that cannot be. */
export function authorizerChain(names: readonly string[]): AuthorizerChain {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`the authorization mode ${repeated} is named more than once`)
  const makers = names.map(makerOf)
  return (resources, rbac) => [privilegedGroupAuthorizer, ...makers.map((make) => make({ resources, rbac }))]
}

function makerOf(name: string): (parts: ChainParts) => Authorizer {
  if (missingModes.includes(name)) throw new Error(`the authorization mode ${name} is not supported yet; use Node,RBAC`)
  const maker = Object.hasOwn(modes, name) ? modes[name] : undefined
  if (!maker)
    throw new Error(`there is no authorization mode ${name}; those that exist are ${Object.keys(modes).join(', ')}`)
  return maker
}
