/** The pod network of one node. */
export interface NetworkDescription {
  readonly cniVersion: string
  /** The plugins store allocations under this name. */
  readonly name: string
  /** The bridge of the host that pods are attached to. */
  readonly bridge: string
  /** The pod CIDRs of the node: one per address family. */
  readonly ranges: readonly string[]
  /** Where host-local stores allocated addresses; the plugin's default folder if absent. */
  readonly addressesFolder?: string | undefined
  /** Whether the bridge plugin masquerades traffic that leaves the node. */
  readonly masquerades: boolean
  /** Whether host ports are supported. */
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

/** The plugins that the configuration may use. */
export const pluginsOfNetwork = ['bridge', 'host-local', 'portmap'] as const

/** Builds the CNI configuration: a bridge, addresses from the node's pod CIDRs, and host ports. */
export function networkConfiguration(network: NetworkDescription): NetworkConfiguration {
  const { cniVersion, name, bridge, ranges, addressesFolder, masquerades, mapsPorts } = network
  const bridgePlugin = {
    type: 'bridge',
    bridge,
    isGateway: true,
    // An existing bridge with an address of another range gets the address of this range.
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
