import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { PodInfo } from '../../cache/pod-info.js'

interface Budget {
  readonly selector: LabelSelector
  /** How many more pods may be disrupted. */
  readonly allowed: number
  /** Names of pods that the budget already counts as disrupted. */
  readonly disrupted: Readonly<Record<string, string>>
}

export interface BudgetSplit {
  /** Deleting one of these violates a budget. */
  readonly violating: readonly PodInfo[]
  readonly nonViolating: readonly PodInfo[]
}

/** The disruption budgets of the cluster, read once for a preemption. */
export class DisruptionBudgets {
  readonly #byNamespace = new Map<string, Budget[]>()

  constructor(budgets: Iterable<PodDisruptionBudget>) {
    for (const { metadata, spec, status } of budgets) {
      const selector = LabelSelector.from(spec?.selector)
      if (selector.isEmpty) continue // as upstream: it protects no pod here
      const budget = { selector, allowed: status?.disruptionsAllowed ?? 0, disrupted: status?.disruptedPods ?? {} }
      const namespace = metadata.namespace ?? ''
      const known = this.#byNamespace.get(namespace)
      if (known) known.push(budget)
      else this.#byNamespace.set(namespace, [budget])
    }
  }

  /** Keeps the order. Earlier pods use up the budgets. */
  split(pods: readonly PodInfo[]): BudgetSplit {
    if (this.#byNamespace.size === 0) return { violating: [], nonViolating: pods }
    const used = new Map<Budget, number>()
    const violating: PodInfo[] = []
    const nonViolating: PodInfo[] = []
    for (const pod of pods) (this.#violates(pod, used) ? violating : nonViolating).push(pod)
    return { violating, nonViolating }
  }

  #violates({ pod, namespace, labels }: PodInfo, used: Map<Budget, number>): boolean {
    let isViolated = false
    if (Object.keys(labels).length === 0) return false // as upstream: no budget selects it
    for (const budget of this.#byNamespace.get(namespace) ?? []) {
      const { selector, disrupted, allowed } = budget
      if (!selector.matches(labels) || Object.hasOwn(disrupted, pod.metadata.name!)) continue
      const count = (used.get(budget) ?? 0) + 1
      used.set(budget, count)
      if (count > allowed) isViolated = true
    }
    return isViolated
  }
}
