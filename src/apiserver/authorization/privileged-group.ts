import { type Authorizer, allow, noOpinion } from './authorizer.js'

const privilegedGroup = 'system:masters'
const allowed = allow('')

/** Those who may do everything, whatever rules are in force: nobody can lock them out. */
export const privilegedGroupAuthorizer: Authorizer = {
  name: privilegedGroup,
  authorize: ({ user }) => (user.groups.includes(privilegedGroup) ? allowed : noOpinion),
}
