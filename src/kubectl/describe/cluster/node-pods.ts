import type { Node } from '../../../api/core/v1/node.js'
import { podTotals } from '../../../api/core/v1/pod/resources.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { compareText } from '../../../schema/text-order.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { DescribeContext } from '../context.js'
import type { DescriptionPage } from '../page.js'

type Totals = ReadonlyMap<string, Quantity>
type Amounts = Readonly<Record<string, string>>

/** Writes the requests and limits of the pods of a node, each and in total, with the share of the node. */
export function writeNodePods({ status }: Node, pods: readonly Pod[], on: DescribeContext): void {
  const { page } = on
  const allocatable = Object.keys(status.allocatable ?? {}).length > 0 ? status.allocatable! : (status.capacity ?? {})
  page.field('Non-terminated Pods', `(${pods.length} in total)`)
  page.line(1, 'Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age')
  page.line(1, '---------', '----', '', '------------', '----------', '---------------', '-------------', '---')
  for (const { metadata, spec } of pods) {
    const totals = [podTotals(spec, 'requests'), podTotals(spec, 'limits')]
    const cells = ['cpu', 'memory'].flatMap((name) => totals.map((total) => share(total, name, allocatable)))
    page.line(1, metadata.namespace ?? '', metadata.name ?? '', '', ...cells, on.since(metadata.creationTimestamp))
  }
  const requests = together(pods.map(({ spec }) => podTotals(spec, 'requests')))
  const limits = together(pods.map(({ spec }) => podTotals(spec, 'limits')))
  writeTotals(page, allocatable, { requests, limits })
}

function writeTotals(
  page: DescriptionPage,
  allocatable: Amounts,
  { requests, limits }: { readonly requests: Totals; readonly limits: Totals },
): void {
  page.line(0, 'Allocated resources:')
  page.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)')
  page.line(1, 'Resource', 'Requests', 'Limits')
  page.line(1, '--------', '--------', '------')
  const names = Object.keys(allocatable).sort(compareText)
  const hugePages = names.filter((name) => name.startsWith('hugepages-'))
  for (const name of [...common, ...hugePages])
    page.line(1, name, share(requests, name, allocatable), share(limits, name, allocatable))
  for (const name of names.filter((each) => !isKnown(each)))
    page.line(1, name, String(requests.get(name) ?? '0'), String(limits.get(name) ?? '0'))
}

const common = ['cpu', 'memory', 'ephemeral-storage']

function isKnown(name: string): boolean {
  return common.includes(name) || name === 'pods' || name.startsWith('hugepages-')
}

function together(all: readonly Totals[]): Totals {
  const sum = new Map<string, Quantity>()
  for (const totals of all) for (const [name, amount] of totals) sum.set(name, sum.get(name)?.add(amount) ?? amount)
  return sum
}

/** `100m (5%)` */
function share(totals: Totals, name: string, allocatable: Amounts): string {
  const amount = totals.get(name) ?? Quantity.zero
  const whole = Quantity.parse(allocatable[name] ?? '0')
  const [part, all] = name === 'cpu' ? [amount.milliValue(), whole.milliValue()] : [amount.value(), whole.value()]
  return `${amount} (${all === 0 ? 0 : Math.trunc((part / all) * 100)}%)`
}
