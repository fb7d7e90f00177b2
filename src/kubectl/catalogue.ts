import type { Catalogue } from './command.js'

const beginner = 'Basic Commands (Beginner)'
const intermediate = 'Basic Commands (Intermediate)'
const deploying = 'Deploy Commands'
const cluster = 'Cluster Management Commands'
const debugging = 'Troubleshooting and Debugging Commands'
const settings = 'Settings Commands'
const advanced = 'Advanced Commands'

/** All commands. Each is loaded when it is called, because start-up time is a budget. */
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
  logs: {
    about: 'Print the logs for a container in a pod',
    heading: debugging,
    load: async () => (await import('./logs.js')).logs,
  },
  attach: {
    about: 'Attach to a running container',
    heading: debugging,
    load: async () => (await import('./exec/attach.js')).attach,
  },
  exec: {
    about: 'Execute a command in a container',
    heading: debugging,
    load: async () => (await import('./exec/exec.js')).exec,
  },
  'port-forward': {
    about: 'Forward one or more local ports to a pod',
    heading: debugging,
    load: async () => (await import('./port-forward/port-forward.js')).portForward,
  },
  cp: {
    about: 'Copy files and directories to and from containers',
    heading: debugging,
    load: async () => (await import('./cp/cp.js')).cp,
  },
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
  explain: {
    about: 'Get documentation for a resource',
    heading: intermediate,
    load: async () => (await import('./explain/explain.js')).explain,
  },
  'cluster-info': {
    about: 'Display cluster information',
    heading: cluster,
    aliases: ['clusterinfo'],
    load: async () => (await import('./cluster-info.js')).clusterInfo,
  },
  describe: {
    about: 'Show details of a specific resource or group of resources',
    heading: debugging,
    load: async () => (await import('./describe/describe.js')).describe,
  },
  auth: {
    about: 'Inspect authorization',
    heading: debugging,
    load: async () => (await import('./auth/auth.js')).auth,
  },
  events: {
    about: 'List events',
    heading: debugging,
    load: async () => (await import('./events.js')).events,
  },
  diff: {
    about: 'Diff the live version against a would-be applied version',
    heading: advanced,
    load: async () => (await import('./diff/diff.js')).diff,
  },
  completion: {
    about: 'Output shell completion code for the specified shell (bash, zsh or fish)',
    heading: settings,
    load: async () => (await import('./completion/completion.js')).completion,
  },
  'api-resources': {
    about: 'Print the supported API resources on the server',
    load: async () => (await import('./api-resources.js')).apiResources,
  },
  'api-versions': {
    about: 'Print the supported API versions on the server, in the form of "group/version"',
    load: async () => (await import('./api-versions.js')).apiVersions,
  },
  config: {
    about: 'Modify kubeconfig files',
    load: async () => (await import('./config/config.js')).config,
  },
  version: {
    about: 'Print the client and server version information',
    load: async () => (await import('./version.js')).version,
  },
}

export const kubectlCommandNames: readonly string[] = Object.keys(catalogue)

/** Whether kubectl has a command of that name. */
export function isKubectlCommand(name: string): boolean {
  return Object.entries(catalogue).some(([key, { aliases = [] }]) => key === name || aliases.includes(name))
}
