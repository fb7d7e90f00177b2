import type { Node } from '../node.js'

/** Whether the `Ready` condition of the node is true. */
export function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') ?? false
}
