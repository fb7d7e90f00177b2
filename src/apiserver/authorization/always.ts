import { type Authorizer, allow, type RulesOfUser } from './authorizer.js'

const allowed = allow('')

const everything: RulesOfUser = {
  rules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  isIncomplete: false,
}

export const alwaysAllow: Authorizer = {
  name: 'AlwaysAllow',
  authorize: () => allowed,
  rulesFor: () => everything,
}

export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ verdict: 'no-opinion', reason: 'Everything is forbidden.' }),
}
