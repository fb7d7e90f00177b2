import type { Requirement } from '../../api/selectors/label-requirement.js'
import { text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import { generator, noTimestamp, numberOrText } from './generator.js'

export const createPodDisruptionBudget = generator({
  usage: 'NAME --selector=SELECTOR --min-available=N [--dry-run=server|client|none] [options]',
  about: 'Create a pod disruption budget.',
  examples: ['kubectl create poddisruptionbudget web --selector=app=web --min-available=50%'],
  flags: {
    'max-unavailable': text('Number or percentage of pods that may be unavailable'),
    'min-available': text('Number or percentage of pods that must be available'),
    selector: text('Labels of the pods'),
  },
  failure: 'failed to create poddisruptionbudgets: ',
  build: async ({ flags }, name) => {
    const amount = amountOf(flags)
    return {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...noTimestamp, name },
      spec: { ...amount, selector: await labelSelector(flags.selector) },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    }
  },
})

interface AmountFlags {
  readonly 'max-unavailable': string
  readonly 'min-available': string
  readonly selector: string
}

function amountOf({ selector, 'max-unavailable': most, 'min-available': least }: AmountFlags): JsonObject {
  if (selector === '') throw new Error('a selector must be specified')
  if (most === '' && least === '') throw new Error('one of min-available or max-unavailable must be specified')
  if (most !== '' && least !== '') throw new Error('min-available and max-unavailable cannot be both specified')
  const isAmount = (given: string) => /^\d+%?$/.test(given)
  if (least !== '' && !isAmount(least)) throw new Error('invalid format specified for min-available')
  if (most !== '' && !isAmount(most)) throw new Error('invalid format specified for max-unavailable')
  return least === '' ? { maxUnavailable: numberOrText(most) } : { minAvailable: numberOrText(least) }
}

const operators = { in: 'In', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' } as const

/** Converts a typed selector into the form of the API. */
async function labelSelector(given: string): Promise<JsonObject> {
  const { parseRequirements } = await import('../../api/selectors/label-parser.js')
  const matchLabels: Record<string, string> = {}
  const matchExpressions: JsonObject[] = []
  for (const { key, operator, values } of requirementsOf(given, parseRequirements)) {
    if (operator === '=' || operator === '==') {
      matchLabels[key] = values[0]!
      continue
    }
    if (operator === '!=') throw new Error('"!=" is not a valid label selector operator')
    if (operator === 'gt' || operator === 'lt') throw new Error(`"${operator}" isn't supported in label selectors`)
    matchExpressions.push({
      key,
      operator: operators[operator],
      ...(values.length > 0 && { values: [...values].sort() }),
    })
  }
  return {
    ...(matchExpressions.length > 0 && { matchExpressions }),
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
  }
}

function requirementsOf(given: string, parse: (selector: string) => readonly Requirement[]): readonly Requirement[] {
  try {
    return [...parse(given)].sort((left, right) => compareText(left.key, right.key))
  } catch (error) {
    throw new Error(`couldn't parse the selector string "${given}": ${(error as Error).message}`, { cause: error })
  }
}
