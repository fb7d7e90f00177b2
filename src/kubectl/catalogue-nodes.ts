import type { Catalogue } from './command.js'

const cluster = 'Cluster Management Commands'

/** Commands about nodes, and who may run where. */
export const nodeCommands: Catalogue = {
  cordon: {
    about: 'Mark node as unschedulable',
    heading: cluster,
    load: async () => (await import('./drain/cordon.js')).cordon,
  },
  uncordon: {
    about: 'Mark node as schedulable',
    heading: cluster,
    load: async () => (await import('./drain/cordon.js')).uncordon,
  },
  drain: {
    about: 'Drain node in preparation for maintenance',
    heading: cluster,
    load: async () => (await import('./drain/drain.js')).drain,
  },
  taint: {
    about: 'Update the taints on one or more nodes',
    heading: cluster,
    load: async () => (await import('./taint.js')).taint,
  },
}
