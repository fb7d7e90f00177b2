/** A network that pods of one node meet on. */
export interface NetworkDescription {
  readonly cniVersion: string
  /** By which the plugins remember what they gave to whom. */
  readonly name: string
  /** The network interface of the host that pods are plugged into. */
  readonly bridge: string
  /** The node's part of the addresses of pods: one range for each family. */
  readonly ranges: readonly string[]
  /** Where addresses that are taken are written down; the plugin's own place unless told. */
  readonly addressesFolder?: string | undefined
  /** Whether the plugin is to see to it that traffic of pods leaves with the node's address. */
  readonly masquerades: boolean
  /** Whether ports of the host can lead to pods. */
  readonly mapsPorts: boolean
}

export interface PluginConfiguration {
  readonly type: string
  readonly capabilities?: Readonly<Record<string, boolean>>
}

export interface NetworkConfiguration {
  readonly cniVersion: string
  readonly name: string
  readonly plugins: readonly PluginConfiguration[]
}

/** Plugins that the configuration may name. */
export const pluginsOfNetwork = ['bridge', 'host-local', 'portmap'] as const

/** The network of the seeds: a bridge, addresses of the node's range, and ports of the host that lead to pods. */
export function networkConfiguration(network: NetworkDescription): NetworkConfiguration {
  const { cniVersion, name, bridge, ranges, addressesFolder, masquerades, mapsPorts } = network
  const bridgePlugin = {
    type: 'bridge',
    bridge,
    isGateway: true,
    // A bridge of an earlier life, or of another range, gets the address of this one.
    forceAddress: true,
    ipMasq: masquerades,
    hairpinMode: true,
    ipam: {
      type: 'host-local',
      ...(addressesFolder !== undefined && { dataDir: addressesFolder }),
      ranges: ranges.map((subnet) => [{ subnet }]),
      routes: ranges.map((subnet) => ({ dst: isV6(subnet) ? '::/0' : '0.0.0.0/0' })),
    },
  }
  const portPlugin = { type: 'portmap', capabilities: { portMappings: true } }
  return { cniVersion, name, plugins: mapsPorts ? [bridgePlugin, portPlugin] : [bridgePlugin] }
}

export function isV6(address: string): boolean {
  return address.includes(':')
}
