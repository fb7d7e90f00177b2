import { apiServerFlags } from '../apiserver-flags.js'
import { choice, integer, list, optionalText, text, truth } from '../flag-types.js'
import type { FlagValues } from '../flags.js'
import { kubeletFlags } from '../kubelet-flags.js'
import { loopFlags } from '../loop-flags.js'

const { 'secure-port': _, ...serverFlags } = apiServerFlags

export const runtimes = ['auto', 'containerd', 'simulated', 'none'] as const

/** Its own, then all that an API server, the control loops and a kubelet can be told. */
export const upFlags = {
  port: {
    ...integer('The port of the API server; 0 for any that is free.', 'PORT', { standard: 6443, most: 65_535 }),
    variable: 'PROA_PORT',
  },
  detach: { ...truth('Goes on in the background, as soon as everything runs.', false), short: 'd' },
  runtime: {
    ...choice('What runs containers on this machine; auto takes the best that there is.', runtimes, 'auto'),
    variable: 'PROA_RUNTIME',
  },
  nodes: integer('How many simulated nodes there are besides.', 'COUNT', { standard: 0, most: 5000 }),
  kubeconfig: optionalText('The file that the context is written to; your own, unless told. - for none.', 'FILE'),
  ...kubeletFlags,
  ...loopFlags,
  ...serverFlags,
  'kubelet-preferred-address-types': list('By which of their addresses nodes are reached, the best first.', 'TYPE,…', [
    'InternalIP',
    'ExternalIP',
    'Hostname',
  ]),
  'allow-privileged': truth('Privileged containers are allowed.', true),
  'allocate-node-cidrs': truth('Each node gets a range of addresses for its pods.', true),
  'cluster-cidr': text('The addresses of pods; at most one range of each family.', 'CIDR,…', ''),
  'service-cluster-ip-range': list('The addresses of services; at most one range of each family.', 'CIDR,…', [
    '10.96.0.0/16',
  ]),
}

export type UpFlags = FlagValues<typeof upFlags>
