import { declarePlugin } from '../framework/declaration.js'

/** Pods of higher priority are scheduled first, and among equals the one that has waited longer. */
export const prioritySort = declarePlugin({
  name: 'PrioritySort',
  extensionPoints: ['queueSort'],
  defaultProfile: { position: 20 },
  create: () => ({
    queueSort: (one, other) => other.info.priority - one.info.priority || one.since - other.since,
    queueingHints: [],
  }),
})
