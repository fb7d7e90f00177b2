/** Upstream's: below so many nodes all are looked at. */
const fewest = 100
const leastPercentage = 5

/**
 * How many nodes that would do are enough to choose from. In large clusters a part of them serves as well, and each decision begins where
 * the last one ended, so that every node has its turn.
 */
export function nodesToFind(percentage: number, nodeCount: number): number {
  if (nodeCount < fewest) return nodeCount
  const share = percentage || Math.max(50 - Math.floor(nodeCount / 125), leastPercentage)
  return Math.max(Math.floor((nodeCount * share) / 100), fewest)
}
