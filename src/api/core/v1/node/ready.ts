import type { Node } from '../node.js'

/** Whether the node says of itself that pods can run there. */
export function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') ?? false
}
