import { ruleFromText } from '../../../api/rbac/rule-text.js'
import { quote } from '../../../schema/quote.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { User } from '../../user.js'
import {
  type Attributes,
  type Authorizer,
  allow,
  type Decision,
  noOpinion,
  noRules,
  type RulesOfUser,
} from '../authorizer.js'
import { componentRoles } from '../rbac/bootstrap-component-roles.js'
import { CompiledRules, questionOf } from '../rbac/compiled-rules.js'
import { nodeOf } from './identity.js'
import { type NodeQuestion, nodeRules } from './node-rules.js'
import { Relations } from './relations.js'

const allowed = allow('')

/** What every node may do, whichever pods it runs. */
const sharedRules = new CompiledRules(componentRoles['system:node']!.map(ruleFromText))

/** A node may do what running its own pods takes, and nothing to the rest of the cluster. */
export class NodeAuthorizer implements Authorizer {
  readonly name = 'Node'
  readonly #relations: Relations

  constructor(resources: ResourceMap) {
    this.#relations = new Relations(resources)
  }

  authorize(attributes: Attributes): Decision {
    const node = nodeOf(attributes.user)
    if (node === undefined) return noOpinion
    if (node === '') return because(`unknown node for user ${quote(attributes.user.name)}`)
    const rule = attributes.isResource ? nodeRules.get(`${attributes.group}/${attributes.resource}`) : undefined
    if (!rule) return sharedRules.allow(questionOf(attributes)) ? allowed : noOpinion
    const question: NodeQuestion = { node, attributes, relations: this.#relations }
    const refusal = rule(question)
    return refusal === undefined ? allowed : because(refusal)
  }

  rulesFor(user: User): RulesOfUser {
    if (nodeOf(user) === undefined) return noRules
    return { rules: [], isIncomplete: true, fault: 'node authorizer does not support user rule resolution' }
  }
}

function because(reason: string): Decision {
  return reason === '' ? noOpinion : { verdict: 'no-opinion', reason }
}
