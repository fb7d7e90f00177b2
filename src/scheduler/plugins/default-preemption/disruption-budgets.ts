import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { PodInfo } from '../../cache/pod-info.js'

interface Budget {
  readonly selector: LabelSelector
  /** How many more may go. */
  readonly allowed: number
  /** Names of those that are already taken to be gone. */
  readonly disrupted: Readonly<Record<string, string>>
}

export interface BudgetSplit {
  /** Those that cannot go without a budget being exceeded. */
  readonly protected: readonly PodInfo[]
  readonly others: readonly PodInfo[]
}

/** The disruption budgets of the cluster, read once for a preemption. */
export class DisruptionBudgets {
  readonly #byNamespace = new Map<string, Budget[]>()

  constructor(budgets: Iterable<PodDisruptionBudget>) {
    for (const { metadata, spec, status } of budgets) {
      const selector = LabelSelector.from(spec?.selector)
      if (selector.isEmpty) continue // says nothing here: upstream's
      const budget = { selector, allowed: status?.disruptionsAllowed ?? 0, disrupted: status?.disruptedPods ?? {} }
      const namespace = metadata.namespace ?? ''
      const known = this.#byNamespace.get(namespace)
      if (known) known.push(budget)
      else this.#byNamespace.set(namespace, [budget])
    }
  }

  /** Keeps the order. The pods that come first use up the budgets. */
  split(pods: readonly PodInfo[]): BudgetSplit {
    if (this.#byNamespace.size === 0) return { protected: [], others: pods }
    const used = new Map<Budget, number>()
    const spared: PodInfo[] = []
    const others: PodInfo[] = []
    for (const pod of pods) (this.#exceeds(pod, used) ? spared : others).push(pod)
    return { protected: spared, others }
  }

  #exceeds({ pod, namespace, labels }: PodInfo, used: Map<Budget, number>): boolean {
    let isExceeded = false
    if (Object.keys(labels).length === 0) return false // no budget means it: upstream's
    for (const budget of this.#byNamespace.get(namespace) ?? []) {
      const { selector, disrupted, allowed } = budget
      if (!selector.matches(labels) || Object.hasOwn(disrupted, pod.metadata.name!)) continue
      const count = (used.get(budget) ?? 0) + 1
      used.set(budget, count)
      if (count > allowed) isExceeded = true
    }
    return isExceeded
  }
}
