import { type Cidr, parseCidr } from '../../schema/values/ip-address.js'

export interface NodeRangeOptions {
  /** `--cluster-cidr`: one range, or one of each family, separated by a comma. */
  readonly clusterCidr: string
  /** `--service-cluster-ip-range`: addresses that no node may have. */
  readonly serviceClusterIpRange?: string | undefined
  /** `--node-cidr-mask-size` */
  readonly nodeCidrMaskSize?: number | undefined
  /** `--node-cidr-mask-size-ipv4` */
  readonly nodeCidrMaskSizeIpv4?: number | undefined
  /** `--node-cidr-mask-size-ipv6` */
  readonly nodeCidrMaskSizeIpv6?: number | undefined
}

export interface NodeRange {
  readonly range: Cidr
  /** The prefix length of the part of each node. */
  readonly partLength: number
}

const defaultSizes = { ipv4: 24, ipv6: 64 } as const

/** The ranges of which each node gets a part. Throws if the options contradict each other. */
export function nodeRanges(options: NodeRangeOptions): readonly NodeRange[] {
  const ranges = parsedRanges(options.clusterCidr)
  if (ranges.length > 2) throw new Error(`length of clusterCIDRs is:${ranges.length} more than max allowed of 2`)
  const [first, second] = ranges
  if (second && isIpv6(first!) === isIpv6(second))
    throw new Error(
      `len of ClusterCIDRs==${ranges.length} and they are not configured as dual stack (at least one from each IPFamily)`,
    )
  const sizes = second ? bothSizes(options) : singleSizes(options, isIpv6(first!))
  return ranges.map((range) => ({ range, partLength: isIpv6(range) ? sizes.ipv6 : sizes.ipv4 }))
}

/** Throws if the text is not a list of CIDR ranges. */
export function parsedRanges(text: string): readonly Cidr[] {
  return text.split(',').map((part) => {
    const range = parseCidr(part.trim())
    if (!range) throw new Error(`invalid CIDR address: ${part.trim()}`)
    return range
  })
}

function isIpv6({ address }: Cidr): boolean {
  return address.bytes.length === 16
}

interface MaskSizes {
  readonly ipv4: number
  readonly ipv6: number
}

function bothSizes(options: NodeRangeOptions): MaskSizes {
  const {
    nodeCidrMaskSize,
    nodeCidrMaskSizeIpv4 = defaultSizes.ipv4,
    nodeCidrMaskSizeIpv6 = defaultSizes.ipv6,
  } = options
  if (nodeCidrMaskSize !== undefined)
    throw new Error('usage of --node-cidr-mask-size is not allowed with dual-stack clusters')
  return { ipv4: nodeCidrMaskSizeIpv4, ipv6: nodeCidrMaskSizeIpv6 }
}

function singleSizes(options: NodeRangeOptions, ipv6: boolean): MaskSizes {
  const { nodeCidrMaskSize, nodeCidrMaskSizeIpv4, nodeCidrMaskSizeIpv6 } = options
  if (nodeCidrMaskSize !== undefined) {
    if (nodeCidrMaskSizeIpv4 !== undefined || nodeCidrMaskSizeIpv6 !== undefined)
      throw new Error(
        'usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set. For dual-stack clusters please unset it and use IPFamily specific flags',
      )
    return { ipv4: nodeCidrMaskSize, ipv6: nodeCidrMaskSize }
  }
  if (nodeCidrMaskSizeIpv4 !== undefined && ipv6)
    throw new Error('usage of --node-cidr-mask-size-ipv4 is not allowed for a single-stack IPv6 cluster')
  if (nodeCidrMaskSizeIpv6 !== undefined && !ipv6)
    throw new Error('usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4 cluster')
  return { ipv4: nodeCidrMaskSizeIpv4 ?? defaultSizes.ipv4, ipv6: nodeCidrMaskSizeIpv6 ?? defaultSizes.ipv6 }
}
