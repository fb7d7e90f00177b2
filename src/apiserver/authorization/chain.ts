import { alwaysAllow, alwaysDeny } from './always.js'
import type { Authorizer } from './authorizer.js'
import { privilegedGroupAuthorizer } from './privileged-group.js'
import { publicPathsAuthorizer } from './public-paths.js'

/** By the names that `--authorization-mode` takes. */
const modes: Readonly<Record<string, readonly Authorizer[]>> = {
  AlwaysAllow: [alwaysAllow],
  AlwaysDeny: [alwaysDeny],
  Node: [],
  RBAC: [publicPathsAuthorizer],
}

/** Known to upstream, and not yet to this server. */
const missingModes: readonly string[] = ['ABAC', 'Webhook']

/** The authorizers of these modes, in their order, after the one that nobody can turn off. Throws, in a sentence, where that cannot be. */
export function authorizerChain(names: readonly string[]): readonly Authorizer[] {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`the authorization mode ${repeated} is named more than once`)
  return [privilegedGroupAuthorizer, ...names.flatMap(authorizersOf)]
}

function authorizersOf(name: string): readonly Authorizer[] {
  if (missingModes.includes(name)) throw new Error(`the authorization mode ${name} is not supported yet; use Node,RBAC`)
  const authorizers = Object.hasOwn(modes, name) ? modes[name] : undefined
  if (!authorizers)
    throw new Error(`there is no authorization mode ${name}; those that exist are ${Object.keys(modes).join(', ')}`)
  return authorizers
}
