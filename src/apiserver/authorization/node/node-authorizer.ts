import { ruleFromText } from '../../../api/rbac/rule-text.js'
import { quote } from '../../../schema/quote.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { RequestUser } from '../../request/user.js'
import {
  type AuthorizationAttributes,
  type AuthorizationResult,
  type Authorizer,
  allow,
  noOpinion,
  noRules,
  type UserRules,
} from '../authorizer.js'
import { componentRoles } from '../rbac/bootstrap-component-roles.js'
import { CompiledRules, ruleRequest } from '../rbac/compiled-rules.js'
import { nodeOfUser } from '../well-known-users.js'
import { type NodeRequest, nodeRules } from './node-rules.js'
import { NodeRelations } from './relations.js'

const allowed = allow('')

/** The permissions of every node, independent of its pods. */
const sharedRules = new CompiledRules(componentRoles['system:node']!.map(ruleFromText))

/** Allows nodes what they need to run their own pods. */
export class NodeAuthorizer implements Authorizer {
  readonly name = 'Node'
  readonly #relations: NodeRelations

  constructor(resources: ResourceMap) {
    this.#relations = new NodeRelations(resources)
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult {
    const node = nodeOfUser(attributes.user)
    if (node === undefined) return noOpinion
    if (node === '') return because(`unknown node for user ${quote(attributes.user.name)}`)
    const rule = attributes.isResource ? nodeRules.get(`${attributes.group}/${attributes.resource}`) : undefined
    if (!rule) return sharedRules.allow(ruleRequest(attributes)) ? allowed : noOpinion
    const request: NodeRequest = { node, attributes, relations: this.#relations }
    const refusal = rule(request)
    return refusal === undefined ? allowed : because(refusal)
  }

  rulesFor(user: RequestUser): UserRules {
    if (nodeOfUser(user) === undefined) return noRules
    return { rules: [], isIncomplete: true, error: 'node authorizer does not support user rule resolution' }
  }
}

function because(reason: string): AuthorizationResult {
  return reason === '' ? noOpinion : { decision: 'no-opinion', reason }
}
