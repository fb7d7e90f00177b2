import { quote } from '../../schema/quote.js'
import { ValueError } from '../../schema/value-error.js'
import type { LabelSelector as LabelSelectorObject, LabelSelectorRequirement } from '../meta/v1/label-selector.js'
import { parseRequirements } from './label-parser.js'
import {
  type LabelMap,
  type LabelTest,
  labelTest,
  type Operator,
  type Requirement,
  requirement,
  requirementText,
} from './label-requirement.js'

/** Selects objects by labels. Immutable; compiled once, then called for each object. */
export class LabelSelector {
  /** Sorted by key. All of them must match. */
  readonly requirements: readonly Requirement[]
  readonly matches: LabelTest

  private constructor(requirements: readonly Requirement[], matches?: LabelTest) {
    this.requirements = [...requirements].sort(byKey)
    this.matches = matches ?? allOf(this.requirements.map(labelTest))
  }

  static readonly everything = new LabelSelector([])
  static readonly nothing = new LabelSelector([], () => false)

  /** Parses a selector of a query or of `-l`. Throws `ValueError`. */
  static parse(text: string): LabelSelector {
    const requirements = parseRequirements(text)
    return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements)
  }

  /** Compiles the selector of an object: an absent one selects nothing, an empty one everything. Throws `ValueError`. */
  static from(selector: LabelSelectorObject | undefined | null): LabelSelector {
    if (!selector) return LabelSelector.nothing
    const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]))
    const expressions = (selector.matchExpressions ?? []).map(fromExpression)
    const requirements = [...labels, ...expressions]
    return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements)
  }

  /** Selects objects with all of these labels, without validation. */
  static ofLabels(labels: LabelMap): LabelSelector {
    return new LabelSelector(
      Object.entries(labels).map(([key, value]): Requirement => ({ key, operator: '=', values: [value] })),
    )
  }

  /** Whether it has no requirements and so selects everything. */
  get isEmpty(): boolean {
    return this.requirements.length === 0 && this !== LabelSelector.nothing
  }

  /** The exact value that the label `key` must have, if there is one. */
  exactValue(key: string): string | undefined {
    const found = this.requirements.find((one) => one.key === key)
    const isExact = found?.operator === '=' || found?.operator === '==' || found?.operator === 'in'
    return isExact && found.values.length === 1 ? found.values[0] : undefined
  }

  /** The canonical form, which `parse` accepts. Selectors for nothing and for everything are both empty text. */
  toString(): string {
    return this.requirements.map(requirementText).join(',')
  }
}

function byKey(left: Requirement, right: Requirement): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

function allOf(tests: readonly LabelTest[]): LabelTest {
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  if (tests.length === 2) return (labels) => first(labels) && second(labels)
  return (labels) => {
    for (const test of tests) if (!test(labels)) return false
    return true
  }
}

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

function fromExpression({ key, operator, values = [] }: LabelSelectorRequirement): Requirement {
  const known = operators.get(operator)
  if (!known) throw new ValueError(`${quote(operator)} is not a valid label selector operator`)
  return requirement(key, known, values)
}

/** Formats a selector for tables: `<none>` if it is empty, `<error>` if it is malformed. */
export function labelSelectorText(selector: LabelSelectorObject | undefined | null): string {
  try {
    return LabelSelector.from(selector).toString() || '<none>'
  } catch (error) {
    if (error instanceof ValueError) return '<error>'
    throw error
  }
}
