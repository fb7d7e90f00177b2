import type { Node } from '../../api/core/v1/node.js'

export const ttlAnnotation = 'node.alpha.kubernetes.io/ttl'

/** For which numbers of nodes a TTL in seconds is used. The ranges overlap, so that one node more or less changes nothing. */
const boundaries = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: Number.POSITIVE_INFINITY, seconds: 300 },
] as const

export interface TtlObservation {
  readonly nodes: number
  /** The boundary that was used last; 0 at first. */
  readonly boundary: number
  /** The node to annotate; undefined if it was deleted. */
  readonly node: Pick<Node, 'metadata'> | undefined
}

export interface TtlDecision {
  /** To be remembered for the next node. */
  readonly boundary: number
  /** The value to write; undefined if the node has it, or is gone. */
  readonly annotation: string | undefined
}

/** The more nodes there are, the longer a kubelet may use what it has read. */
export function decide({ nodes, boundary: last, node }: TtlObservation): TtlDecision {
  let boundary = last
  while (nodes > boundaries[boundary]!.to) boundary++
  while (nodes < boundaries[boundary]!.from) boundary--
  const seconds = String(boundaries[boundary]!.seconds)
  const isRight = !node || node.metadata.annotations?.[ttlAnnotation] === seconds
  return { boundary, annotation: isRight ? undefined : seconds }
}
