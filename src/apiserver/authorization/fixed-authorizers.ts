import { type Authorizer, allow, noOpinion, type UserRules } from './authorizer.js'

const allowed = allow('')

const everything: UserRules = {
  rules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  isIncomplete: false,
}

export const alwaysAllowAuthorizer: Authorizer = {
  name: 'AlwaysAllow',
  authorize: () => allowed,
  rulesFor: () => everything,
}

export const alwaysDenyAuthorizer: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
}

const privilegedGroup = 'system:masters'

/** Allows everything to the privileged group, whatever the other authorizers say, so that administrators cannot lock themselves out. */
export const privilegedGroupAuthorizer: Authorizer = {
  name: privilegedGroup,
  authorize: ({ user }) => (user.groups.includes(privilegedGroup) ? allowed : noOpinion),
}
