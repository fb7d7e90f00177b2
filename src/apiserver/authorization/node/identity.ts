import type { RequestUser } from '../../request/user.js'

const prefix = 'system:node:'
const group = 'system:nodes'

/** The name of the node that makes a request; empty for a node without a name, undefined for everybody else. */
export function nodeOfUser({ name, groups }: RequestUser): string | undefined {
  return name.startsWith(prefix) && groups.includes(group) ? name.slice(prefix.length) : undefined
}
