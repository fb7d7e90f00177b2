import { type Authorizer, allow, type UserRules } from './authorizer.js'

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
