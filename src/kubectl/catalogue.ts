import { lookingCommands } from './catalogue-looking.js'
import { nodeCommands } from './catalogue-nodes.js'
import { streamCommands } from './catalogue-streams.js'
import type { Catalogue } from './command.js'

const beginner = 'Basic Commands (Beginner)'
const intermediate = 'Basic Commands (Intermediate)'
const deploying = 'Deploy Commands'
const debugging = 'Troubleshooting and Debugging Commands'
const settings = 'Settings Commands'
const advanced = 'Advanced Commands'

/** Every command, loaded when it is called: starting one must not cost what all the others need. */
export const catalogue: Catalogue = {
  create: {
    about: 'Create a resource from a file or from stdin',
    heading: beginner,
    load: async () => (await import('./create/create.js')).create,
  },
  expose: {
    about: 'Take a replication controller, service, deployment or pod and expose it as a new Kubernetes service',
    heading: beginner,
    load: async () => (await import('./expose.js')).expose,
  },
  run: {
    about: 'Run a particular image on the cluster',
    heading: beginner,
    load: async () => (await import('./run/run.js')).run,
  },
  set: {
    about: 'Set specific features on objects',
    heading: beginner,
    load: async () => (await import('./set/set.js')).setCommand,
  },
  get: {
    about: 'Display one or many resources',
    heading: intermediate,
    load: async () => (await import('./get/get.js')).get,
  },
  edit: {
    about: 'Edit a resource on the server',
    heading: intermediate,
    load: async () => (await import('./edit/edit.js')).edit,
  },
  delete: {
    about: 'Delete resources by file names, stdin, resources and names, or by resources and label selector',
    heading: intermediate,
    load: async () => (await import('./delete.js')).deleteCommand,
  },
  rollout: {
    about: 'Manage the rollout of a resource',
    heading: deploying,
    load: async () => (await import('./rollout/rollout.js')).rollout,
  },
  scale: {
    about: 'Set a new size for a deployment, replica set, or replication controller',
    heading: deploying,
    load: async () => (await import('./scale.js')).scale,
  },
  autoscale: {
    about: 'Auto-scale a deployment, replica set, stateful set, or replication controller',
    heading: deploying,
    load: async () => (await import('./autoscale.js')).autoscale,
  },
  ...nodeCommands,
  logs: {
    about: 'Print the logs for a container in a pod',
    heading: debugging,
    load: async () => (await import('./logs.js')).logs,
  },
  ...streamCommands,
  apply: {
    about: 'Apply a configuration to a resource by file name or stdin',
    heading: advanced,
    load: async () => (await import('./apply/apply.js')).apply,
  },
  patch: {
    about: 'Update fields of a resource',
    heading: advanced,
    load: async () => (await import('./patch.js')).patch,
  },
  replace: {
    about: 'Replace a resource by file name or stdin',
    heading: advanced,
    load: async () => (await import('./replace.js')).replace,
  },
  wait: {
    about: 'Wait for a specific condition on one or many resources',
    heading: advanced,
    load: async () => (await import('./wait/wait.js')).wait,
  },
  label: {
    about: 'Update the labels on a resource',
    heading: settings,
    load: async () => (await import('./label/label.js')).label,
  },
  annotate: {
    about: 'Update the annotations on a resource',
    heading: settings,
    load: async () => (await import('./label/annotate.js')).annotate,
  },
  ...lookingCommands,
}
