import type { Catalogue } from '../command.js'

/** The subcommands of `create`. */
export const generators: Catalogue = {
  clusterrole: {
    about: 'Create a cluster role',
    load: async () => (await import('./role.js')).createClusterRole,
  },
  clusterrolebinding: {
    about: 'Create a cluster role binding for a particular cluster role',
    load: async () => (await import('./binding.js')).createClusterRoleBinding,
  },
  configmap: {
    about: 'Create a config map from a local file, directory or literal value',
    aliases: ['cm'],
    load: async () => (await import('./config-map.js')).createConfigMap,
  },
  cronjob: {
    about: 'Create a cron job with the specified name',
    aliases: ['cj'],
    load: async () => (await import('./job.js')).createCronJob,
  },
  deployment: {
    about: 'Create a deployment with the specified name',
    aliases: ['deploy'],
    load: async () => (await import('./deployment.js')).createDeployment,
  },
  ingress: {
    about: 'Create an ingress with the specified name',
    aliases: ['ing'],
    load: async () => (await import('./ingress.js')).createIngress,
  },
  job: {
    about: 'Create a job with the specified name',
    load: async () => (await import('./job.js')).createJob,
  },
  namespace: {
    about: 'Create a namespace with the specified name',
    aliases: ['ns'],
    load: async () => (await import('./namespace.js')).createNamespace,
  },
  poddisruptionbudget: {
    about: 'Create a pod disruption budget with the specified name',
    aliases: ['pdb'],
    load: async () => (await import('./pod-disruption-budget.js')).createPodDisruptionBudget,
  },
  priorityclass: {
    about: 'Create a priority class with the specified name',
    aliases: ['pc'],
    load: async () => (await import('./priority-class.js')).createPriorityClass,
  },
  quota: {
    about: 'Create a quota with the specified name',
    aliases: ['resourcequota'],
    load: async () => (await import('./quota.js')).createQuota,
  },
  role: {
    about: 'Create a role with single rule',
    load: async () => (await import('./role.js')).createRole,
  },
  rolebinding: {
    about: 'Create a role binding for a particular role or cluster role',
    load: async () => (await import('./binding.js')).createRoleBinding,
  },
  secret: {
    about: 'Create a secret using a specified subcommand',
    load: async () => (await import('./secret.js')).createSecret,
  },
  service: {
    about: 'Create a service using a specified subcommand',
    aliases: ['svc'],
    load: async () => (await import('./service.js')).createService,
  },
  serviceaccount: {
    about: 'Create a service account with the specified name',
    aliases: ['sa'],
    load: async () => (await import('./service-account.js')).createServiceAccount,
  },
  token: {
    about: 'Request a service account token',
    load: async () => (await import('./token.js')).createToken,
  },
}
