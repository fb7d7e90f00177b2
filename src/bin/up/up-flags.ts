import { boolean, choice, integer, listFlag, optionalText, text } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { controllerFlags } from '../../controllers/catalogue.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { apiServerFlags } from '../components/apiserver-flags.js'
import { kubeletFlags } from '../components/kubelet-flags.js'

const { 'secure-port': _, ...serverFlags } = apiServerFlags

export const runtimes = ['auto', 'containerd', 'simulated', 'none'] as const

/** The flags of `up` itself, then those of the API server, the controllers and the kubelet. */
export const upFlags = {
  ...clusterFlags,
  port: {
    ...integer('The port of the API server. 0 takes any free port.', {
      placeholder: 'PORT',
      initial: 6443,
      most: 65_535,
    }),
    variable: 'PROA_PORT',
  },
  detach: { ...boolean('Run in the background. The command returns when the cluster is ready.'), short: 'd' },
  runtime: {
    ...choice(
      'The container runtime of this machine. auto takes the best that is available, none adds no node.',
      runtimes,
      { initial: 'auto' },
    ),
    variable: 'PROA_RUNTIME',
  },
  nodes: integer('How many simulated nodes to add.', { placeholder: 'COUNT', most: 5000 }),
  kubeconfig: optionalText('The kubeconfig to write the context to. By default your own. - writes none.', {
    placeholder: 'FILE',
  }),
  ...kubeletFlags,
  ...controllerFlags,
  ...serverFlags,
  'kubelet-preferred-address-types': listFlag('The types of node addresses to connect to, in order of preference.', {
    placeholder: 'TYPE,…',
    initial: ['InternalIP', 'ExternalIP', 'Hostname'],
  }),
  'allow-privileged': boolean('Allow privileged containers.', { initial: true }),
  'allocate-node-cidrs': boolean('Assign an IP range for pods to each node.', { initial: true }),
  'cluster-cidr': text(
    'The IP ranges of pods, at most one for each IP family. By default a range that this machine does not use.',
    { placeholder: 'CIDR,…' },
  ),
  'service-cluster-ip-range': listFlag('The IP ranges of services, at most one for each IP family.', {
    placeholder: 'CIDR,…',
    initial: ['10.96.0.0/16'],
  }),
}

export type UpFlags = FlagValues<typeof upFlags>
