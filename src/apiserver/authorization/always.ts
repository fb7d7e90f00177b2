import { type Authorizer, allow } from './authorizer.js'

const allowed = allow('everything is allowed')

export const alwaysAllow: Authorizer = { name: 'AlwaysAllow', authorize: () => allowed }

export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ verdict: 'no-opinion', reason: 'Everything is forbidden.' }),
}
