import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../../api/networking/v1/network-policy.js'
import { labelSelectorText } from '../../../api/selectors/label-selector.js'
import type { Describe } from '../context.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText } from '../text.js'
import { plainTime } from '../times.js'

interface Rule {
  readonly ports: readonly NetworkPolicyPort[] | undefined
  readonly peers: readonly NetworkPolicyPeer[] | undefined
}

export const describeNetworkPolicy: Describe<NetworkPolicy> = ({ metadata, spec }, { page }) => {
  const { podSelector = {}, policyTypes = [], ingress = [], egress = [] } = spec ?? {}
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('Created on', plainTime(metadata.creationTimestamp))
  labelsAndAnnotations(page, metadata)
  page.line(0, 'Spec:')
  const selector = labelSelectorText(podSelector)
  const everyone = `${noneText} (Allowing the specific traffic to all pods in this namespace)`
  page.line(1, `PodSelector:     ${selector === noneText ? everyone : selector}`)
  if (policyTypes.includes('Ingress')) {
    page.line(1, 'Allowing ingress traffic:')
    const rules = ingress.map(({ ports, from }) => ({ ports, peers: from }))
    writeRules(page, rules, { isolated: 'ingress', label: 'From', anyone: 'source' })
  } else page.line(1, 'Not affecting ingress traffic')
  if (policyTypes.includes('Egress')) {
    page.line(1, 'Allowing egress traffic:')
    const rules = egress.map(({ ports, to }) => ({ ports, peers: to }))
    writeRules(page, rules, { isolated: 'egress', label: 'To', anyone: 'destination' })
  } else page.line(1, 'Not affecting egress traffic')
  page.line(1, `Policy Types: ${policyTypes.join(', ') || noneText}`)
}

interface RuleWords {
  readonly isolated: string
  readonly label: string
  readonly anyone: string
}

function writeRules(page: DescriptionPage, rules: readonly Rule[], { isolated, label, anyone }: RuleWords): void {
  if (rules.length === 0) page.line(2, `${noneText} (Selected pods are isolated for ${isolated} connectivity)`)
  for (const [index, { ports = [], peers = [] }] of rules.entries()) {
    if (ports.length === 0) page.line(2, 'To Port: <any> (traffic allowed to all ports)')
    for (const port of ports) page.line(2, portText(port))
    if (peers.length === 0) page.line(2, `${label}: <any> (traffic not restricted by ${anyone})`)
    for (const peer of peers) {
      page.line(2, `${label}:`)
      writePeer(page, peer)
    }
    if (index < rules.length - 1) page.line(2, '----------')
  }
}

function portText({ port, endPort, protocol = 'TCP' }: NetworkPolicyPort): string {
  const first = port ?? '<nil>'
  return endPort === undefined ? `To Port: ${first}/${protocol}` : `To Port Range: ${first}-${endPort}/${protocol}`
}

function writePeer(page: DescriptionPage, { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer): void {
  if (namespaceSelector) page.line(3, `NamespaceSelector: ${labelSelectorText(namespaceSelector)}`)
  if (podSelector) page.line(3, `PodSelector: ${labelSelectorText(podSelector)}`)
  if (podSelector || namespaceSelector || !ipBlock) return
  page.line(3, 'IPBlock:')
  page.line(4, `CIDR: ${ipBlock.cidr}`)
  page.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`)
}
