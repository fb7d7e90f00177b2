import { choice, integer, list, optionalText, text, truth } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { controllerFlags } from '../../controllers/catalogue.js'
import { apiServerFlags } from '../apiserver-flags.js'
import { clusterFlags } from '../cluster/flags.js'
import { kubeletFlags } from '../kubelet-flags.js'

const { 'secure-port': _, ...serverFlags } = apiServerFlags

export const runtimes = ['auto', 'containerd', 'simulated', 'none'] as const

/** Its own, then all that an API server, the control loops and a kubelet can be told. */
export const upFlags = {
  ...clusterFlags,
  port: {
    ...integer('The port of the API server. 0 takes any free port.', 'PORT', { standard: 6443, most: 65_535 }),
    variable: 'PROA_PORT',
  },
  detach: { ...truth('Run in the background. The command returns when the cluster is ready.', false), short: 'd' },
  runtime: {
    ...choice(
      'The container runtime of this machine. auto takes the best that is available, none adds no node.',
      runtimes,
      'auto',
    ),
    variable: 'PROA_RUNTIME',
  },
  nodes: integer('How many simulated nodes to add.', 'COUNT', { standard: 0, most: 5000 }),
  kubeconfig: optionalText('The kubeconfig to write the context to. By default your own. - writes none.', 'FILE'),
  ...kubeletFlags,
  ...controllerFlags,
  ...serverFlags,
  'kubelet-preferred-address-types': list(
    'The types of node addresses to connect to, in order of preference.',
    'TYPE,…',
    ['InternalIP', 'ExternalIP', 'Hostname'],
  ),
  'allow-privileged': truth('Allow privileged containers.', true),
  'allocate-node-cidrs': truth('Assign an IP range for pods to each node.', true),
  'cluster-cidr': text(
    'The IP ranges of pods, at most one for each IP family. By default a range that this machine does not use.',
    'CIDR,…',
    '',
  ),
  'service-cluster-ip-range': list('The IP ranges of services, at most one for each IP family.', 'CIDR,…', [
    '10.96.0.0/16',
  ]),
}

export type UpFlags = FlagValues<typeof upFlags>
